import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const checkout: Texts['checkout'] = {
  register: 'Inscribirme',
  next: 'Continuar',
  choose: '¿Cuántas?',
  chooseOf: type => `Cuántas de ${type}`,
  title: event => `Inscripción en ${event}`,
  you: 'Tú',
  name: 'Tu nombre',
  email: 'Tu correo electrónico',
  emailHelp: 'Ahí se envían las entradas.',
  holders: '¿De quién son las entradas?',
  holdersHelp: 'Si lo dejas vacío, la entrada va a tu nombre y se te envía a ti.',
  ticket: (type, n, of) => (of === 1 ? type : `${type}, entrada ${n} de ${of}`),
  holderName: 'Nombre en la entrada',
  holderEmail: 'Correo, si no es el tuyo',
  accept: 'Acepto las condiciones',
  mustAccept: 'Márcalo para continuar.',
  trap: 'Deja esto vacío',
  reviewTitle: '¿Está todo bien?',
  review: 'Revísalo una vez más',
  changeIt: 'Cambiar algo',
  submit: 'Inscribirme',
  line: (quantity, type) => `${quantity} × ${type}`,
  total: 'Total',
  free: 'Gratis',
  tax: amount => `incluye ${amount} de impuestos`,
  tickets: n => count(n, { one: '# entrada', other: '# entradas' }),
  order: reference => `Pedido ${reference}`,
  states: {
    confirmed: 'Confirmado',
    pending: 'Espera a quien organiza',
    failed: 'No confirmado',
    cancelled: 'Cancelado',
    offered: 'Ofrecido',
  },
  heads: {
    confirmed: 'Ya tienes tu plaza',
    pending: 'Hemos recibido tu inscripción',
    failed: 'Tu inscripción no se ha confirmado',
    unpaid: 'Tu pedido no se pagó',
    withdrawn: 'Has retirado tu inscripción',
    cancelled: 'Tu inscripción está cancelada',
    turned_down: 'Has rechazado la oferta',
    lapsed: 'La oferta ha terminado',
  },
  about: {
    confirmed: email => `Las entradas van también por correo a ${email}.`,
    pending: until =>
      `Quien organiza revisa cada inscripción. Tus plazas están reservadas hasta el ${until}, y te avisaremos por correo.`,
    declined: 'No se ha podido confirmar. Ya no hay nada reservado para ti.',
    undecided: 'Nadie decidió a tiempo. Ya no hay nada reservado para ti.',
    unpaid: 'No se pagó a tiempo, y sus plazas han pasado a otros.',
    withdrawn: 'Ya no hay nada reservado para ti.',
    turned_down: 'Sus plazas han pasado a otras personas.',
    lapsed:
      'La oferta terminó sin respuesta y sus plazas han pasado a otras personas. Puedes volver a apuntarte a la lista de espera.',
    cancelled: 'Se canceló. Sus entradas ya no dejan pasar a nadie.',
  },
  othersWait: {
    title: n =>
      count(n, {
        one: 'Otra persona espera su entrada',
        many: 'Otras # de personas esperan sus entradas',
        other: 'Otras # personas esperan sus entradas',
      }),
    confirmFirst: n =>
      count(n, {
        one: 'Se la enviamos cuando confirmes que la pediste tú. Si no fuiste tú, no hagas nada: nadie más recibe un correo.',
        many: 'Les enviamos las suyas cuando confirmes que las pediste tú. Si no fuiste tú, no hagas nada: nadie más recibe un correo.',
        other:
          'Les enviamos las suyas cuando confirmes que las pediste tú. Si no fuiste tú, no hagas nada: nadie más recibe un correo.',
      }),
    open: 'Confirmar que las pediste tú',
    onPage: email =>
      `Todavía no les hemos escrito. Abre nuestro correo a ${email}, sigue su enlace «Confirmar que las pediste tú» y pulsa allí el botón. Así nadie puede hacer que escribamos a desconocidos.`,
    again: 'Enviar ese correo otra vez',
    first: 'Enviar ese correo',
    pageTitle: '¿Enviar las demás entradas?',
    pageAbout: (reference, event) =>
      `Hiciste el pedido ${reference} para ${event}. Si pulsas el botón, estas personas reciben sus entradas por correo, cada una la suya:`,
    submit: 'Enviar sus entradas',
    notYou: 'Si no hiciste tú este pedido, cierra esta página: nadie más recibe un correo.',
    nothing: 'Ya no hay nada que confirmar.',
    tooMany:
      'Han llegado muchísimos pedidos desde tu red, así que no se ha enviado nada. Abre esta página otra vez dentro de unas horas y pulsa entonces el botón.',
    confirmed: 'Gracias. Sus entradas van de camino.',
    confirmedLater:
      'Gracias. Han llegado muchos pedidos desde tu red, así que sus entradas salen una tras otra, en el plazo de un día.',
  },
  mailLater: when =>
    `En la última hora han llegado muchos pedidos desde tu red, así que tu correo sale más tarde, hacia el ${when}. Lo que dice ya está en esta página.`,
  mailNot: mayAsk =>
    `Han llegado muchísimos pedidos desde tu red, así que no te hemos enviado ningún correo. Lo que diría está en esta página: guarda su dirección${mayAsk ? ' o pide el correo más tarde' : ''}.`,
  show: 'Muestra este código al llegar.',
  void: 'Esta entrada está anulada: no deja pasar a nadie.',
  notYet: 'La entrada llega cuando se confirme el pedido.',
  usedAt: when => `Se usó el ${when}.`,
  codeOf: name => `El código de la entrada de ${name}`,
  online: 'En línea',
  names: 'Cambiar nombres',
  namesTitle: 'Cambiar los nombres de las entradas',
  namesHelp: until => `Hasta el ${until}.`,
  save: 'Guardar',
  resend: 'Enviar las entradas otra vez',
  resent: 'Las entradas van de camino.',
  resentLater:
    'Acaban de llegar muchos pedidos desde tu red, así que este correo sale más tarde, en el plazo de un día.',
  cancel: 'Cancelar el pedido…',
  cancelTitle: '¿Cancelar el pedido?',
  cancelUntil: until => `Puedes cancelar hasta el ${until}.`,
  cancelSubmit: 'Cancelar el pedido',
  withdrawSubmit: 'Retirar la inscripción',
  withdraw: 'Retirar…',
  keep: 'Dejarlo como está',
  contract: {
    withdraw: 'Desistir del contrato aquí',
    title: '¿Desistir del contrato?',
    about: (order, buyer, until) =>
      `${buyer} puede desistir del pedido ${order} hasta el ${until}, sin dar ningún motivo.`,
    written: email => `Lo confirmamos por correo a ${email}.`,
    submit: 'Confirmar el desistimiento',
  },
  will: {
    void: n => count(n, { one: '# entrada queda anulada.', other: '# entradas quedan anuladas.' }),
    back: 'Las plazas pasan a otras personas enseguida y no se pueden recuperar.',
    moneyBack: (amount, paid) =>
      `Te devolvemos ${amount} de los ${paid} que cuestan estas entradas. Puede tardar unos días.`,
    nothingBack: paid => `No se devuelve nada de los ${paid} que cuestan estas entradas.`,
  },
  lost: {
    link: 'Enviarme otra vez mis entradas',
    before: '¿Has perdido el correo?',
    about: event =>
      `Escribe el correo con el que hiciste el pedido o al que se envió tu entrada. Tus entradas para ${event} se envían otra vez ahí.`,
    email: 'Tu correo electrónico',
    submit: 'Enviarme otra vez mis entradas',
    doneTitle: 'Mira tu correo',
    done: email =>
      `Si hay entradas para ${email}, ya van de camino. Si en una hora no llega nada, mira en la carpeta de correo no deseado o prueba con otra dirección que puedas haber usado.`,
  },
  off: {
    title: 'Este evento está cancelado',
    state: 'Evento cancelado',
    tickets: 'Tus entradas ya no son válidas.',
    ticket: 'El evento está cancelado, así que esta entrada ya no es válida.',
    free: 'Eran gratuitas, así que no hay dinero que devolver.',
    notBack: organizer =>
      `Por ahora no se ha hecho ningún reembolso. Los reembolsos los decide ${organizer}.`,
    pending: 'No tienes que hacer nada. Ya no se guardan tus plazas.',
    unpaid: 'No pagues, por favor. Si aun así llega un pago, se te devuelve íntegro.',
    offer: 'Las plazas que se te guardaban ya no están disponibles.',
  },
  offerTitle: 'Es tu turno',
  offerAbout: (n, until) =>
    `${count(n, { one: 'Tienes una plaza reservada', other: 'Tienes # plazas reservadas' })} hasta el ${until}. Si no respondes antes, preguntaremos a la siguiente persona que espera.`,
  offerTake: 'Aceptar',
  offerDecline: 'No, gracias',
  mailsWait: email =>
    `Ahora no se puede enviar ningún correo. Guarda la dirección de esta página: aquí está todo sobre tu pedido. Escribimos a ${email} en cuanto vuelva a funcionar.`,
  saved: 'Guardado.',
  toEvent: 'Ir al evento',
  toOrder: 'Volver al pedido',
  fewer: type => `Cuántas de ${type} ahora`,
  accepted: 'Las condiciones que aceptaste',
  ticketTitle: event => `Entrada para ${event}`,
  waitlist: 'Apuntarme a la lista de espera',
  waitlistOf: type => `Apuntarme a la lista de espera: ${type}`,
  waitlistTitle: type => `Esperar por ${type}`,
  waitlistAbout:
    'Recibes un correo cuando quede libre una plaza, primero quienes más tiempo llevan esperando. No se reserva para nadie: es para quien llegue antes.',
  waitlistReserved: hours =>
    `Cuando quede libre una plaza, preguntamos primero a quien más tiempo lleva esperando: recibes un correo y la plaza se reserva para ti durante ${count(hours, { one: '# hora', other: '# horas' })}.`,
  howMany: 'Cuántas entradas',
  joined: 'Estás en la lista de espera',
  joinedAbout: email => `Te escribimos a ${email} cuando haya sitio.`,
  pdf: 'Entradas en PDF',
  code: 'Código',
  haveCode: 'Código, si tienes uno',
  offers: 'Entradas con tu código',
  useCode: 'Usar el código',
}
