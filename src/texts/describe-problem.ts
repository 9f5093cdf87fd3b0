import type { Problem } from '#base/problem.ts'
import type { problems } from './en/problems.ts'

/**
 * Returns what a page says about a Problem. `details.reason` decides if it is known, and otherwise the code does. If the
 * catalogue has no text, the message of the Problem stays.
 */
export function describeProblem(
  { problems: texts }: { problems: typeof problems },
  { code, details = {}, message }: DescribedProblem,
): string {
  const reason = typeof details.reason === 'string' ? texts.reasons[details.reason] : undefined
  const ofReason = typeof reason === 'function' ? reason(details) : reason
  return ofReason ?? texts.tell[code]?.(details) ?? message
}

/** A Problem, or the part of it that a cookie carries. */
type DescribedProblem = Pick<Problem, 'code' | 'details' | 'message'>
