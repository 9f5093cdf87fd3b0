import type { Texts } from '../texts.ts'

export const ticketPdf: Texts['ticketPdf'] = {
  document: (event, order) =>
    order === null ? `Entradas para ${event}` : `Entradas para ${event}, pedido ${order}`,
  holder: 'Nombre',
  type: 'Entrada',
  when: 'Cuándo',
  dateOpen: 'La fecha está por anunciar.',
  zone: (short, name) => (short === name ? name : `${short} (${name})`),
  where: 'Dónde',
  online: 'En línea',
  admits: 'Válida',
  fromUntil: (from, until) => `desde el ${from} hasta el ${until}`,
  from: from => `desde el ${from}`,
  until: until => `hasta el ${until}`,
  seat: 'Asiento',
  order: 'Pedido',
  code: 'Código QR que da acceso en la puerta',
  finePrint:
    'Enseña este código en la puerta, impreso o en el móvil. Da acceso a una persona, una sola vez: no compartas imágenes de él.',
  finePrintOnline:
    'Únete con el enlace de arriba. Esta entrada es para una persona: no compartas imágenes de ella.',
  leftOut: 'Algunas letras de esta entrada no se pueden imprimir aquí y se han omitido.',
  leftOutAt: url =>
    `Algunas letras de esta entrada no se pueden imprimir aquí y se han omitido. La página de la entrada las muestra todas: ${url}`,
  count: (ticket, of) => `Entrada ${ticket} de ${of}`,
  voidTitle: 'Anulada',
  voidText: 'Esta entrada no da acceso a nadie.',
  gettingThere: 'Cómo llegar',
  contact: '¿Preguntas?',
  seller: 'Vendido por',
  organizer: 'Organizado por',
}
