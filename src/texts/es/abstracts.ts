import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const abstracts: Texts['abstracts'] = {
  title: 'Propuestas',
  caption: 'Propuestas, de la más reciente a la más antigua',
  none: 'Todavía no hay propuestas',
  noneAbout: 'Aquí se leen y se deciden las propuestas que llegan a este evento.',
  noneFound: 'No se ha encontrado nada',
  noneFoundAbout: 'Ninguna propuesta de aquí tiene todas estas palabras. Prueba con menos, o en otro estado.',
  noneHere: 'Ninguna de estas tiene las palabras. Sigue con las anteriores.',
  noneInState: 'No hay ninguna en este estado.',
  search: 'Código, título, autor o correo',
  states: 'Estados',
  status: { submitted: 'Recibida', in_review: 'En revisión', accepted: 'Aceptada', rejected: 'Rechazada' },
  counted: (number, isMore) => (isMore ? `${number}+` : number),
  name: 'Título',
  by: 'Autores',
  andOthers: (name, others) =>
    others === 0 ? name : `${name} ${count(others, { one: 'y # más', other: 'y # más' })}`,
  state: 'Estado',
  submitted: 'Recibida',
  select: title => `Seleccionar «${title}»`,
  withTicked: 'Con las marcadas:',
  decide: { accepted: 'Aceptar', rejected: 'Rechazar', in_review: 'Poner en revisión' },

  list: 'En esta lista',
  newer: 'Anterior',
  older: 'Siguiente',
  text: 'Propuesta',
  about: 'Datos',
  keywords: 'Palabras clave',
  file: 'Archivo',
  download: (size: string) => `Descargar el PDF (${size})`,
  authors: 'Autores',
  presents: 'la presenta',
  contact: 'Contacto',
  topic: 'Tema',
  kind: 'Tipo',
  language: 'Idioma',
  submitter: 'La ha enviado',
  confirmed: 'Correo confirmado',
  unconfirmed: 'Correo sin confirmar',
  unconfirmedAbout:
    'Nadie ha abierto aún el enlace que se envió a esa dirección. Puede haberla escrito otra persona.',
  withdrawn: 'Retirada',
  withdrawnAbout: 'Quien la envió ha retirado esta propuesta. Ya no se puede decidir.',
  wasChanged: 'Cambiada por quien la envió',
  wasWithdrawn: 'Retirada por quien la envió',
  history: 'Qué ha pasado',
  wasSubmitted: 'Recibida',
  wasDecided: { accepted: 'Aceptada', rejected: 'Rechazada', in_review: 'Puesta en revisión' },
  doneBy: name => `por ${name}`,
  decision: 'Decisión',
  note: 'Nota',
  noteHelp: 'Para los autores. Va con la decisión y sustituye a la nota anterior.',
  tell: 'Avisar por correo a los autores',
  tellHelp: 'Va al contacto, con la nota. De una revisión no se avisa a nadie.',
  noteHere: '(tu nota)',
  mailIf: { accepted: 'El correo, si se acepta', rejected: 'El correo, si se rechaza' },
  saveDecision: 'Guardar la decisión',

  manyTitle: {
    accepted: n => count(n, { one: '¿Aceptar # propuesta?', other: '¿Aceptar # propuestas?' }),
    rejected: n => count(n, { one: '¿Rechazar # propuesta?', other: '¿Rechazar # propuestas?' }),
    in_review: n =>
      count(n, { one: '¿Poner # propuesta en revisión?', other: '¿Poner # propuestas en revisión?' }),
  },
  manySubmit: {
    accepted: n => count(n, { one: 'Aceptar # propuesta', other: 'Aceptar # propuestas' }),
    rejected: n => count(n, { one: 'Rechazar # propuesta', other: 'Rechazar # propuestas' }),
    in_review: n =>
      count(n, { one: 'Poner # propuesta en revisión', other: 'Poner # propuestas en revisión' }),
  },
  manyFrom: {
    submitted: n => count(n, { one: '# está solo recibida.', other: '# están solo recibidas.' }),
    in_review: n => count(n, { one: '# está en revisión.', other: '# están en revisión.' }),
    accepted: n =>
      count(n, {
        one: '# está aceptada y dejará de estarlo.',
        other: '# están aceptadas y dejarán de estarlo.',
      }),
    rejected: n =>
      count(n, {
        one: '# está rechazada y dejará de estarlo.',
        other: '# están rechazadas y dejarán de estarlo.',
      }),
  },
  manyStay: n =>
    count(n, { one: '# ya está así y se queda como está.', other: '# ya están así y se quedan como están.' }),
  manyNotified: 'Los webhooks avisan de cada una.',
  manyMailed: n =>
    count(n, {
      one: 'Con la marca, # correo va al contacto de la propuesta.',
      other: 'Con la marca, # correos van a los contactos de las propuestas.',
    }),
  manyMail: 'Lo que dice el primero',
  manyWhich: 'Cuáles',
  manyNote: 'Nota para todas',
  manyNothing: 'No hay nada que decidir',
  manyNothingAbout: 'Todas están ya en este estado.',
  manyNoneTicked: 'No hay nada marcado',
  manyNoneTickedAbout: 'Marca antes propuestas en la lista.',
  toList: 'A las propuestas',

  noneToReview: 'Aquí verás las propuestas que te toque revisar cuando la coordinación te asigne alguna.',
}
