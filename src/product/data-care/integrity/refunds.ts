import type { Reader } from '#machinery/db/batches.ts'
import { MADE_THERE } from '#product/selling/payments/refund-cut.ts'
import { toStripe } from '#product/selling/payments/stripe/amounts.ts'
import { type RefundRow, type SubjectColumn, type TicketRow, walkRefunded } from './refund-store.ts'

const COLUMNS: readonly SubjectColumn[] = ['order_id', 'registration_id']

/** A refund, with the part of each ticket in it. Amounts are in minor units. */
interface Parted extends RefundRow {
  parts: ReadonlyMap<string, number>
}

/** Finds refunds that do not come to the parts of their tickets, and registrations that do not come to what goes back of them. */
export async function* findBadRefunds(reader: Reader): AsyncGenerator<string> {
  for (const column of COLUMNS) {
    for await (const batch of walkRefunded(reader, column)) {
      const tickets = groupBy(batch.tickets, ({ id }) => id)
      for (const [id, refunds] of groupBy(batch.refunds, refund => refund.id)) {
        const parted = refunds.map(refund => ({ ...refund, parts: partsOf(refund) }))
        yield* findFaults(parted, tickets.get(id) ?? [])
      }
    }
  }
}

function partsOf({ tickets }: RefundRow): Map<string, number> {
  const parts = Object.entries(JSON.parse(tickets ?? '{}') as Record<string, unknown>)
  // A part that is no number makes every sum with it wrong.
  return new Map(parts.map(([id, part]) => [id, typeof part === 'number' ? part : Number.NaN]))
}

function* findFaults(refunds: readonly Parted[], tickets: readonly TicketRow[]): Generator<string> {
  const isOfOrder = tickets.some(({ paid }) => paid !== null)
  const paid = sumOf(tickets.map(ticket => ticket.paid ?? 0))
  const isCut = refunds.some(isMadeThere) && mayBeCut(refunds, refunds)
  for (const refund of refunds) {
    const { refund_id: id, amount } = refund
    const own = sumOf(refund.parts.values())
    const parts = sumOf(refunds.filter(each => stoodAt(each, refund)).map(each => sumOf(each.parts.values())))
    const isUsedUp = !isOfOrder || isCut || parts >= paid
    const strange = [...refund.parts.keys()].find(part =>
      tickets.every(({ ticket_id }) => ticket_id !== part),
    )
    if (strange !== undefined) yield `refund ${id} is for ticket ${strange}, which is not of what it is for`
    else if (!(own <= amount)) yield `refund ${id} is of ${amount}, and the parts of its tickets are ${own}`
    // Only what is more than all tickets cost is of none of them.
    else if (own < amount && isOfTickets(refund) && !isUsedUp)
      yield `refund ${id} is of ${amount}, and the parts of its tickets are ${own}, though tickets of ${paid} have ${parts} refunded`
    yield* findCallFaults(refund)
  }
  if (isOfOrder) yield* findOverpaid(refunds, tickets)
  for (const [id, own] of groupBy(tickets, ticket => ticket.registration_id))
    yield* findRefundedFaults(id, own, refunds)
}

/** Tells whether a refund took from what could go back when another one was asked for. */
function stoodAt({ created_at, status, ended_at }: Parted, { created_at: at }: Parted): boolean {
  return created_at <= at && !(status === 'dropped' && (ended_at as number) < at)
}

function isMadeThere({ reason }: Parted): boolean {
  return reason === 'processor'
}

/**
 * Tells whether a refund that was made at the processor may have cut one of these. It leaves the others their rest and its parts.
 * One that it takes the place of is dropped as it is, unless another one had cut it before.
 */
function mayBeCut(some: readonly Parted[], all: readonly Parted[]): boolean {
  const isReplaced = ({ status, trouble }: Parted) => status === 'dropped' && trouble === MADE_THERE
  return all.filter(isMadeThere).length > 1 || some.some(each => !isMadeThere(each) && !isReplaced(each))
}

/** Money that went back for these reasons is shared out among the tickets, unless it declines a wrong amount. */
function isOfTickets({ reason, tickets }: RefundRow): boolean {
  return tickets !== null && ['organizer', 'buyer', 'withdrawn', 'event_cancelled'].includes(reason)
}

/** Compares a refund with the call that asks the processor for it. */
function* findCallFaults({
  refund_id: id,
  status,
  method,
  currency,
  amount,
  call,
}: Parted): Generator<string> {
  // A refund that did not get through may have been cut since, and asks for less when it is tried again.
  if (call === null || status !== 'requested') return
  const { parameters } = JSON.parse(call) as { parameters?: { amount?: unknown } }
  const asked = parameters?.amount
  const expected = method === 'stripe' ? toStripe(amount, currency) : amount
  if (asked !== undefined && asked !== expected)
    yield `refund ${id} is of ${amount}, and its call asks the processor for ${asked}`
}

/** Finds tickets of which more goes back than they cost. */
function* findOverpaid(refunds: readonly Parted[], tickets: readonly TicketRow[]): Generator<string> {
  const standing = refunds.filter(({ status }) => status !== 'dropped')
  for (const { ticket_id: id, paid } of tickets) {
    const back = sumOf(standing.map(({ parts }) => parts.get(id) ?? 0))
    if (paid !== null && back > paid) yield `ticket ${id} cost ${paid}, and refunds of ${back} are for it`
  }
}

/**
 * Compares what a registration says was refunded with the parts of its tickets. It says what went back, or was to go back, when
 * the last refund for it was asked for. What becomes of a refund later does not change it.
 */
function* findRefundedFaults(
  id: string,
  tickets: readonly TicketRow[],
  refunds: readonly Parted[],
): Generator<string> {
  const { id: of, refunded_amount: stated, refunded_at: at } = tickets[0] as TicketRow
  if (stated === null || at === null) return
  const partOf = ({ parts }: Parted) => sumOf(tickets.map(({ ticket_id }) => parts.get(ticket_id) ?? 0))
  const own = refunds.filter(({ parts }) => tickets.some(({ ticket_id }) => parts.has(ticket_id)))
  if (own.length === 0) return
  const last = Math.max(at, ...own.filter(refund => !isMadeThere(refund)).map(({ created_at }) => created_at))
  const isBefore = ({ created_at }: Parted) => created_at <= last
  const isDropped = ({ status, ended_at }: Parted) => status === 'dropped' && (ended_at as number) <= last
  // What happened in the same millisecond may have come before or after.
  const isUncertain = (refund: Parted) =>
    (isDropped(refund) && refund.ended_at === last) || (isMadeThere(refund) && refund.created_at === last)
  const least = sumOf(
    own.filter(each => isBefore(each) && !isDropped(each) && !isUncertain(each)).map(partOf),
  )
  const cut = refunds.filter(refund => isMadeThere(refund) && refund.created_at >= last)
  const more = mayBeCut(own, refunds) ? sumOf(cut.map(({ amount }) => amount)) : 0
  const most = least + sumOf(own.filter(isUncertain).map(partOf)) + more
  if (stated < least || stated > most)
    yield `registration ${id}${of === id ? '' : ` of order ${of}`} says ${stated} refunded, and the refunds of its tickets come to ${least === most ? least : `${least} to ${most}`}`
}

function sumOf(values: Iterable<number>): number {
  let sum = 0
  for (const value of values) sum += value
  return sum
}

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), [row])
    else group.push(row)
  }
  return groups
}
