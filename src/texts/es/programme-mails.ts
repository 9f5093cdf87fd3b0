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
  programme_removed: {
    subject: 'Tu contribución «{title}» ya no tiene lugar en el programa',
    body: `Hola, {name}:

Tu contribución «{title}» ({number}) se ha quitado del programa de {event}. La hora y el lugar que te dijimos ya no valen.

Si se le da otro lugar, recibirás un correo. Si tienes preguntas, responde a este.`,
  },
}
