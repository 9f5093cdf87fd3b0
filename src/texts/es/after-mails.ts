import type { afterMails as english } from '../en/after-mails.ts'
import type { Texts } from '../texts.ts'

export const afterMails: Pick<Texts['mails'], keyof typeof english> = {
  abstract_confirm_reminder: {
    subject: 'Confirma, por favor: tu propuesta {code} para {event}',
    body: `Hola:

Tu propuesta {code} está aceptada para {event}, y te pedimos que confirmaras antes del {deadline} que se va a presentar. Todavía no sabemos nada de ti.

El enlace de abajo lleva a ella, y allí se confirma con un clic. Si nadie puede venir, elige allí a otra persona que la presente o retírala.

{organizer}`,
  },
  abstract_presenting: {
    subject: 'Presentas la propuesta {code} en {event}',
    body: `Hola:

Los autores de la propuesta {code} han dicho a {organizer} que la presentas en {event}.

Si no sabes nada de esto o no puedes hacerlo, responde a este correo.`,
  },
  abstract_news: {
    subject: 'Novedades de los autores de propuestas para {event}',
    body: `Hola:

Esto ha cambiado:

{changes}

El botón de abajo lleva a las propuestas. Este correo va al contacto de {event}, para {organizer}.`,
  },
}
