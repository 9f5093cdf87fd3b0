import type { Texts } from '../texts.ts'

export const mail: Texts['mail'] = {
  // A name such as “Club S.L.” brings its own full stop.
  from: organizer => `Enviado en nombre de ${organizer.replace(/\.$/, '')}.`,
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
  dispute: {
    warning: 'Por ahora el banco solo pregunta: no se ha retirado dinero.',
    needs_response: 'El banco ha retirado el dinero hasta que se decida.',
    under_review: 'El banco ha retirado el dinero hasta que se decida, y lo está estudiando.',
    won: 'La has ganado: el dinero es tuyo.',
    lost: 'Se ha perdido: el dinero se queda con quien compró. Decide en la página del pedido si sus entradas se anulan.',
    closed: 'Ha quedado en nada: el dinero es tuyo.',
  },
  answerBy: until => `Puedes responder en el panel de Stripe hasta el ${until}. Sin respuesta, se pierde.`,
  passOn:
    'Este correo es solo para ti: quien tenga el enlace a tu pedido puede cambiar y cancelar el pedido entero. Para pasar una entrada a otra persona, envíale el enlace propio de la entrada, que está con ella más abajo.',
  buttons: {
    submitted: 'Ver tus propuestas',
    review: 'Ir a tus revisiones',
    abstracts: 'Ver las propuestas',
    submission: 'Ver tu propuesta',
    event: 'Ver el evento',
    join: 'Aceptar la invitación',
    reset: 'Elegir una contraseña nueva',
    free: 'Inscribirme ahora',
    order: 'Ver tu pedido',
    offer: 'Aceptar o rechazar',
    ticket: 'Mostrar la entrada',
    webhook: 'Ver sus envíos',
    personalData: 'Ver el ajuste',
    disputed: 'Ver el pedido',
  },
}
