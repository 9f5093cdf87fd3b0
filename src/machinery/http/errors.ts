import { allProblems, Problem } from '#base/problem.ts'
import { DatabaseUnavailable } from '#machinery/db/port.ts'

/**
 * Returns the body of an error: specification section 7, with `param` and `details` if there are any. If a value is wrong,
 * `details.issues` describes it, even if it is the only one.
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

/** Returns the part of any error that a caller may know. The rest belongs in the log. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem(error instanceof DatabaseUnavailable ? 'unavailable' : 'internal_error')
}
