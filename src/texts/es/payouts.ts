import type { Texts } from '../texts.ts'
import { count } from './page.ts'

const payments = (n: number) => count(n, { one: '# pago', other: '# pagos' })

export const payouts: Texts['payouts'] = {
  title: 'Abonos de Stripe',
  about:
    'Lo que Stripe ha abonado en tu cuenta bancaria, según el día en que llega, y qué pagos, comisiones, reembolsos y disputas contiene cada abono.',
  csv: 'Descargar CSV',
  csvAbout:
    'El CSV tiene una fila por cada pago, comisión, reembolso y disputa de cada abono. Los importes están en la moneda del abono y juntos suman su importe.',
  month: 'Mes',
  show: 'Mostrar',
  caption: 'Abonos de este mes, arriba los primeros en llegar',
  none: 'Ningún abono en este mes',
  noneAbout: 'Stripe no ha abonado nada que llegue en él.',
  moreInFile: 'Hay más abonos de los que se muestran aquí. El CSV los tiene todos.',
  totalOf: currency => `Abonos en ${currency}`,
  total: 'Abonado',
  totalAbout: 'Sin los que fallaron.',
  found: 'Encontrados en tu banco',
  foundOf: n => `de ${n}`,
  deniedPayouts: permission =>
    `Los abonos no están disponibles: a la clave de Stripe le falta el permiso «${permission}». Los pagos funcionan sin él.`,
  deniedLines: permission =>
    `El contenido de los abonos no está disponible: a la clave de Stripe le falta el permiso «${permission}».`,
  deniedHow:
    'Añádelo a la clave en Stripe, en Desarrolladores, Claves de API, y pega la clave aquí otra vez: se comprueba al momento. Si no, se vuelve a comprobar en un día.',
  toKey: 'Pegar la clave',
  fetching: 'Se están pidiendo los abonos a Stripe. Vuelve a mirar dentro de unos minutos.',
  disconnected: 'Stripe ya no está conectado, o rechaza la clave, así que no llega nada nuevo a esta lista.',
  arrives: 'Llega',
  amount: 'Importe',
  state: 'Estado',
  holds: 'Contiene',
  bank: 'Tu banco',
  notFound: 'Todavía no encontrado',
  states: {
    pending: 'Por enviar',
    in_transit: 'En camino',
    paid: 'Abonado',
    failed: 'Falló: el dinero volvió a Stripe',
    canceled: 'Cancelado en Stripe',
  },
  linesOf: n => count(n, { one: '# movimiento', other: '# movimientos' }),
  lists: {
    waiting: 'Todavía no se sabe',
    manual: 'No disponible',
  },
  listsAbout: {
    waiting:
      'Todavía no se sabe qué contiene: Stripe aún lo está calculando, o la lista no se ha pedido todavía.',
    manual:
      'No se puede saber qué contiene: alguien pidió este importe a mano, y Stripe solo guarda esa lista de los abonos que hace por sí mismo.',
  },
  differs: (sum, difference) => `Lo que contiene suma ${sum}, que difiere del abono en ${difference}.`,
  equals: 'Lo que contiene suma exactamente el abono.',
  pageTitle: day => `Abono del ${day}`,
  named: (day, n) =>
    n === undefined ? `Abono de Stripe, ${day}` : `Abono de Stripe, ${day}, de ${payments(n)}`,
  made: 'Hecho',
  atStripe: 'En Stripe',
  whatItHolds: 'Qué contiene',
  group: 'Grupo',
  entries: 'Movimientos',
  sum: 'En total',
  groups: {
    payments: 'Pagos',
    refunds: 'Reembolsos',
    disputes: 'Disputas',
    fees: 'Comisiones',
    adjustments: 'Ajustes de Stripe',
    foreign: 'Ajeno a Turnout',
  },
  groupsAbout: {
    fees: 'Lo que Stripe se queda de estos pagos, reembolsos y disputas, y lo que cobra además.',
    adjustments: 'Como reservas, correcciones y dinero de un abono que falló.',
    foreign:
      'Otro dinero de la misma cuenta de Stripe, menos sus comisiones, o el de un pedido que no está aquí.',
  },
  linesCaption: 'Todos los movimientos de este abono',
  kinds: {
    payment: 'Pago',
    refund: 'Reembolso',
    refund_reversal: 'Reembolso que volvió',
    dispute: 'Disputa',
    dispute_reversal: 'Disputa ganada',
    fee: 'Comisión',
    payout_return: 'Abono que falló',
    adjustment: 'Ajuste',
  },
  entry: 'Movimiento',
  order: 'Pedido',
  fee: 'Comisión',
  net: 'Neto',
  when: 'Cuándo',
  fitting: 'Abonos de este importe',
  fittingAbout: 'Llegan en los cinco días antes o después de esta línea. Un abono no paga ningún pedido.',
  itIs: 'Es este abono',
}
