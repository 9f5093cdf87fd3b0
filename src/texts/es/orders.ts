import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const orders: Texts['orders'] = {
  title: 'Pedidos',
  caption: 'Pedidos, los más nuevos primero',
  about: 'Lo que la gente ha pedido en la página del evento.',
  none: 'Aún no hay pedidos',
  noneAbout: 'Aquí aparecen los pedidos que se hacen en la página del evento.',
  noneSo: 'Ningún pedido está en este estado.',
  all: 'Todos',
  states: {
    pending: 'En espera',
    payment: 'Pendientes de pago',
    confirmed: 'Confirmados',
    failed: 'No confirmados',
    cancelled: 'Cancelado',
  },
  order: 'Pedido',
  of: reference => `Pedido ${reference}`,
  buyer: 'Comprador',
  tickets: 'Entradas',
  state: 'Estado',
  at: 'Pedido el',
  total: 'Total',
  free: 'Gratis',
  expires: 'Las plazas se guardan hasta',
  until: when => `hasta el ${when}`,
  failedFor: {
    declined: 'Terminado por quien organiza',
    undecided: 'Nadie decidió a tiempo',
    unpaid: 'No se pagó a tiempo',
    withdrawn: 'Retirado por el comprador',
    turned_down: 'Se rechazó la oferta',
    lapsed: 'Nadie respondió a la oferta',
    cancelled: 'Se cancelaron sus inscripciones',
  },
  language: 'Idioma',
  lines: 'Inscripciones',
  facts: 'El pedido',
  mails: 'Correos',
  noMails: 'Aún no se ha escrito ningún correo.',
  mailStates: { waiting: 'en espera', sent: 'enviado', failed: 'fallido', withdrawn: 'no enviado' },
  open: 'Abrir su página',
  approve: 'Aprobar…',
  approveTitle: name => `¿Aprobar el pedido de ${name}?`,
  approveSubmit: 'Aprobar y enviar las entradas',
  decline: 'Rechazar…',
  declineTitle: name => `¿Rechazar el pedido de ${name}?`,
  declineSubmit: 'Rechazar y avisar al comprador',
  cancel: 'Cancelar el pedido…',
  cancelTitle: name => `¿Cancelar el pedido de ${name}?`,
  cancelSubmit: 'Cancelarlo y avisar al comprador',
  resend: 'Enviar las entradas otra vez',
  resendOffer: 'Enviar la oferta otra vez',
  untold: {
    title: 'Sin correo todavía',
    later: (email, when) =>
      `Han llegado muchos pedidos desde la misma red, así que el correo a ${email} sale más tarde, hacia el ${when}.`,
    none: email =>
      `Han llegado muchísimos pedidos desde la misma red, así que no se envía nada a ${email} por sí solo.`,
    resend: '«Enviar las entradas otra vez» lo envía ya.',
    others: n =>
      count(n, {
        one: 'Otra persona recibe su entrada cuando quien compra confirme el pedido con el enlace de nuestro correo. Cualquiera puede nombrar a desconocidos en un pedido que no cuesta nada: hasta entonces no les escribimos.',
        many: 'Otras # de personas reciben sus entradas cuando quien compra confirme el pedido con el enlace de nuestro correo. Cualquiera puede nombrar a desconocidos en un pedido que no cuesta nada: hasta entonces no les escribimos.',
        other:
          'Otras # personas reciben sus entradas cuando quien compra confirme el pedido con el enlace de nuestro correo. Cualquiera puede nombrar a desconocidos en un pedido que no cuesta nada: hasta entonces no les escribimos.',
      }),
    send: n =>
      count(n, {
        one: 'Enviar ya la entrada a esta persona',
        many: 'Enviar ya las entradas a estas personas',
        other: 'Enviar ya las entradas a estas personas',
      }),
  },
  renew: 'Renovar sus enlaces…',
  renewTitle: '¿Renovar los enlaces de este pedido?',
  renewSubmit: 'Renovar los enlaces',
  will: {
    confirmed: n =>
      count(n, { one: '# entrada pasa a ser válida.', other: '# entradas pasan a ser válidas.' }),
    mailed: email => `${email} recibe un correo enseguida.`,
    freed: n => count(n, { one: '# plaza queda libre.', other: '# plazas quedan libres.' }),
    links: 'Los enlaces de todos los correos enviados dejan de funcionar, también los de cada entrada.',
    send: 'Después envía las entradas otra vez, para que el comprador tenga los nuevos.',
  },
}
