import type { Texts } from '../texts.ts'

export const paymentSettings: Texts['paymentSettings'] = {
  title: 'Pagos',
  about: 'Cómo se pagan las entradas. Cada evento puede dejar fuera alguna forma, en sus propios ajustes.',
  doorAbout:
    'No hay nada que configurar: elígelo en cada evento, en sus ajustes, en Venta. Quien recibe el dinero lo anota en la acreditación.',
  rehearsal: 'Pagos de prueba',
  rehearsalAbout:
    'Este servidor es para ensayar (--test-payments, o un sandbox): todos los eventos ofrecen un pago que no mueve dinero. Arráncalo sin eso antes de vender.',
  stripe: 'Tarjeta, con Stripe',
  stripeNone:
    'Se paga con tarjeta en una página de Stripe y el dinero llega a tu propia cuenta. Ninguna tarjeta pasa por este servidor.',
  connect: 'Conectar Stripe',
  account: 'Cuenta',
  mode: 'Modo',
  live: 'Real',
  test: 'De prueba',
  testAbout: 'No se mueve dinero.',
  key: 'Clave',
  news: 'Avisos de Stripe',
  webhook: 'Stripe nos avisa al momento y además se le pregunta cada minuto',
  polled: 'Se le pregunta a Stripe cada minuto',
  lastPolled: 'Última pregunta',
  notYet: 'Todavía ninguna',
  denied: 'Stripe rechaza la clave: nadie puede pagar con tarjeta ni se puede devolver nada por ahí.',
  deniedAbout: 'Se revocó o le falta un permiso. Crea otra en Stripe y pégala aquí.',
  keyMissing: 'Falta la clave de Stripe: nadie puede pagar con tarjeta ni se puede devolver nada por ahí.',
  keyMissingAbout:
    'Este servidor se ha restaurado a partir de una copia hecha sin secretos. Crea una clave en Stripe, de la misma cuenta, y pégala aquí.',
  missed:
    'Este servidor no le ha preguntado a Stripe en un mes, y Stripe no guarda lo ocurrido más tiempo. Mira allí si hay reembolsos o disputas que no aparecen aquí.',
  missedSeen: 'Ya lo he mirado',
  newKey: 'Pegar otra clave',
  disconnect: 'Desconectar…',
  keyTitle: 'Conectar Stripe',
  keyAbout: 'Crea una clave restringida en Stripe, en Desarrolladores, Claves de API. Dale estos permisos:',
  payoutsAbout: '(se puede omitir: solo lo necesita el informe de los abonos)',
  keyField: 'Clave restringida',
  keyHelp: 'Empieza por rk_live_. Se guarda aquí y no se vuelve a mostrar.',
  keyHelpTest:
    'Empieza por rk_live_, o por rk_test_ para hacer pruebas. Se guarda aquí y no se vuelve a mostrar.',
  keySubmit: 'Conectar',
  disconnectTitle: '¿Desconectar Stripe?',
  disconnectSubmit: 'Desconectar Stripe',
  disconnectWill: 'Desde ahora nadie podrá pagar con tarjeta.',
  disconnectKey: 'La clave se olvida aquí. Revócala también en Stripe.',
  disconnectRefunds:
    'Lo que se pagó solo se podrá reembolsar desde aquí cuando vuelvas a conectar la misma cuenta.',
  inUse: open =>
    open === 1
      ? 'Hay un pago o un reembolso en curso. Antes tiene que terminar.'
      : `Hay ${open} pagos o reembolsos en curso. Antes tienen que terminar.`,
  back: 'Volver a los pagos',
  bank: 'Transferencia bancaria',
  bankNone: 'Se paga por transferencia y las plazas se guardan hasta que llega el dinero. No tiene comisión.',
  addBank: 'Añadir una cuenta bancaria',
  bankTitle: 'Cuenta bancaria',
  holder: 'Titular de la cuenta',
  iban: 'IBAN o número de cuenta',
  bic: 'BIC o código del banco',
  bankNote: 'Qué más hay que saber',
  bankNoteHelp:
    'Por ejemplo, el nombre y la dirección del banco, para transferencias desde el extranjero. Lo ve quien compra.',
  editBank: 'Editar',
  removeBank: 'Quitar…',
  removeBankTitle: '¿Quitar la cuenta bancaria?',
  removeBankSubmit: 'Quitar la cuenta bancaria',
  removeBankWill: 'Desde ahora nadie podrá elegir pagar por transferencia.',
  orphans: 'Pagado y sin pedido aquí',
  orphansAbout:
    'Se pagó después de hacerse la copia de seguridad con la que se restauró este servidor. Nadie tiene entradas por ello: devuélvelo, o crea el pedido a mano y marca la línea como atendida.',
  orphansCaption: 'Pagado y sin pedido aquí',
  paidAt: 'Pagado',
  amount: 'Importe',
  session: 'En Stripe',
  orphanTodo: 'Qué hacer',
  orphanRefunding: 'Se está devolviendo.',
  refund: amount => `Devolver ${amount}…`,
  leave: 'Atendido',
  refundTitle: amount => `¿Devolver ${amount}?`,
  refundSubmit: amount => `Devolver ${amount}`,
  refundWill: 'Vuelve todo al lugar de donde vino. No se puede deshacer.',
}
