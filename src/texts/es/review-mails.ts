/** The texts of the mails to those who review abstracts. */
export const reviewMails = {
  review_invited: {
    subject: '¿Revisarías propuestas para {event}?',
    body: `Hola:

{organizer} te pide que revises propuestas enviadas a {event}. Las revisiones se admiten hasta el {deadline}.

El enlace de abajo es solo tuyo: lleva a lo que tienes que revisar. Indica allí los temas que conoces y de quién no deberías recibir propuestas. Si no puedes revisar, responde a este correo.`,
  },
  review_assigned: {
    subject: 'Propuestas por revisar: {event}',
    body: `Hola:

tienes propuestas por revisar para {event}. Sin terminar: {count}. Las revisiones se admiten hasta el {deadline}.

El enlace de abajo lleva a ellas. Lo que no te corresponda juzgar lo puedes devolver allí, para que otra persona lo reciba a tiempo.`,
  },
  review_reminder: {
    subject: 'Revisiones sin terminar: {event}',
    body: `Hola:

algunas de tus revisiones para {event} no están terminadas: {count}. {organizer} las admite hasta el {deadline}.

El enlace de abajo lleva a ellas. Lo que no te corresponda juzgar lo puedes devolver allí, para que otra persona lo reciba a tiempo.`,
  },
}
