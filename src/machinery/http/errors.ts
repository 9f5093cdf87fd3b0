import { DatabaseUnavailable } from '../db/port.ts'
import { allProblems, Problem } from '../problem.ts'

/**
 * The body of an error: specification section 7, with `param` and `details` where there are any. Where a value is wrong,
 * `details.issues` tells of it, also where it is the only one.
 */
export function errorBody(problem: Problem, requestId: string): string {
  const { code, message, param } = problem
  const isOfValue = code === 'invalid_parameter' || code === 'unknown_parameter'
  const details = problem.details ?? (isOfValue ? { issues: [{ param, message }] } : undefined)
  return JSON.stringify({
    error: { type: allProblems[code][1], code, message, param, details, request_id: requestId },
  })
}

export function statusOf(problem: Problem): number {
  return allProblems[problem.code][0]
}

/** What a caller may know of any error. The rest belongs in the log. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem(error instanceof DatabaseUnavailable ? 'unavailable' : 'internal_error')
}
