import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const proposals: Texts['proposals'] = {
  title: 'Decisiones',
  about:
    'Cómo está cada propuesta. Lo que propongas aquí solo lo ve la presidencia, hasta que se envíen las decisiones.',
  caption: 'Propuestas, con lo que dicen sus revisiones y lo que se plantea',
  noneYet: 'Todavía no hay propuestas',
  noneYetAbout: 'Cuando lleguen propuestas y se hayan revisado, se comparan y se deciden aquí.',
  notReviewed:
    'Nadie revisa todavía estas propuestas, así que no hay puntuaciones que comparar. Aun así puedes plantear decisiones.',
  setUpReview: 'Preparar la revisión',
  noReviewDone: 'Todavía no hay ninguna revisión hecha. Las puntuaciones aparecen aquí con la primera.',
  noneFound: 'No se ha encontrado nada',
  noneFoundAbout: 'Ninguna propuesta es como piden la búsqueda y los filtros. Quita alguno.',
  search: 'Código, título, autor o correo electrónico',
  figures: (found, all) => `${found} de ${all} propuestas`,
  proposed: (accepted, rejected) =>
    `Planteado: aceptar ${accepted}, rechazar ${rejected}. Todavía no se ha avisado a nadie.`,
  beingSent: n => `Se están enviando: ${n}.`,
  noneProposed: 'Todavía no se ha planteado nada.',
  send: 'Enviar decisiones…',
  csv: 'Descargar como CSV',

  abstract: 'Propuesta',
  code: 'Código',
  name: 'Título',
  topic: 'Tema',
  kind: 'Tipo',
  language: 'Idioma',
  reviews: 'Revisiones',
  of: (done, wanted) => `${done} de ${wanted}`,
  reviewsOf: (done, wanted) => `Revisiones: ${done} de ${wanted}`,
  mean: 'Media',
  spread: 'Amplitud',
  adjusted: 'Ajustada',
  recommended: 'Recomendado',
  recommends: { accept: 'aceptar', unsure: 'sin decidir', reject: 'rechazar' },
  state: 'Estado',
  proposal: 'Planteado',
  proposals: { accepted: 'Aceptar', rejected: 'Rechazar', none: 'Nada' },
  as: kind => `como ${kind}`,
  by: name => `por ${name}`,
  sending: 'Se está enviando',
  own: 'Es tuya: otros ven sus revisiones y la deciden.',
  sort: 'Ordenado por',
  reversed: sort => `${sort}, al revés`,
  least: 'Media mínima',
  most: 'Media máxima',
  text: 'Texto',
  named: 'Puede decir quién lo ha escrito',
  few: 'Revisiones',
  fewer: 'Menos de las deseadas',

  withTicked: 'Plantear para las marcadas:',
  choices: { accepted: 'Aceptar', rejected: 'Rechazar', none: 'Retirar' },
  toFirst: 'Plantear para muchas a la vez…',
  first: 'Plantear para las primeras de esta lista, tal como está ordenada',
  firstAbout: 'También las de las páginas siguientes. Ves cuáles son antes de que se guarde nada.',

  manyTitle: {
    accepted: n =>
      count(n, { one: '¿Plantear aceptar # propuesta?', other: '¿Plantear aceptar # propuestas?' }),
    rejected: n =>
      count(n, { one: '¿Plantear rechazar # propuesta?', other: '¿Plantear rechazar # propuestas?' }),
    none: n =>
      count(n, {
        one: '¿Retirar lo planteado para # propuesta?',
        other: '¿Retirar lo planteado para # propuestas?',
      }),
  },
  manySubmit: {
    accepted: n => count(n, { one: 'Plantear aceptar # propuesta', other: 'Plantear aceptar # propuestas' }),
    rejected: n =>
      count(n, { one: 'Plantear rechazar # propuesta', other: 'Plantear rechazar # propuestas' }),
    none: n => count(n, { one: 'Retirar lo planteado para #', other: 'Retirar lo planteado para #' }),
  },
  will: 'Solo lo ve la presidencia. No se envía ningún correo hasta que envíes las decisiones.',
  willReplace: n =>
    count(n, {
      one: '# ya tiene algo planteado, y esto lo sustituye.',
      other: '# ya tienen algo planteado, y esto lo sustituye.',
    }),
  willDiffer: n =>
    count(n, {
      one: '# ya está decidida. Eso vale hasta que envíes lo que planteas ahora.',
      other: '# ya están decididas. Eso vale hasta que envíes lo que planteas ahora.',
    }),
  leftOwn: n =>
    count(n, {
      one: '# queda fuera: eres una de las personas que hay detrás, así que la deciden otros.',
      other: '# quedan fuera: eres una de las personas que hay detrás, así que las deciden otros.',
    }),
  leftSending: n =>
    count(n, {
      one: '# queda fuera: su decisión está a punto de enviarse tal como se mostró.',
      other: '# quedan fuera: sus decisiones están a punto de enviarse tal como se mostraron.',
    }),
  leftWithout: n =>
    count(n, {
      one: '# queda fuera: no hay nada planteado para ella.',
      other: '# quedan fuera: no hay nada planteado para ellas.',
    }),
  which: 'Cuáles',
  manyNote: 'Nota para los autores de todas ellas',
  note: 'Nota para los autores',
  noteHelp: 'Se guarda con lo planteado, y va con la decisión cuando la envíes.',
  acceptAs: 'Como qué tipo',
  asAsked: 'El tipo que pidieron sus autores',
  nothing: 'No hay nada que plantear',
  nothingAbout:
    'Marca antes propuestas en la tabla. Las tuyas y las que están a punto de enviarse quedan fuera.',
  toTable: 'A la tabla',
  tooMany: most => `Elige como mucho ${most} a la vez.`,

  card: 'Planteado',
  cardNone:
    'No hay nada planteado. A diferencia de una decisión, lo planteado espera hasta que envíes las decisiones.',
  cardAbout: 'Solo lo ve la presidencia, y no se avisa a nadie hasta que envíes las decisiones.',
  propose: 'Plantear…',
  change: 'Cambiar lo planteado…',
  takeBack: 'Retirarlo',
  formTitle: title => `Plantear una decisión sobre «${title}»`,
  decision: 'Planteado',
  submit: 'Guardar lo planteado',
}
