import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const payments: Texts['payments'] = {
  title: 'Por pagar',
  waits: (amount, method) => `${amount}, ${method}`,
  reference: 'Referencia',
  until: when => `Las plazas se guardan hasta el ${when}.`,
  notChosen: 'Quien compra aún no ha elegido cómo pagar.',
  ended: 'Este pago ha terminado.',
  differs: (came, expected) => `Han llegado ${came}, y se pedían ${expected}.`,
  differsAbout: 'No se confirma nada hasta que decidas.',
  paid: 'Marcar como pagado…',
  late: 'Ha llegado tarde…',
  rest: 'Marcar el resto como pagado…',
  accept: 'Confirmar de todos modos…',
  giveBack: 'Devolverlo…',
  of: (what, reference) => `${what} (pedido ${reference})`,
  paidTitle: (amount, name) => `¿Ha pagado ${name} ${amount}?`,
  paidSubmit: 'Marcar como pagado',
  acceptTitle: (amount, reference) => `¿Confirmar el pedido ${reference} con ${amount}?`,
  acceptSubmit: 'Confirmarlo',
  returnTitle: amount => `¿Devolver ${amount}?`,
  returnSubmit: 'Devolverlo y terminar el pedido',
  will: {
    noted: (amount, method) => `Se anotan ${amount} como pagados: ${method}.`,
    confirmed: n =>
      count(n, {
        one: 'El pedido se confirma: # entrada pasa a ser válida.',
        other: 'El pedido se confirma: # entradas pasan a ser válidas.',
      }),
    revived: 'El pedido ha terminado. Si aún hay plazas, se confirma; si no, hay que devolver el dinero.',
    owed: 'El pedido se queda como está. Hay que devolver el dinero, y lo devuelves tú a mano.',
    mailed: email => `${email} recibe un correo enseguida.`,
    excess: amount => `Sobran ${amount}, que se devuelven.`,
    lessIs: amount => `Se pedían ${amount}: lo que falta ya no se pide.`,
    byHand: 'Lo devuelves tú a mano, y lo anotas cuando esté hecho.',
    byProcessor: 'Vuelve por sí solo a donde se pagó.',
    ends: n =>
      count(n, {
        one: 'El pedido termina, y # plaza queda libre.',
        other: 'El pedido termina, y # plazas quedan libres.',
      }),
  },
  approveWill: (amount, until) => `Desde entonces hay que pagar ${amount}, hasta el ${until}.`,
  approveSubmit: 'Aprobar y pedir el pago',
  search: 'Referencia, o correo de quien compra',
  noneFound: 'Ningún pedido de este evento se llama así. Los nombres se buscan en Asistentes.',
  door: {
    due: amount => `Paga ${amount} aquí`,
    dueOf: (amount, order) => `el pedido ${order} paga ${amount} aquí`,
    paid: 'Pagado…',
    paidOf: name => `Pagado… por ${name}`,
    title: amount => `¿Se han pagado ${amount}?`,
    submit: 'Sí, está pagado',
    after: 'Acredita las entradas después.',
  },
}
