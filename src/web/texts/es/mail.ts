import type { Texts } from '../texts.ts'

export const mail: Texts['mail'] = {
  from: organizer => `Enviado en nombre de ${organizer}.`,
  unsubscribe: 'No recibir más avisos',
  unsubscribeText: url => `No recibir más avisos: ${url}`,
  notice: { when: 'Cuándo', where: 'Dónde', online: 'En línea', before: 'antes', open: 'por decidir' },
  returned: {
    late: 'Llegó cuando el pedido ya había terminado.',
    event_cancelled: 'El evento se ha cancelado.',
    twice: 'El pedido ya estaba pagado: tus entradas siguen siendo válidas.',
    excess: 'Era más de lo que cuesta el pedido.',
    line_cancelled: 'Una parte del pedido se había cancelado.',
  },
  moneyBack: amount => `Te devolvemos ${amount} por donde los pagaste. Puede tardar unos días.`,
  buttons: {
    event: 'Ver el evento',
    join: 'Aceptar la invitación',
    reset: 'Elegir una contraseña nueva',
    free: 'Inscribirme ahora',
    order: 'Ver tu pedido',
    offer: 'Aceptar o rechazar',
    ticket: 'Mostrar la entrada',
    webhook: 'Ver sus envíos',
  },
}
