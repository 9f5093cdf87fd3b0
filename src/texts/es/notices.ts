import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const notices: Texts['notices'] = {
  untold: 'La fecha o el lugar han cambiado y no se ha avisado a quienes están inscritos.',
  tell: 'Avisar a quienes están inscritos…',
  tellTitle: '¿Avisar a quienes están inscritos?',
  tellSubmit: 'Enviar los correos',
  tellNobody: 'No hace falta avisar a nadie',
  before: 'antes',
  people: (n, recipients, isMore) =>
    isMore
      ? `Más de ${n} personas se han inscrito o tienen una entrada.`
      : `${count(recipients, { one: '# persona se ha inscrito o tiene', other: '# personas se han inscrito o tienen' })} una entrada.`,
  calendar: 'Cada correo dice qué había antes y qué hay ahora, y cambia el evento en sus calendarios.',
  text: 'Ver o cambiar lo que dice el correo',
  job: {
    reminder: 'Recordando el evento',
    event_changed: 'Avisando del cambio',
    event_cancelled: 'Avisando de que se cancela',
  },
  back: 'Volver a los mensajes',
}
