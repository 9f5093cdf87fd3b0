import { inBatches, type Reader } from '#machinery/db/batches.ts'
import { INSTANCE, type InstanceReadTx } from '#machinery/db/port.ts'
import { isBrought } from './payment-store.ts'
import { type Id, type Rule, rule } from './store.ts'

/** Lists the rules of what must not be found in registrations whose money goes back, with the sentence for each. */
export const refundRules: readonly Rule<never>[] = [
  rule<Id & { refunded: number; order_id: string }>(
    `SELECT r.id, r.order_id, r.refunded_amount AS refunded FROM registrations r
     WHERE r.order_id IS NOT NULL AND r.refunded_amount > 0 AND NOT ${isBrought('r')}
       AND NOT EXISTS (SELECT 1 FROM refunds f JOIN attendees a ON a.registration_id = r.id
         WHERE f.account_id = r.account_id AND f.order_id = r.order_id AND f.tickets LIKE '%' || a.id || '%')`,
    ({ id, refunded, order_id }) =>
      `registration ${id} says ${refunded} refunded, and order ${order_id} has no refund of it`,
  ),
]

/** What money goes back for: an order, or a registration without one. */
export type SubjectColumn = 'order_id' | 'registration_id'

interface Subject {
  account_id: string
  id: string
}

export interface RefundRow extends Subject {
  refund_id: string
  status: string
  reason: string
  method: string
  currency: string
  amount: number
  tickets: string | null
  call: string | null
  trouble: string | null
  created_at: number
  ended_at: number | null
}

export interface TicketRow extends Subject {
  ticket_id: string
  registration_id: string
  /** What it cost, in minor units; null outside of orders. */
  paid: number | null
  refunded_amount: number | null
  refunded_at: number | null
}

/** The refunds of some subjects, and all tickets of these. */
export interface RefundedBatch {
  refunds: RefundRow[]
  tickets: TicketRow[]
}

/** One batch has so many subjects. Each has a few refunds, and at most a hundred tickets. */
const BATCH = 200

/** Reads all orders, or registrations without one, that money goes back for, with all of their tickets. */
export async function* walkRefunded(reader: Reader, column: SubjectColumn): AsyncGenerator<RefundedBatch> {
  const read = async (tx: InstanceReadTx, last: Subject | undefined, size: number) => {
    const after = [last?.account_id ?? '', last?.id ?? '']
    const subjects = await tx.all<Subject>(
      `SELECT DISTINCT f.account_id, f.${column} AS id FROM refunds f WHERE f.${column} IS NOT NULL
         AND (f.account_id, f.${column}) > ($1, $2) ORDER BY f.account_id, f.${column} LIMIT $3`,
      [...after, size],
    )
    const end = subjects.at(-1)
    if (end === undefined) return []
    const span = [...after, end.account_id, end.id]
    const refunds = await tx.all<RefundRow>(
      `SELECT f.account_id, f.${column} AS id, f.id AS refund_id, f.status, f.reason, f.method, f.currency, f.amount, f.tickets,
         f.call, f.trouble, f.created_at, f.ended_at FROM refunds f WHERE f.${column} IS NOT NULL
         AND (f.account_id, f.${column}) > ($1, $2) AND (f.account_id, f.${column}) <= ($3, $4)`,
      span,
    )
    const tickets = await tx.all<TicketRow>(TICKETS[column], span)
    return [{ ...end, refunds, tickets }]
  }
  for await (const batches of inBatches(reader, INSTANCE, BATCH, read)) yield* batches
}

const TICKET =
  'a.id AS ticket_id, a.registration_id, a.price - a.discount AS paid, r.refunded_amount, r.refunded_at'

const TICKETS: Readonly<Record<SubjectColumn, string>> = {
  order_id: `SELECT r.account_id, r.order_id AS id, ${TICKET} FROM registrations r JOIN attendees a ON a.registration_id = r.id
    WHERE r.order_id IS NOT NULL AND (r.account_id, r.order_id) > ($1, $2) AND (r.account_id, r.order_id) <= ($3, $4)
      AND EXISTS (SELECT 1 FROM refunds f WHERE f.account_id = r.account_id AND f.order_id = r.order_id)`,
  registration_id: `SELECT r.account_id, r.id, ${TICKET} FROM (SELECT DISTINCT f.registration_id FROM refunds f
      WHERE f.registration_id IS NOT NULL AND (f.account_id, f.registration_id) > ($1, $2)
        AND (f.account_id, f.registration_id) <= ($3, $4)) s
    JOIN registrations r ON r.id = s.registration_id JOIN attendees a ON a.registration_id = r.id`,
}
