import type { Texts } from '../texts.ts'
import { abstractMails } from './abstract-mails.ts'
import { exchangeMails } from './exchange-mails.ts'
import { programmeMails } from './programme-mails.ts'
import { reviewMails } from './review-mails.ts'

export const mails: Texts['mails'] = {
  ...abstractMails,
  ...programmeMails,
  invitation: {
    subject: 'Únete a {organizer}',
    body: `Hola:

{organizer} te invita a trabajar en sus eventos. La invitación es solo para {email} y vale hasta el {until}.

Si no la esperabas, no hagas nada.`,
  },
  password_reset: {
    subject: 'Elige una contraseña nueva',
    body: `Hola, {name}:

alguien ha pedido una contraseña nueva para ti. El enlace de abajo funciona una sola vez, hasta el {until}.

Si no has sido tú, no hagas nada: tu contraseña sigue igual.`,
  },
  abstract_link: {
    subject: 'Tus propuestas para {event}',
    body: `Hola:

Con este correo se ha empezado una propuesta para {event}. El enlace de abajo lleva a todo lo que has empezado y enviado. Guárdalo: con él puedes seguir, en cualquier dispositivo, hasta el {deadline}.

Si no has sido tú, dilo en esa página o no hagas nada.`,
  },
  abstract_received: {
    subject: 'Hemos recibido tu propuesta {code}',
    body: `Hola:

Hemos recibido tu propuesta para {event}. Su código es {code}. Hasta el {deadline} puedes cambiarla o retirarla.

{organizer} te escribirá cuando se haya decidido.`,
  },
  abstract_added: {
    subject: 'Tu propuesta {code} para {event}',
    body: `Hola:

{organizer} ha añadido una propuesta tuya para {event}. Su código es {code}. El enlace de abajo lleva a ella: allí puedes leerla y retirarla, y cambiarla mientras se admitan propuestas.

Si no es tuya, responde a este correo.`,
  },
  abstract_reminder: {
    subject: 'Sin enviar todavía: tu propuesta para {event}',
    body: `Hola:

Con este correo se ha escrito algo para {event} que todavía no se ha enviado. {organizer} recibe propuestas hasta el {deadline}. Lo que no se envíe antes no cuenta.

El enlace de abajo lleva a todo lo que has empezado y enviado. Si no has sido tú, no hagas nada.`,
  },
  abstract_extended: {
    subject: 'Más tiempo para las propuestas: {event}',
    body: `Hola:

{organizer} recibe ahora propuestas para {event} hasta el {deadline}. Con este correo se ha escrito algo que todavía no se ha enviado.

El enlace de abajo lleva a todo lo que has empezado y enviado. Si no has sido tú, no hagas nada.`,
  },
  abstract_withdrawn: {
    subject: 'La propuesta {code} se ha retirado',
    body: `Hola:

La propuesta {code} para {event} se ha retirado. Si ha sido un error, responde a este correo.`,
  },
  ...reviewMails,
  announcement: {
    subject: '{event}',
    body: '',
  },
  webhook_failing: {
    subject: 'Un webhook lleva un día fallando',
    body: `Hola:

el webhook {address} de {organizer} no ha aceptado nada desde el {since}. Lo que se le envía se intenta de nuevo durante unas horas y después se abandona.`,
  },
  guests_forgotten_soon: {
    subject: 'Desde el {date} se olvida a los asistentes de eventos pasados',
    body: `Hola:

{organizer} ha decidido que se olvide a los asistentes {days} días después del final de un evento. Empieza el {date}, por ejemplo con {event}: los nombres, correos, respuestas y notas desaparecen, y nada los recupera. El dinero, los recuentos, los recibos y quien aún deba recibir o pagar dinero se quedan.

¿Los necesitas más tiempo? Cambia antes el número de días, o desactívalo.`,
  },
  dispute_opened: {
    subject: 'Disputa por {amount}: pedido {reference}',
    body: `Hola:

alguien ha pedido a su banco los {amount} del pedido {reference} de {event}, {organizer}. {state}

{until}`,
  },
  dispute_ended: {
    subject: 'La disputa por {amount} ha terminado: pedido {reference}',
    body: `Hola:

la disputa por {amount} del pedido {reference} de {event}, {organizer}, ha terminado. {state}`,
  },
  order_confirmed: {
    subject: 'Tus entradas para {event}',
    body: `Hola, {name}:

ya tienes tu inscripción en **{event}**.

{when}
{place}

Pedido {reference}. Muestra el código de cada entrada al llegar, en papel o en una pantalla. Todo sobre tu pedido está en su página.`,
  },
  order_waiting: {
    subject: 'Hemos recibido tu inscripción en {event}',
    body: `Hola, {name}:

tenemos tu inscripción {reference} en **{event}**. {organizer} revisa cada una y te lo dirá por correo. Mientras tanto, tus plazas están reservadas.

{when}
{place}

En su página puedes ver cómo va, o retirarla.`,
  },
  order_declined: {
    subject: 'Tu inscripción en {event}',
    body: `Hola, {name}:

gracias por tu interés en **{event}**. Sentimos no haber podido confirmar tu inscripción {reference}; tus plazas han quedado libres.`,
  },
  order_cancelled: {
    subject: 'Cancelado: {event}',
    body: `Hola, {name}:

las entradas de tu pedido {reference} para **{event}** que figuran abajo están canceladas y ya no sirven para entrar.`,
  },
  order_withdrawn: {
    subject: 'Tu desistimiento: {event}',
    body: `Hola, {name}:

el {at} recibimos tu desistimiento del contrato del pedido {reference} para **{event}**.

Las entradas que figuran abajo quedan canceladas y ya no dejan pasar a nadie.`,
  },
  payment_due: {
    subject: 'Pendiente de pago: {event}',
    body: `Hola, {name}:

gracias por tu pedido {reference} para **{event}**. Son **{amount}**, y tus plazas están reservadas hasta el {until}.

{when}
{place}

Las entradas te llegan por correo en cuanto esté pagado. Cómo pagarlo y cómo va lo ves en su página.`,
  },
  payment_under_way: {
    subject: 'Tu pago para {event} está en camino',
    body: `Hola, {name}:

gracias por tu pedido {reference} para **{event}**. Tu pago de **{amount}** está en marcha, y tu banco tarda unos días. No tienes que hacer nada más: tus plazas están reservadas hasta el {until} como máximo.

{when}
{place}

Las entradas te llegan por correo en cuanto tengamos el dinero. Cómo va lo ves en la página de tu pedido.`,
  },
  order_unpaid: {
    subject: 'Tu pedido para {event} ha terminado',
    body: `Hola, {name}:

tu pedido {reference} para **{event}** no se pagó a tiempo y sus plazas han pasado a otras personas. No se te ha cobrado nada que no vaya a volver a ti.

Si tu pago está en camino, no tienes que hacer nada: recibirás tus entradas si todavía hay sitio, o el dinero de vuelta.`,
  },
  payment_returned: {
    subject: 'Te devolvemos el dinero: {event}',
    body: `Hola, {name}:

{amount} de tu pedido {reference} para **{event}** vuelven a donde pagaste. {why}

Puede tardar unos días.`,
  },
  refund: {
    subject: 'Un reembolso: {event}',
    body: `Hola, {name}:

{amount} de tu pedido {reference} para **{event}** vuelven a donde pagaste. Puede tardar unos días.

La página de tu pedido muestra qué entradas siguen siendo válidas, si queda alguna.`,
  },
  ticket: {
    subject: 'Tu entrada para {event}',
    body: `Hola, {name}:

{buyer} ha pedido una entrada de **{event}** para ti.

{when}
{place}

Muestra su código al llegar, en papel o en una pantalla.`,
  },
  ...exchangeMails,
  guest_tickets: {
    subject: 'Tus entradas para {event}',
    body: `Hola, {name}:

aquí tienes lo que te da acceso a **{event}**.

{when}
{place}

Muestra el código al llegar, en papel o en una pantalla.`,
  },
  guest_cancelled: {
    subject: 'Cancelado: {event}',
    body: `Hola, {name}:

tu inscripción en **{event}** está cancelada. Estas entradas ya no sirven para entrar:`,
  },
  tickets_again: {
    subject: 'Tus entradas para {event}, otra vez',
    body: `Hola, {name}:

has pedido otra vez tus entradas para **{event}**. Aquí está todo lo que corresponde a esta dirección.

{when}
{place}

Si no lo has pedido, no tienes que hacer nada: este correo solo lo has recibido tú.`,
  },
  ticket_cancelled: {
    subject: 'Tu entrada para {event} está cancelada',
    body: `Hola, {name}:

la entrada de **{event}** que {buyer} pidió para ti está cancelada y ya no sirve para entrar:`,
  },
  place_free: {
    subject: 'Hay sitio en {event}',
    body: `Hola, {name}:

ha quedado libre una plaza de **{event}**, y eres de quienes más tiempo llevan esperando. No se reserva para nadie: es para quien llegue antes.

{when}
{place}`,
  },
  reminder: {
    subject: '{event}: {when}',
    body: `Hola, {name}:

te esperamos en **{event}**.

{when}
{place}

Ten a mano el código de tu entrada al llegar, en papel o en una pantalla.`,
  },
  event_changed: {
    subject: 'Cambios: {event}',
    body: `Hola, {name}:

**{event}** tiene otra fecha u otro lugar. Tus entradas siguen siendo válidas.`,
  },
  event_cancelled: {
    subject: 'Cancelado: {event}',
    body: `Hola, {name}:

lo sentimos: este evento no se va a celebrar.

**{event}**
{when}
{place}`,
  },
  place_offered: {
    subject: 'Es tu turno: hay sitio en {event}',
    body: `Hola, {name}:

ya hay sitio en **{event}** y es tu turno: lo que esperabas está reservado para ti hasta el {until}.

{when}
{place}

Acéptalo, o déjalo para la siguiente persona, con el enlace de abajo.

Si no respondes antes, pasará a la siguiente persona que espera.`,
  },
  test: {
    subject: 'Un correo de prueba',
    body: `Hola:

Turnout, en {server}, puede enviarte correos. Mira si este ha llegado a la bandeja de entrada y no al correo no deseado.`,
  },
}
