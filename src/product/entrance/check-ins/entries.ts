import { type Admitted, refusalOf } from './admission.ts'
import { type DoorRecord, NOT_INSIDE } from './door-record.ts'
import { type Entry, endOf, nextSlot, ruleOf, spanOf, toEntry, toRow } from './entry-days.ts'
import { allowsMore, holderAt, insideAt, ofDay } from './entry-rule.ts'
import type { EntryRow } from './entry-store.ts'
import type { ScanRow, StandingRow } from './scan-store.ts'
import type { TicketRow } from './store.ts'

/*
 * The entries of tickets that may have more than one. A ticket has one check-in, which its first admission makes; each admission,
 * also the first, holds one entry. The first scan that reaches the server holds an entry, whatever its time. Who was admitted
 * beside it is a conflict, and takes its place if it is taken back, or an entry of its own once an exit is known that lay between
 * the two, whichever of them was first.
 */

/** A ticket has at most this many entries, so that a stolen phone cannot make each scan of it slow. */
const MOST_ENTRIES = 500

/** The reason of an admission while another one holds the entry. */
export const USED = 'already_checked_in'

/** Returns whether a ticket has nothing but its check-in. */
export function isPlain(ticket: TicketRow): boolean {
  return !allowsMore(ruleOf(ticket)) && ticket.has_entries === 0
}

/**
 * Lists the entries of a ticket in their order. A check-in from before its type allowed more than one entry is the entry of its
 * own day.
 */
async function listEntries(record: DoorRecord, ticket: TicketRow): Promise<Entry[]> {
  const rows = (await record.listEntries(ticket)).map(toEntry)
  const { checked_in_at: at, held_by: scan_id, timezone } = ticket
  const isThere = rows.some(row => row.scan_id === scan_id && (scan_id !== null || row.at === at))
  if (at === null || isThere || holderAt(ruleOf(ticket), rows, at, timezone) !== undefined) return rows
  const row = { slot: nextSlot(ticket, rows, at), scan_id, entered_at: at, left_scan_id: null, left_at: null }
  await record.putEntry(ticket, row)
  return [...rows, toEntry(row)].sort((one, other) => one.at - other.at)
}

/** Returns when the entry began that an admission at an instant would double, or null if there is none. */
export async function usedAt(record: DoorRecord, ticket: TicketRow, at: number): Promise<number | null> {
  if (isPlain(ticket)) return ticket.checked_in_at
  const rows = await listEntries(record, ticket)
  const holder = holderAt(ruleOf(ticket), rows, at, ticket.timezone)
  if (rows.length >= MOST_ENTRIES) return holder?.at ?? rows.at(-1)?.at ?? null
  return holder === undefined || (await findExitBetween(record, ticket, at, holder)) ? null : holder.at
}

/**
 * Finds the exit that waits for an admission at an instant where the next entry is known already. An entry is no double of one
 * that began after its exit.
 */
async function findExitBetween(record: DoorRecord, ticket: TicketRow, at: number, next: Entry | undefined) {
  if (ticket.reentry === 0 || next === undefined || next.at <= at) return undefined
  return record.findExit(ticket, { from: at + 1, until: next.at + 1 })
}

/** Admits a valid ticket whose slot is free. Its first admission makes the check-in. */
export async function enter(record: DoorRecord, ticket: TicketRow, admitted: Admitted): Promise<void> {
  if (ticket.checked_in_at === null) await record.admit(ticket, admitted)
  if (isPlain(ticket)) return
  await begin(record, ticket, admitted)
  await settle(record, ticket, admitted.at)
}

/** Begins the entry of an admission. The next one of its day is free for it. */
export async function begin(
  record: DoorRecord,
  ticket: TicketRow,
  { at, scanId }: Pick<Admitted, 'at' | 'scanId'>,
): Promise<EntryRow> {
  const slot = nextSlot(ticket, await record.listEntries(ticket), at)
  const row = { slot, scan_id: scanId, entered_at: at, left_scan_id: null, left_at: null }
  await record.putEntry(ticket, row)
  return row
}

/**
 * Ends the entry of a guest who leaves. The next entry begins at that instant at the earliest: whoever was admitted after it,
 * and was a conflict, takes it.
 *
 * @returns the reason if nobody with the ticket is inside, or its type has no way back
 */
export async function leave(
  record: DoorRecord,
  ticket: TicketRow,
  exit: { id: string; at: number },
): Promise<string | null> {
  if (ticket.reentry === 0) return 'no_reentry'
  const rows = await listEntries(record, ticket)
  const inside = insideAt(ruleOf(ticket), rows, exit.at, ticket.timezone)
  const ended = inside === undefined ? await beginBefore(record, ticket, rows, exit.at) : toRow(inside)
  if (ended === undefined) return NOT_INSIDE
  await record.putEntry(ticket, { ...ended, left_scan_id: exit.id, left_at: exit.at })
  await settle(record, ticket, exit.at)
  return null
}

/** Lets the oldest conflict before an exit have the entry that this ends, where somebody else has the next entry already. */
async function beginBefore(
  record: DoorRecord,
  ticket: TicketRow,
  rows: readonly Entry[],
  at: number,
): Promise<EntryRow | undefined> {
  const day = ofDay(ruleOf(ticket), rows, at, ticket.timezone)
  const next = day.findIndex(row => row.at >= at)
  if (next === -1 || rows.length >= MOST_ENTRIES) return undefined
  const taker = await findTaker(record, ticket, { at, from: endOf(day[next - 1]), until: at })
  if (taker === undefined) return undefined
  await record.setFate(taker, { shown: taker.shown, outcome: 'admitted', reason: null })
  return begin(record, ticket, { at: taker.scanned_at, scanId: taker.id })
}

/**
 * Takes back the entry that an admission holds. It goes to the oldest admission that stands beside it; without one, its exit ended
 * nothing.
 *
 * @param scanId null for a check-in that no scan has made
 */
export async function takeBackEntry(
  record: DoorRecord,
  ticket: TicketRow,
  scanId: string | null,
): Promise<void> {
  const rows = await listEntries(record, ticket)
  const row = rows.find(each => each.scan_id === scanId)
  if (row === undefined) return
  const day = ofDay(ruleOf(ticket), rows, row.at, ticket.timezone)
  const before = day[day.indexOf(row) - 1]
  const taker = await findTaker(record, ticket, { at: row.at, from: endOf(before), until: row.leftAt })
  if (taker !== undefined) {
    await record.putEntry(ticket, { ...toRow(row), scan_id: taker.id, entered_at: taker.scanned_at })
    await record.setFate(taker, { shown: taker.shown, outcome: 'admitted', reason: null })
  } else {
    await record.removeEntry(ticket, row.slot)
    const exit = row.left_scan_id === null ? undefined : await record.findScan(row.left_scan_id)
    if (exit !== undefined)
      await record.release(exit, { shown: null, outcome: 'refused', reason: NOT_INSIDE })
  }
  await settle(record, ticket, row.at)
}

/**
 * Takes back an exit. The guest has been inside all the time: who was admitted after it doubles the entry, or is doubled by it if
 * the check-in is there.
 */
export async function takeBackExit(record: DoorRecord, exit: ScanRow): Promise<void> {
  const ticket = await record.findTicket(exit.attendee_id as string)
  if (ticket === undefined) return
  const rows = (await record.listEntries(ticket)).map(toEntry)
  const row = rows.find(({ left_scan_id }) => left_scan_id === exit.id)
  if (row === undefined) return
  const day = ofDay(ruleOf(ticket), rows, row.at, ticket.timezone)
  const next = day[day.indexOf(row) + 1]
  const isHeldNext = next !== undefined && next.scan_id === ticket.held_by
  const gone = isHeldNext ? row : next
  if (gone !== undefined) await record.removeEntry(ticket, gone.slot)
  if (!isHeldNext) {
    const { left_scan_id = null, left_at = null } = next ?? {}
    await record.putEntry(ticket, { ...toRow(row), left_scan_id, left_at })
  }
  const double = gone?.scan_id == null ? undefined : await record.findScan(gone.scan_id)
  if (double !== undefined) {
    const outcome = double.shown === 'admitted' ? 'conflict' : 'refused'
    await record.release(double, { shown: double.shown, outcome, reason: USED })
    await moveCheckIn(record, ticket, double.id)
  }
  await settle(record, ticket, row.at)
}

/** Gives the check-in that a scan held to the oldest entry that stands. */
export async function moveCheckIn(record: DoorRecord, ticket: TicketRow, scanId: string): Promise<void> {
  if (await record.removeCheckIn(ticket.attendee_id, scanId)) await renewCheckIn(record, ticket)
}

/** Gives the oldest entry of a ticket without a check-in its check-in. */
export async function renewCheckIn(record: DoorRecord, ticket: TicketRow): Promise<void> {
  const [oldest] = await record.listEntries(ticket)
  if (oldest === undefined) return
  const { entered_at: at, scan_id: scanId } = oldest
  await record.admit(ticket, { source: scanId === null ? 'api' : 'scanner', at, scanId })
}

/**
 * Goes on with the day of an instant as far as what is known says. While the guest is inside, the oldest exit that ended nothing
 * ends the entry, also where the next one is known already; while the guest is outside, the oldest conflict takes the next one.
 */
async function settle(record: DoorRecord, ticket: TicketRow, at: number): Promise<void> {
  const rule = ruleOf(ticket)
  for (;;) {
    const rows = (await record.listEntries(ticket)).map(toEntry)
    const day = ofDay(rule, rows, at, ticket.timezone)
    const last = day.at(-1)
    const open = day.findIndex(({ leftAt }) => leftAt === null)
    const between = await findExitBetween(record, ticket, day[open]?.at ?? at, day[open + 1])
    if (between !== undefined && day[open] !== undefined) {
      await end(record, ticket, day[open], between)
    } else if (await fillBefore(record, ticket, day, at)) {
      // The exit between the two ends it next.
    } else if (last === undefined || last.leftAt !== null) {
      const taker =
        rows.length < MOST_ENTRIES && (last === undefined || rule.reentry)
          ? await findTaker(record, ticket, { at, from: last?.leftAt ?? null, until: null })
          : undefined
      if (taker === undefined) return
      await begin(record, ticket, { at: taker.scanned_at, scanId: taker.id })
      await record.setFate(taker, { shown: taker.shown, outcome: 'admitted', reason: null })
    } else {
      const span = spanOf(ticket, at)
      const from = Math.max(span.from, last.at + 1)
      const exit = rule.reentry ? await record.findExit(ticket, { from, until: span.until }) : undefined
      if (exit === undefined) return
      await end(record, ticket, last, exit)
    }
  }
}

/**
 * Lets the oldest conflict have an entry before the one that begins after an instant, if an exit waits between the two.
 *
 * @returns whether there is one
 */
async function fillBefore(
  record: DoorRecord,
  ticket: TicketRow,
  day: readonly Entry[],
  at: number,
): Promise<boolean> {
  const number = day.findIndex(row => row.at > at)
  const [before, next] = [day[number - 1], day[number]]
  if (ticket.reentry === 0 || next === undefined || before?.leftAt === null) return false
  const taker = await findTaker(record, ticket, { at, from: endOf(before), until: next.at })
  if (taker === undefined || !(await findExitBetween(record, ticket, taker.scanned_at, next))) return false
  await begin(record, ticket, { at: taker.scanned_at, scanId: taker.id })
  await record.setFate(taker, { shown: taker.shown, outcome: 'admitted', reason: null })
  return true
}

/** Ends an entry by an exit that has waited for it. */
async function end(record: DoorRecord, ticket: TicketRow, entry: Entry, exit: StandingRow): Promise<void> {
  await record.putEntry(ticket, { ...toRow(entry), left_scan_id: exit.id, left_at: exit.scanned_at })
  await record.setFate(exit, { shown: null, outcome: 'left', reason: null })
}

/** Finds the oldest admission beside the entries that may hold one in a part of a day. */
async function findTaker(
  record: DoorRecord,
  ticket: TicketRow,
  { at, from, until }: { at: number; from: number | null; until: number | null },
) {
  const day = spanOf(ticket, at)
  const taker = await record.findStanding(ticket, {
    from: Math.max(day.from, from ?? Number.MIN_SAFE_INTEGER),
    until: Math.min(day.until, until ?? Number.MAX_SAFE_INTEGER),
  })
  const isGood =
    taker !== undefined && refusalOf({ ...ticket, checked_in_at: null }, taker.scanned_at) === undefined
  return isGood ? taker : undefined
}
