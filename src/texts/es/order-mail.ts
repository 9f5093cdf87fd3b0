import type { Texts } from '../texts.ts'

export const orderMail: Texts['orderMail'] = {
  time: city => `hora de ${city}`,
  cities: {
    ...{ Amsterdam: 'Ámsterdam', Athens: 'Atenas', Berlin: 'Berlín', Bogota: 'Bogotá', Brussels: 'Bruselas' },
    ...{ Canary: 'Canarias', Copenhagen: 'Copenhague', Dublin: 'Dublín', Istanbul: 'Estambul' },
    ...{ Lisbon: 'Lisboa', London: 'Londres', 'Los Angeles': 'Los Ángeles', Luxembourg: 'Luxemburgo' },
    ...{ 'Mexico City': 'Ciudad de México', Moscow: 'Moscú', 'New York': 'Nueva York', Panama: 'Panamá' },
    ...{ Paris: 'París', Prague: 'Praga', Rome: 'Roma', 'Sao Paulo': 'São Paulo', Stockholm: 'Estocolmo' },
    ...{ Singapore: 'Singapur', Tokyo: 'Tokio', Vienna: 'Viena', Warsaw: 'Varsovia', Zurich: 'Zúrich' },
    ...{ Kiev: 'Kiev', Kyiv: 'Kiev', Calcutta: 'Calcuta', Kolkata: 'Calcuta', Cairo: 'El Cairo' },
  },
  line: (quantity, type) => `${quantity} × ${type}`,
  each: price => `${price} por unidad`,
  void: n => (n === 1 ? '1 cancelada' : `${n} canceladas`),
  discount: 'Descuento',
  total: 'Total',
  // Amounts have a comma of their own.
  taxIncluded: taxes => `impuestos incluidos: ${taxes.join('; ')}`,
  moved: {
    paid: date => `Pagado el ${date}`,
    reversed: date => `Retirado el ${date}`,
    paidBack: date => `Devuelto el ${date}`,
    cameBack: date => `Volvió a nosotros el ${date}`,
    disputed: date => `Retirado por tu banco el ${date}`,
  },
  by: (what, method) => `${what}, ${method}`,
  coming: 'Se te devuelve',
  stays: 'Queda pagado',
  due: until => `Por pagar hasta el ${until}`,
  underWay: 'En camino desde tu banco',
  payOnPage: 'Se paga en la página de tu pedido.',
  attached: papers => `Se adjunta: ${papers}.`,
  ownPage: 'Tu pedido, solo para ti',
  seller: 'Vendedor',
  withdrawal: 'Desistimiento',
  noWithdrawal:
    'No hay derecho de desistimiento, por tratarse de ocio en una fecha determinada (artículo 16, letra l, de la Directiva 2011/83/UE).',
  withdrawUntil: (until, email) =>
    `Puedes desistir del contrato hasta el ${until}, sin dar motivos: con «Desistir del contrato aquí» en la página de tu pedido, o con un correo a ${email}.`,
  withdrawOver: until => `Pudiste desistir del contrato hasta el ${until}.`,
  cancelUntil: until => `Puedes cancelar hasta el ${until}, en la página de tu pedido.`,
  cancelBack: percent => `Entonces se te devuelve el ${percent} del precio.`,
  terms: date => `Condiciones que aceptaste el ${date}`,
  termsAttached: file => `Se adjuntan tal como eran entonces: ${file}.`,
  termsFile: 'condiciones',
}
