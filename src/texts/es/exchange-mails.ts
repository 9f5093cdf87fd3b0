/** The mails about a ticket that was exchanged, or given to somebody else. */
export const exchangeMails = {
  ticket_exchanged: {
    subject: 'Tu nueva entrada para {event}',
    body: `Hola, {name}:

aquí tienes tu nueva entrada de **{event}**. Sustituye a la que tenías, cuyo código ya no sirve para entrar.

{when}
{place}

Muestra el código nuevo al llegar, en papel o en una pantalla.`,
  },
  ticket_given_on: {
    subject: 'Tu entrada para {event} ahora es de otra persona',
    body: `Hola, {name}:

la entrada que tenías de **{event}** se ha pasado a otra persona. Su código ya no sirve para entrar.

{when}
{place}

Si no debía ser así, responde a este correo.`,
  },
}
