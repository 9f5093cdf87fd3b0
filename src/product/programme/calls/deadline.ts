import { MINUTE } from '#base/time.ts'
import type { Call } from './schemas.ts'

/** For how long after the end a form is taken that was begun before it, in milliseconds. */
export const GRACE = 10 * MINUTE

/**
 * Returns the first instant that is too late. People read a deadline as a minute, and are in time while their clock shows it.
 *
 * @param closesAt the deadline, in milliseconds
 */
export function endOf(closesAt: number): number {
  return Math.floor(closesAt / MINUTE) * MINUTE + MINUTE
}

/** Where a call stands. */
export type Phase = 'before' | 'open' | 'over'

export function phaseOf({ opens_at, closes_at }: Pick<Call, 'opens_at' | 'closes_at'>, now: number): Phase {
  if (now < Date.parse(opens_at)) return 'before'
  return now < endOf(Date.parse(closes_at)) ? 'open' : 'over'
}

/** What tells visitors of an event where its call stands. */
export interface CallState extends Pick<Call, 'opens_at' | 'closes_at' | 'zone'> {
  phase: Phase
  /** Until when it stands there, in milliseconds; null if for good. */
  until: number | null
}

export function stateOf(call: Pick<Call, 'opens_at' | 'closes_at' | 'zone'>, now: number): CallState {
  const { opens_at, closes_at, zone } = call
  const phase = phaseOf(call, now)
  const until = { before: Date.parse(opens_at), open: endOf(Date.parse(closes_at)), over: null }[phase]
  return { opens_at, closes_at, zone, phase, until }
}

/** Returns the deadline for one person: that of the call, or a later one of their own. */
export function deadlineFor({ closes_at }: Pick<Call, 'closes_at'>, lateUntil: string | null): string {
  return lateUntil !== null && Date.parse(lateUntil) > Date.parse(closes_at) ? lateUntil : closes_at
}

/** When a request came, in milliseconds. */
export interface Arrival {
  /** When it began to come in. A slow network makes nobody late. */
  begunAt: number
  /** When its form was shown to the person. */
  shownAt?: number | undefined
  /** Until when the call is open for this person alone. */
  lateUntil: number | null
}

/** Returns whether a call takes what somebody has sent. */
export function isInTime(
  call: Pick<Call, 'opens_at' | 'closes_at'>,
  { begunAt, shownAt, lateUntil }: Arrival,
): boolean {
  const end = endOf(Date.parse(call.closes_at))
  if (begunAt < Date.parse(call.opens_at)) return false
  if (begunAt < end || (lateUntil !== null && begunAt < endOf(lateUntil))) return true
  return shownAt !== undefined && shownAt < end && begunAt < end + GRACE
}
