/** These texts are for payment, in Spanish, and buyers read them. */
export const payment = {
  how: '¿Cómo quieres pagar?',
  obligation: 'Pedido con obligación de pago',
  afterApproval: 'Pagas cuando quien organiza lo apruebe: te lo diremos por correo.',
  names: {
    test: 'Pago de prueba',
    stripe: 'Tarjeta y otros métodos en línea',
    transfer: 'Transferencia bancaria',
    door: 'En la puerta',
  },
  about: {
    test: 'No se mueve dinero.',
    stripe: 'Pagas en la página de Stripe y vuelves aquí.',
    transfer: 'Tus plazas quedan reservadas mientras llega el dinero.',
    door: 'Pagas al llegar.',
  },
  transferUntil: (until: string) =>
    `Guardamos tus plazas hasta el ${until}: haz la transferencia a tiempo para que llegue antes.`,
  title: 'Pago',
  due: (amount: string, until: string) => `${amount}, a pagar hasta el ${until}`,
  pay: (amount: string) => `Pagar ${amount}`,
  preparing: 'Se está preparando la página de pago…',
  goesOn: 'Te llevamos a la página de pago. Si no pasa nada, sigue aquí:',
  checking: 'Gracias. Estamos preguntando si está pagado: esta página lo mostrará por sí sola.',
  processing:
    'Tu pago está en camino. Puede tardar unos días; tus plazas están reservadas y las entradas llegarán por correo.',
  otherAmount: (amount: string) =>
    `Hemos recibido ${amount}, que no es lo que cuesta este pedido. Quien organiza lo está mirando; tus plazas están reservadas.`,
  partly: (amount: string, rest: string) => `Hemos recibido ${amount}. Faltan ${rest}.`,
  failed: 'Ese pago no ha funcionado. Puedes intentarlo de nuevo o pagar de otra forma.',
  again: 'Pagar ahora',
  another: 'Pagar de otra forma',
  chooseAnother: 'Pagar de esta forma',
  otherPaused: (ways: string) => `Ahora no disponible: ${ways}.`,
  allPaused:
    'Ahora no se puede pagar: los pagos están en pausa por un rato. No se cobra nada, y aún no hay ningún pedido. Inténtalo más tarde.',
  orderPaused:
    'Ahora no se puede pagar: los pagos están en pausa por un rato. No se cobra nada. Vuelve a esta página más tarde.',
  tryAgain: 'Intentar de nuevo',
  stopped: (way: string) =>
    `Los pagos están en pausa por un rato: ${way}. Ahora no se cobra nada. Si ya has pagado, no tienes que hacer nada: las entradas llegan en cuanto se reanuden.`,
  left: (way: string, next: string) =>
    `Primero se cierra el pago anterior (${way}), para que nunca pagues dos veces. Después esta página sigue por sí sola: ${next}.`,
  goBack: (way: string) => `Volver al pago anterior: ${way}`,
  transferTo: 'Transfiere el importe a esta cuenta, con la referencia como único concepto.',
  holder: 'A',
  account: 'Cuenta',
  code: 'BIC',
  amount: 'Importe',
  reference: 'Referencia',
  scan: 'Escanéalo con la aplicación de tu banco.',
  atDoor: 'Pagas al llegar. Di esta referencia o muestra esta página; tu entrada vale desde ese momento.',
  atDoorMail:
    'Pagas al llegar. Di esta referencia o muestra la página de tu pedido; a partir de ese momento tu entrada es válida.',
  state: {
    pending: 'Pendiente de pago',
    head: 'Tus plazas están reservadas',
    about: (until: string) =>
      `Las entradas llegan por correo en cuanto esté pagado. Tus plazas están reservadas hasta el ${until}.`,
  },
  paid: (amount: string) => `Pagado: ${amount}.`,
  back: {
    coming: (amount: string) => `Te devolvemos ${amount}. Puede tardar unos días.`,
    done: (amount: string) => `Se te han devuelto ${amount}.`,
  },
  test: {
    title: 'Pago de prueba',
    about: 'Esta página hace las veces de la de un proveedor de pagos. No se mueve dinero.',
    pay: 'Pagar',
    decline: 'Rechazar la tarjeta',
    declined: 'La tarjeta fue rechazada. Inténtalo de nuevo.',
    pay_later: 'Pagar con un método que tarda días',
    close: 'Cerrar sin pagar',
    succeed: 'El dinero ha llegado',
    fail: 'El dinero no llega',
    back: 'Volver al pedido',
    over: 'Este pago ha terminado.',
  },
}
