import type { CodeFault } from './codes.ts'
import type { Signal } from './feedback.ts'
import type { Result } from './state.ts'

/**
 * What covers the screen: `again` is no answer about a ticket, but asks for another read or ignores one. At a way out a guest has
 * `left`, or else everything `stays` as it was.
 */
export type Kind = 'admitted' | 'used' | 'refused' | 'held' | 'undone' | 'again' | 'left' | 'stays'

export function kindOf({ outcome, reason, isExit }: Pick<Result, 'outcome' | 'reason' | 'isExit'>): Kind {
  if (outcome !== 'refused') return outcome
  if (isExit === true) return 'stays'
  if (reason === 'fragment' || reason === 'just_read') return 'again'
  return reason === 'already_checked_in' ? 'used' : outcome
}

export function signalOf(result: Result): Signal {
  const kind = kindOf(result)
  if (kind === 'again' || result.isAgain === true) return 'key'
  if (kind === 'left') return 'admitted'
  if (kind === 'stays') return 'used'
  return kind === 'admitted' || kind === 'used' ? kind : 'refused'
}

/**
 * Returns the result of a text that is not a scan.
 *
 * @param at the corrected time, in milliseconds
 * @param took in milliseconds
 */
export function faultResult(reason: CodeFault | 'just_read', at: number, took: number): Result {
  const nothing = { scanId: undefined, ticketId: undefined, row: undefined, type: undefined, first: null }
  return { outcome: 'refused', reason, at, took, isOwn: true, ...nothing }
}

/**
 * Returns what is shown if a code is read twice. A refusal of the same ticket stays. No admission is shown again, because whoever
 * handed the ticket on would be let in by it.
 */
export function againResult(standing: Result | undefined, again: Result): Result {
  const stays =
    standing !== undefined && standing.ticketId === again.ticketId && kindOf(standing) !== 'admitted'
  return stays ? { ...standing, isAgain: true } : again
}
