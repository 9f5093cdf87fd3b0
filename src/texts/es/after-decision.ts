import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const afterDecision: Texts['afterDecision'] = {
  acceptedAs: kind => `Se ha aceptado como: ${kind}.`,
  comments: 'Lo que te escriben quienes la han evaluado',
  comment: n => `Comentario ${n}`,
  confirmTitle: '¿Vas a venir?',
  confirmAbout: 'Confirma que la propuesta se va a presentar.',
  confirmUntil: at => `Confirma hasta el ${at} que la propuesta se va a presentar.`,
  confirmLate: at =>
    `Se te pidió confirmar hasta el ${at}. Todavía puedes, mientras la organización no haya dado el sitio a otra persona.`,
  confirm: 'Confirmar: se va a presentar',
  confirmed: at => `Confirmaste el ${at} que se va a presentar. Gracias.`,
  cannot: 'Si no puedes venir, elige abajo a otra persona que la presente o retira la propuesta.',
  cannotAlone: 'Si no puedes venir, retira la propuesta.',
  code: 'Tu código para inscribirte',
  codeAbout: 'Quien presenta la propuesta se inscribe con este código, una vez.',
  codeUsed: 'Alguien se ha inscrito con este código.',
  register: 'Inscribirse',
  presenter: 'Quién la presenta',
  presentedBy: name => `La presenta ${name}.`,
  changePresenter: 'Otra persona la presenta…',
  presenterTitle: title => `¿Quién presenta «${title}»?`,
  presenterAbout:
    'Se avisa a la organización y a quien la presenta ahora, si junto al nombre hay un correo. El enlace a esta propuesta lo sigues teniendo tú.',
  presenterSubmit: 'Guardar quién la presenta',
  presenterNow: 'la presenta ahora',
  days: 'Días en que nadie puede presentarla',
  daysAbout: 'Marca los días en que no puedes venir. La organización intenta tenerlos en cuenta.',
  daysSubmit: 'Guardar los días',
  daysSaved: 'Los días se han guardado.',
  presenterSaved: 'Se ha guardado quién la presenta y se avisa a la organización.',

  title: 'Después de la decisión',
  confirmedOn: at => `Confirmada el ${at}`,
  notConfirmed: 'Sin confirmar',
  askedUntil: at => `Se ha pedido a sus autores que confirmen hasta el ${at}.`,
  notAsked: 'No se ha pedido a sus autores que confirmen hasta una fecha, pero pueden hacerlo.',
  confirmFor: 'Confirmar en nombre de los autores',
  unconfirm: 'Anular la confirmación',
  codeGiven: 'Código para inscribirse',
  codeIsUsed: code => `${code} (usado)`,
  notOn: 'No se puede presentar el',
  commentsTold: n =>
    count(n, {
      one: 'Sus autores pueden leer # comentario de una evaluación.',
      other: 'Sus autores pueden leer # comentarios de evaluaciones.',
    }),
  tab: 'Sin confirmar',
  remind: 'Recordárselo a quienes no han confirmado',
  remindAbout:
    'Cada persona recibe un correo con el enlace a la propuesta, y nadie recibe dos en un mismo día.',

  news: {
    withdrawn: (code, title) => `${code} «${title}»: estaba aceptada y su autor la ha retirado`,
    disowned: (code, title) =>
      `${code} «${title}»: retirada, porque la persona de ese correo no la había enviado`,
    presenter: (code, title) => `${code} «${title}»: la presenta otro de sus autores`,
  },
}
