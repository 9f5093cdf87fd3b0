import { toPlainHeader } from '#machinery/tables/plain-header.ts'
import type { ImportField, Mapping } from './columns.ts'
import { systemNames } from './systems.ts'

/** Returns what a line has in the column of a field, or undefined if it has nothing there. */
export type Cell = (field: ImportField) => string | undefined

export function cellsBy({ fields }: Mapping, cells: readonly string[]): Cell {
  return field => {
    const at = fields.get(field)
    const text = at === undefined ? '' : (cells[at] ?? '')
    return text === '' ? undefined : text
  }
}

/** Says whether a ticket of another shop is valid, was used at the door, or is void: cancelled, refunded, or never paid. */
export type TicketState = 'valid' | 'used' | 'void'

/** The states in the exports or their first words, in English, German, Spanish and French, in the form of `toPlainHeader`. */
const states: Readonly<Record<TicketState, readonly string[]>> = {
  valid: [
    ...['paid', 'bezahlt', 'pagado', 'pagada', 'paye', 'active', 'attending', 'nimmt teil'],
    // pretix has tickets that are valid before they are paid.
    ...['pending confirmed', 'ausstehend bestatigt', 'pendiente confirmado', 'en attente confirme'],
  ],
  used: ['checked'],
  void: [
    ...['canceled', 'cancelled', 'refunded', 'expired', 'pending', 'unpaid', 'awaiting', 'approval'],
    ...['not', 'deleted', 'transferred', 'test', 'storniert', 'erstattet', 'abgelaufen', 'ausstehend'],
    ...['freigabe', 'cancelado', 'cancelada', 'reembolsado', 'reembolsada', 'caducado', 'caducada'],
    ...['expirado', 'expirada', 'vencido', 'vencida', 'pendiente', 'aprobacion', 'annule', 'en attente'],
    ...['approbation', 'expire'],
  ],
}

/** Returns the state that a line gives its ticket. It is `unknown` for a word that no export is known to have. */
export function stateOf(cell: Cell): TicketState | 'unknown' {
  const text = cell('status')
  if (text === undefined) return 'valid'
  const whole = toPlainHeader(text)
  const [first = ''] = whole.split(' ')
  const isNamed = (state: TicketState) => [whole, first].some(words => states[state].includes(words))
  return (Object.keys(states) as TicketState[]).find(isNamed) ?? 'unknown'
}

const NEVER = ['no', 'nein', 'false', '0']
const INSTANT = /(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/
/** No check-in was before these shops, in milliseconds. */
const EARLIEST = Date.UTC(2000, 0, 1)

/**
 * Returns when a ticket was checked in, in milliseconds, or null if the export does not say when. It is undefined for a ticket that
 * never was. Exports give instants in UTC.
 */
export function checkedInAt(cell: Cell): number | null | undefined {
  const text = cell('checked_in')
  if (text === undefined || NEVER.includes(text.toLowerCase())) {
    return stateOf(cell) === 'used' ? null : undefined
  }
  const [, day, time] = INSTANT.exec(text) ?? []
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`)
  return at >= EARLIEST ? at : null
}

/** Returns what identifies the ticket in the other shop, as that prints it: the code of the order, and its number in it. */
export function originOf(cell: Cell): string | undefined {
  const parts = [cell('order'), cell('order_line')].filter(part => part !== undefined)
  return parts.length === 0 ? undefined : parts.join('-')
}

/** Returns what identifies the ticket that an add-on belongs to, as `originOf` does for that ticket. */
export function besideOf(cell: Cell): string | undefined {
  const number = cell('addon_to')
  if (number === undefined) return undefined
  return originOf(field => (field === 'order_line' ? number : cell(field)))
}

/** Returns the note of a line: where it comes from, and what the organizer has written there. */
export function noteOf(cell: Cell, { system }: Mapping, most: number): string | undefined {
  const code = cell('order') ?? cell('order_line')
  const from = system === undefined || code === undefined ? undefined : `${systemNames[system]} ${code}`
  const lines = [from, cell('note')].filter(line => line !== undefined)
  return lines.length === 0 ? undefined : [...lines.join('\n')].slice(0, most).join('')
}

/** Returns the name of the type that a line is of: that of the product and of its variant. */
export function typeNameOf(cell: Cell): string | undefined {
  const parts = [cell('type'), cell('type_variant')].filter(part => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(' – ')
}

/** Returns an e-mail as a name, for tickets on which nobody's name was asked. */
export function nameFromEmail(email: string): string {
  const [before = ''] = email.split('@')
  return before.replace(/[^\p{L}\p{N}]+/gu, ' ').trim() || 'Guest'
}
