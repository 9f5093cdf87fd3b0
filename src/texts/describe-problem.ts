import type { Problem } from '../../problem.ts'
import type { problems } from './en/problems.ts'

/**
 * What a page says of a Problem: by its code, of one with `details.reason` by that, or as it came where the catalogue has
 * nothing of its own.
 */
export function tellProblem(
  { problems: told }: { problems: typeof problems },
  { code, details = {}, message }: Told,
): string {
  const reason = typeof details.reason === 'string' ? told.reasons[details.reason] : undefined
  const ofReason = typeof reason === 'function' ? reason(details) : reason
  return ofReason ?? told.tell[code]?.(details) ?? message
}

/** A Problem, or what a cookie carries of it. */
type Told = Pick<Problem, 'code' | 'details' | 'message'>
