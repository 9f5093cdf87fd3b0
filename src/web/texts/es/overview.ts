import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const overview: Texts['overview'] = {
  figures: 'Cifras',
  ticketsSold: 'Entradas vendidas',
  of: whole => `de ${whole}`,
  checkedIn: 'Han entrado',
  charged: 'Cobrado',
  chargedAbout: 'Antes de comisiones y reembolsos.',
  counting: 'Se está contando: tarda unos minutos.',
  countedAt: when => `Ventas y accesos hasta el ${when}: un evento grande se cuenta de vez en cuando.`,
  sales: 'Entradas por día',
  salesNone: 'Nadie tiene entrada todavía.',
  salesMost: (tickets, day) => `El máximo: ${tickets} el ${day}`,
  salesLabel: (from, until, most) => `Entradas por día del ${from} al ${until}. ${most}`,
  salesLast: days => `Los últimos ${days} días`,
  day: 'Día',
  tickets: 'Entradas',
  description: 'Descripción',
  byType: 'Por tipo',
  type: 'Tipo',
  price: 'Precio',
  free: 'Gratis',
  soldOut: sold => `${sold}, agotado`,
  checklist: 'Antes de publicar',
  stepDate: 'Di cuándo empieza',
  stepTickets: 'Añade una entrada a la venta',
  doIt: 'Hacerlo',
  publish: 'Publicar',
  complete: 'Dar por terminado',
  reopen: 'Abrirlo de nuevo',
  duplicate: 'Duplicar',
  cancel: 'Cancelar el evento…',
  cancelTitle: title => `¿Cancelar «${title}»?`,
  cancelSubmit: 'Cancelar el evento',
  cancelShown: 'Todo el mundo ve que está cancelado.',
  cancelKeeps: sold =>
    sold === 0
      ? 'Nadie tiene entrada.'
      : `${count(sold, { one: '# entrada sigue siendo válida', other: '# entradas siguen siendo válidas' })}: esto no avisa a nadie ni reembolsa nada.`,
}
