import type { Texts } from '../texts.ts'
import { count } from './page.ts'

const tickets = (n: number) => count(n, { one: '# entrada', many: '# de entradas', other: '# entradas' })
const mails = (n: number) => count(n, { one: '# correo', many: '# de correos', other: '# correos' })

export const sending: Texts['sending'] = {
  send: 'Enviar la entrada',
  sendOf: name => `Enviar la entrada: ${name}`,
  sendAll: 'Enviar las entradas',
  sendMany: 'Enviar entradas…',
  sendImported: 'Enviar las entradas…',
  sendTo: name => `¿Enviar la entrada de ${name}?`,
  sendAllTo: name => `¿Enviar las entradas de ${name}?`,
  title: n => (n === 0 ? 'No hay nada nuevo que enviar' : `¿Enviar ${tickets(n)}?`),
  submit: n => (n === 0 ? 'Enviar las entradas' : `Enviar ${mails(n)}`),
  will: (n, mailed) =>
    `${count(n, { one: 'Sale # entrada', many: 'Salen # de entradas', other: 'Salen # entradas' })} en ${mails(mailed)}: todas las de una misma dirección van en un solo correo, con sus códigos y un PDF.`,
  willTo: address => `Va a ${address}, con su código y un PDF.`,
  before: n =>
    `${count(n, { one: '# entrada ya se envió antes y no se envía', other: '# entradas ya se enviaron antes y no se envían' })} otra vez.`,
  beforeOne: 'Ya se envió antes.',
  beforeSome: n =>
    `${count(n, { one: '# de ellas ya se envió', other: '# de ellas ya se enviaron' })} antes.`,
  again: n =>
    `Enviar también ${count(n, { one: 'la # entrada que ya se envió', other: 'las # entradas que ya se enviaron' })} antes`,
  noAddress: n =>
    `${count(n, { one: '# entrada no tiene correo y no se envía', other: '# entradas no tienen correo y no se envían' })}.`,
  unverified: n =>
    `${count(n, { one: '# entrada no va', other: '# entradas no van' })} a nadie todavía: quien compró nombró a otra persona y no ha confirmado el pedido por correo.`,
  extras: n =>
    `${count(n, { one: '# extra no tiene correo propio: en la puerta se ve', other: '# extras no tienen correo propio: en la puerta se ven' })} con su entrada, y el correo de un pedido lleva su código.`,
  notValid: n =>
    `${count(n, { one: '# entrada está anulada o sin confirmar y no se envía', other: '# entradas están anuladas o sin confirmar y no se envían' })}.`,
  more: 'Coinciden más de las que se envían de una vez. Vuelve después por las demás: nada se envía dos veces.',
  cannotTakeBack: 'Lo enviado no se puede deshacer.',
  eventCancelled: 'El evento está cancelado, así que no se envía ninguna entrada.',
  tickAfterAdding: 'Enviar la entrada por correo',
  tickAfterAddingHelp: 'A cada asistente con correo propio; si no, a quien compra.',
  wasSent: 'Entradas enviadas por correo',
  wasSentAt: at => `Enviada por correo el ${at}`,
  notSentYet: 'Aún no enviada por correo',
  sent: 'Correo con la entrada',
  sentChoices: { yes: 'Enviado', no: 'Aún no enviado' },
  job: n => `Enviando entradas en ${mails(n)}`,
  jobMails: 'Correos escritos',
  jobTickets: 'Entradas que llevan',
  jobKept: 'Sin enviar, porque cambiaron entretanto',
  link: 'Enlace a la entrada',
  renew: 'Renovar los enlaces…',
  renewTitle: name => `¿Renovar los enlaces a las entradas de ${name}?`,
  renewSubmit: 'Renovar los enlaces',
  renewWill: 'Los enlaces que se enviaron o copiaron hasta ahora dejan de funcionar.',
  renewAfter: 'Después envía las entradas otra vez, para que lleguen los nuevos.',
  pdf: 'Descargar como PDF',
  codeOf: name => `Código de la entrada de ${name}`,
  show: 'Ver',
  showOf: name => `Ver la entrada: ${name}`,
  listed: 'Entradas de asistentes',
  boughtBy: name => `Comprada por ${name}`,
  isPaid: 'Pagado',
  sortBy: 'Ordenar por',
  sorts: {
    newest: 'Más recientes primero',
    name: 'Nombre',
    type: 'Tipo de entrada',
    checked_in: 'Últimos en entrar',
  },
  tooManyToSort: 'Hay más de 20.000 entradas, así que van primero las más recientes.',
  onlyNewest: 'Se han encontrado más de 20.000 entradas: aquí están solo las más recientes.',
  toMessages: 'Ver los mensajes',
  tell: 'Avisar al asistente por correo',
  tellHelp: 'A quien compró y a cada asistente con correo propio.',
  audience: 'A quién se avisa por correo',
  audienceHelp: 'A cada persona que compró y a cada asistente con correo propio.',
  audiences: {
    heard: 'A quienes pidieron aquí o recibieron su entrada por correo',
    all: 'A todos, también a quienes solo se importaron o añadieron',
    nobody: 'A nadie',
  },
}
