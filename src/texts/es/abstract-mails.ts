import type { abstractMails as english } from '../en/abstract-mails.ts'
import type { Texts } from '../texts.ts'
import { afterMails } from './after-mails.ts'

export const abstractMails: Pick<Texts['mails'], keyof typeof english> = {
  ...afterMails,
  abstract_late: {
    subject: 'Más tiempo para tus propuestas: {event}',
    body: `Hola:

{organizer} recibe tus propuestas para {event} hasta el {deadline}. Tienes más tiempo que los demás: este enlace es solo para ti.

El enlace de abajo lleva a todo lo que has empezado y enviado. Si no has sido tú, no hagas nada.`,
  },
  abstract_changed: {
    subject: 'Tu propuesta {code} ha cambiado',
    body: `Hola:

{organizer} ha cambiado tu propuesta {code} para {event}. El enlace de abajo lleva a ella tal como está ahora.

Si algo no es correcto, responde a este correo.`,
  },
  abstract_new_link: {
    subject: 'Tu enlace nuevo a tus propuestas: {event}',
    body: `Hola:

El enlace de abajo es nuevo y lleva a todas las propuestas que has empezado y enviado para {event}. Los enlaces de correos anteriores ya no llevan a ninguna parte.

Si no sabes nada de esto, dilo en esa página o no hagas nada. {organizer} lee las respuestas a este correo.`,
  },
  abstract_old_email: {
    subject: 'Propuestas para {event}: otro correo',
    body: `Hola:

{organizer} ha puesto otra dirección en lugar de esta para propuestas que se empezaron aquí para {event}. Los correos sobre ellas van allí desde ahora, y los enlaces que llegaron a esta dirección ya no llevan a ninguna parte.

Si no lo has pedido tú, responde a este correo.`,
  },
  abstract_reopened: {
    subject: 'La propuesta {code} vuelve a contar',
    body: `Hola:

La propuesta {code} para {event} se había retirado, y {organizer} lo ha anulado: vuelve a estar como estaba. El enlace de abajo lleva a ella.

Si es un error, retírala allí o responde a este correo.`,
  },
  abstract_accepted: {
    subject: 'Tu propuesta «{title}» ha sido aceptada',
    body: `Hola, {name}:

nos alegra comunicarte que tu propuesta «{title}» ({code}) ha sido aceptada para {event}.

{note}

{kind}

{confirm}

{registration} {event_link}

{comments}`,
  },
  abstract_rejected: {
    subject: 'Tu propuesta «{title}»',
    body: `Hola, {name}:

gracias por tu propuesta «{title}» ({code}). Sentimos no haber podido aceptarla para {event}.

{note}

{comments}`,
  },
}
