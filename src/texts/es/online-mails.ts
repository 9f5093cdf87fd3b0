import type { Texts } from '../texts.ts'

export const onlineMails: Texts['onlineMails'] = {
  order_confirmed: `Hola, {name}:

ya tienes tu inscripción en **{event}**, que es en línea.

{when}

Pedido {reference}. Únete con el enlace de abajo. Todo sobre tu pedido está en su página.`,
  ticket: `Hola, {name}:

{buyer} ha pedido una entrada de **{event}** para ti. El evento es en línea.

{when}

Únete con el enlace de abajo.`,
  ticket_exchanged: `Hola, {name}:

aquí tienes tu nueva entrada de **{event}**, que es en línea. Sustituye a la que tenías.

{when}

Entra con el enlace de abajo.`,
  guest_tickets: `Hola, {name}:

ya tienes tu inscripción en **{event}**, que es en línea.

{when}

Únete con el enlace de abajo.`,
  reminder: `Hola, {name}:

te esperamos en **{event}**, que es en línea.

{when}

Únete con el enlace de abajo.`,
}
