/** The texts of mails about the published programme. */
export const programmeMails = {
  programme_slot: {
    subject: 'Tu contribución «{title}» está en el programa',
    body: `Hola, {name}:

Tu contribución «{title}» ya tiene su lugar en el programa de {event}. Su número es {number}.

{places}

{page}`,
  },
  programme_moved: {
    subject: 'Tu contribución «{title}» ha cambiado de lugar en el programa',
    body: `Hola, {name}:

Tu contribución «{title}» ({number}) tiene en el programa de {event} otro lugar que antes. Ahora es:

{places}

{page}`,
  },
}
