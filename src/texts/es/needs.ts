import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const needs: Texts['needs'] = {
  title: 'Te necesita',
  look: 'Mirar',
  failing: host => `${host} no responde`,
  failingAbout: since => `Todos los webhooks que recibe han fallado desde el ${since}.`,
  failed: (n, host) =>
    count(n, { one: `# webhook no ha llegado a ${host}`, other: `# webhooks no han llegado a ${host}` }),
  failedOrMore: (n, host) => count(n, { one: '', other: `# webhooks o más no han llegado a ${host}` }),
  failedAbout: 'Se intentó ocho veces con cada uno, y se puede enviar de nuevo.',
  orders: n => count(n, { one: '# pedido espera tu aprobación', other: '# pedidos esperan tu aprobación' }),
  ordersOrMore: n => count(n, { one: '', other: '# pedidos o más esperan tu aprobación' }),
  otherOrders: n =>
    count(n, {
      one: 'Hay pedidos en espera en # evento más',
      other: 'Hay pedidos en espera en # eventos más',
    }),
  otherMails: n =>
    count(n, { one: 'Han fallado correos en # evento más', other: 'Han fallado correos en # eventos más' }),
  othersAbout: 'Aquí están los que más tienen.',
  onDates: n => count(n, { one: '', other: '# fechas. «Mirar» lleva a la que más tiene.' }),
  scans: n =>
    count(n, {
      one: '# entrada en una puerta necesita un vistazo',
      many: '# de entradas en las puertas necesitan un vistazo',
      other: '# entradas en las puertas necesitan un vistazo',
    }),
  scansOrMore: n =>
    count(n, {
      one: '',
      many: '# de entradas o más en las puertas necesitan un vistazo',
      other: '# entradas o más en las puertas necesitan un vistazo',
    }),
  otherScans: n =>
    count(n, {
      one: 'Hay puertas por mirar en # evento más',
      many: 'Hay puertas por mirar en # de eventos más',
      other: 'Hay puertas por mirar en # eventos más',
    }),
  unpayable: n =>
    count(n, {
      one: 'Nadie puede pagar # tipo de entrada',
      many: 'Nadie puede pagar # de tipos de entrada',
      other: 'Nadie puede pagar # tipos de entrada',
    }),
  otherUnpayable: n =>
    count(n, {
      one: 'Nadie puede pagar entradas de # evento más',
      many: 'Nadie puede pagar entradas de # de eventos más',
      other: 'Nadie puede pagar entradas de # eventos más',
    }),
  amounts: n => count(n, { one: '# pago no es lo que se pedía', other: '# pagos no son lo que se pedía' }),
  owed: n => count(n, { one: '# devolución te necesita', other: '# devoluciones te necesitan' }),
  owedOrMore: n => count(n, { one: '', other: '# devoluciones o más te necesitan' }),
  owedAbout: 'Hay que devolverlas a mano, o un procesador no pudo hacerlo.',
  dispute: amount => `Alguien disputa ${amount}`,
  disputeUntil: until => `Respóndela en el panel de Stripe hasta el ${until}.`,
  disputeAbout: 'Se responde en el panel de Stripe.',
  disputeLost: amount => `Se ha perdido una disputa de ${amount}`,
  disputeLostAbout: 'Anula las entradas y haz una nota de crédito, o déjalas válidas.',
  stripeDenied: 'Stripe rechaza tu clave',
  stripeDeniedAbout:
    'Nadie puede pagar con tarjeta y no se devuelve nada. Crea allí una clave nueva y guárdala aquí.',
  stripeKeyMissing: 'Falta la clave de Stripe',
  stripeKeyMissingAbout:
    'Esto se ha restaurado a partir de una copia sin secretos. Nadie puede pagar con tarjeta y no se devuelve nada hasta que se guarde aquí una clave.',
  bankLines: n =>
    count(n, {
      one: '# línea del extracto está por decidir',
      other: '# líneas del extracto están por decidir',
    }),
  bankLinesOrMore: n => count(n, { one: '', other: '# líneas o más del extracto están por decidir' }),
  bankLinesAbout: 'Entró o salió dinero, y no está claro de qué pedido es.',
  mailOnHold: since => `No se envía ningún correo desde el ${since}, y los pagos están en pausa`,
  mailOnHoldAbout:
    'Esta base de datos puede ser una copia de otra. Nadie recibe correos, nadie puede pagar con tarjeta y no se devuelve nada por esa vía hasta que digas que no hay otra.',
  mailOnHoldForOthers:
    'Nadie recibe correos, nadie puede pagar con tarjeta y no se devuelve nada por esa vía hasta que quien administra este servidor diga que ningún otro trabaja con los mismos datos.',
  mailTrouble: since => `No sale ningún correo desde el ${since}`,
  mailTroubleAbout: 'El servidor de correo no acepta ninguno. Los correos esperan y no se pierden.',
  mailWaits: 'Hay correos que esperan a un servidor de correo',
  mailWaitsAbout: 'Todavía no hay ninguno configurado. Nadie los recibe hasta que lo haya.',
  mailFailed: n => count(n, { one: '# correo no llegó a nadie', other: '# correos no llegaron a nadie' }),
  mailFailedOrMore: n => count(n, { one: '', other: '# correos o más no llegaron a nadie' }),
  mailFailedAbout: 'En los últimos siete días. Los servidores de quienes debían recibirlos los rechazaron.',
  box: 'Este servidor solo da paso',
  boxAbout:
    'Es el equipo de la puerta: no envía correo, no vende, no cierra nada y no acepta otros cambios. Sus escaneos llegan a tu servidor principal con «turnout scan export».',
  lateBackup: since => `No hay copia de seguridad desde el ${since}`,
  noBackupYet: 'Todavía no se ha hecho ninguna copia de seguridad',
  lateAbout: 'Debería haberse hecho una. El registro del servidor dice por qué no.',
  withoutBackups: 'Este servidor no hace copias de seguridad por sí mismo',
  withoutBackupsAbout: 'Lo que hay en un disco perdido se pierde, salvo que lo copies de otra manera.',
  certificateEnds: when => `El certificado caduca el ${when}`,
  certificateEnded: when => `El certificado caducó el ${when}`,
  certificateAbout: 'Sin uno nuevo nadie llega a este sitio, ni los lectores al servicio.',
  disk: 'El disco está casi lleno',
  diskAbout: (free, total) => `Quedan libres ${free} de ${total}. Cuando se llene, no se podrá guardar nada.`,
}
