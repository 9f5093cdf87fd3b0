import {
  allowsMore,
  dayNumber,
  dayOf,
  type EntryRule,
  holderAt,
  insideAt,
  NO_DAY,
  type Span,
} from '#product/entrance/check-ins/entry-rule.ts'
import type { First, SlotRow, TicketRow, TypeRow } from './contract.ts'
import { withUse } from './ticket-rows.ts'

/** Says how the admission of a ticket that was in before is shown. */
export type Later = { day: number } | { leftAt: string }

/** Knows the rule of a ticket's type, by which the page decides like the server. */
export interface Rule extends EntryRule {
  timezone: string
  /** The ticket is valid from this instant on. */
  from: string | null
}

/** Returns the rule of a type that allows more than one entry, or undefined for any other. */
export function ruleOf(type: TypeRow | undefined, timezone: string | undefined): Rule | undefined {
  if (type === undefined || timezone === undefined) return undefined
  const { entries = 'once', reentry = false, valid_from: from } = type
  return allowsMore({ entries, reentry }) ? { entries, reentry, from, timezone } : undefined
}

/** Returns the last entry of a ticket. A check-in from before its type allowed more is one. */
function spansOf(row: TicketRow): Span[] {
  const slot = row[8]
  if (slot == null) return row[6] === null ? [] : [{ at: Date.parse(row[6]), leftAt: null }]
  const [, , isInside, at, leftAt] = slot
  return [{ at: Date.parse(at), leftAt: isInside || leftAt === null ? null : Date.parse(leftAt) }]
}

/** Returns when and where the entry began that an admission would double, or null if its slot is free. */
export function usedFirst(row: TicketRow, rule: Rule, now: number): First | null {
  if (holderAt(rule, spansOf(row), now, rule.timezone) === undefined) return null
  const slot = row[8]
  return slot == null ? { at: row[6] as string, door: row[7] } : { at: slot[3], door: slot[5] }
}

/** Returns why an exit ends nothing, or undefined if it ends an entry. */
export function whyNotLeft(row: TicketRow, rule: Rule | undefined, now: number): string | undefined {
  if (rule?.reentry !== true) return 'no_reentry'
  return insideAt(rule, spansOf(row), now, rule.timezone) === undefined ? 'not_inside' : undefined
}

/** Returns the day on which the guest is inside, which is empty if days do not count. It returns undefined if the guest is not. */
export function insideOn(
  row: TicketRow,
  rule: Rule | undefined,
): { day: string; door: string | null } | undefined {
  if (rule === undefined) return row[6] === null ? undefined : { day: '', door: row[7] }
  const [span] = spansOf(row)
  if (span === undefined || span.leftAt !== null) return undefined
  const day = dayOf(rule, span.at, rule.timezone)
  return { day: day === NO_DAY ? '' : day, door: row[8] == null ? row[7] : row[8][5] }
}

/** Returns the ticket after its guest has come in. */
export function entered(row: TicketRow, rule: Rule, { at, door }: { at: string; door: string }): TicketRow {
  const day = dayOf(rule, Date.parse(at), rule.timezone)
  const [before, exits, , , leftAt] = row[8] ?? ['', 0, false, '', null, null]
  const isSame = before === day
  return withSlot(row, [day, isSame ? exits : 0, true, at, isSame ? leftAt : null, door])
}

/** Returns the ticket after its guest has left, if the guest was inside. */
export function exited(row: TicketRow, rule: Rule, at: string): TicketRow {
  const slot = row[8]
  if (slot == null || whyNotLeft(row, rule, Date.parse(at)) !== undefined) return row
  const [day, exits, , enteredAt, , door] = slot
  return withSlot(row, [day, exits + 1, false, enteredAt, at, door])
}

/**
 * Returns the ticket after something that this door did with it was taken back, or undefined if the ticket does not know of it.
 *
 * @param leftAt the instant of an exit; undefined for an admission
 */
export function clearedOf(
  row: TicketRow,
  {
    leftAt,
    isMore,
    parts,
  }: { leftAt: string | undefined; isMore: boolean; parts: { isHere(door: string | null): boolean } },
): TicketRow | undefined {
  if (leftAt !== undefined) return isMore ? stillInside(row, leftAt) : undefined
  if (row[6] === null || !parts.isHere(row[8]?.[5] ?? row[7])) return undefined
  return isMore ? takenBack(row) : withUse(row, null, null)
}

/** Returns the ticket of a guest who has not left after all. */
function stillInside(row: TicketRow, leftAt: string): TicketRow | undefined {
  const slot = row[8]
  if (slot == null || slot[2] || slot[4] !== leftAt) return undefined
  return withSlot(row, [slot[0], slot[1] - 1, true, slot[3], null, slot[5]])
}

/** Returns the ticket after its last entry was taken back. */
function takenBack(row: TicketRow): TicketRow {
  const slot = row[8]
  if (slot?.[4] != null) return withSlot(row, [slot[0], slot[1], false, slot[3], slot[4], slot[5]])
  const [id, type, state, name, seat, owes, usedAt, usedBy, , ...rest] = row
  const isFirst = slot == null || usedAt === slot[3]
  return [id, type, state, name, seat, owes, isFirst ? null : usedAt, isFirst ? null : usedBy, null, ...rest]
}

function withSlot(row: TicketRow, slot: SlotRow): TicketRow {
  const [id, type, state, name, seat, owes, usedAt, usedBy, , ...rest] = row
  const used = [usedAt ?? slot[3], usedAt === null ? slot[5] : usedBy] as const
  return [id, type, state, name, seat, owes, ...used, slot, ...rest]
}

/** Returns how the last entry of a ticket is shown, if it is a later one. */
export function laterOf(row: TicketRow, rule: Rule): Later | undefined {
  const slot = row[8]
  if (slot == null || !slot[2]) return undefined
  const [day, , , at, leftAt] = slot
  if (leftAt !== null) return { leftAt }
  if (rule.entries !== 'each_day' || row[6] === null || row[6] === at) return undefined
  return { day: dayNumber(day, Date.parse(rule.from ?? row[6]), rule.timezone) }
}
