import type { TicketPrice } from '../registrations/checkout.ts'
import type { Registration } from '../registrations/schemas.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import type { Language } from '../web/texts/languages.ts'
import type { Invoice } from './invoice.ts'
import type { OrderRow } from './store.ts'

export const orderStatuses = ['pending', 'confirmed', 'failed'] as const

/** Tickets that one order may have. */
export const MAX_TICKETS = 20

/** An order, as pages and commands show it. Amounts in minor units. */
export interface Order {
  id: string
  account_id: string
  event_id: string
  /** What people name it by. */
  reference: string
  /** `cancelled`: all of it that was confirmed was cancelled or refunded since. */
  status: (typeof orderStatuses)[number] | 'cancelled'
  waits_for: OrderRow['waits_for']
  failed_for: OrderRow['failed_for']
  buyer: { name: string; email: string }
  invoice: Invoice
  language: Language
  currency: string
  amount_total: number
  /** Those that the buyer accepted, in Markdown, as they were. */
  terms: string | null
  /** Of its links. */
  secret_version: number
  /** When its places are given back, while it is pending. */
  expires_at: string | null
  confirmed_at: string | null
  failed_at: string | null
  created_at: string
}

/** An order with its registrations: one a line. */
export interface OrderDetails extends Order {
  registrations: Registration[]
  /** By ticket. */
  prices: ReadonlyMap<string, TicketPrice>
}

export function presentOrder(row: OrderRow): Order {
  const { id, account_id, event_id, reference, status, waits_for, failed_for, language } = row
  const isOver = status === 'confirmed' && row.standing === 0
  return {
    ...{ id, account_id, event_id, reference, waits_for, failed_for, language },
    status: isOver ? 'cancelled' : status,
    buyer: { name: row.buyer_name, email: row.buyer_email },
    invoice: { company: row.buyer_company, address: row.buyer_address, vat_id: row.buyer_vat_id },
    currency: row.currency,
    amount_total: row.amount_total,
    terms: row.terms,
    secret_version: row.secret_version,
    expires_at: toIsoOrNull(row.expires_at),
    confirmed_at: toIsoOrNull(row.confirmed_at),
    failed_at: toIsoOrNull(row.failed_at),
    created_at: toIso(row.created_at),
  }
}
