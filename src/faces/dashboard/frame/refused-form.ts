import type { Fault } from '#base/faults.ts'
import { Problem, type ProblemCode } from '#base/problem.ts'
import { DatabaseUnavailable } from '#machinery/db/port.ts'
import type { FieldFault, Fields, FormState } from '#machinery/web/forms/form.ts'

/** What a form learns about its refusal. */
export type Refused = Partial<Pick<FormState, 'faults' | 'problem'>>

/** These Problems concern the page itself, not what its form contains. */
const ofPage: ReadonlySet<ProblemCode> = new Set(['not_found', 'not_allowed', 'internal_error', 'signed_out'])

/**
 * Returns the Problem that a form shows with all that was typed. A busy database counts too.
 *
 * @throws every error that is not for the form, unchanged
 */
export function problemOfForm(error: unknown): Problem {
  if (error instanceof DatabaseUnavailable) return new Problem('unavailable')
  if (error instanceof Problem && (error.param !== undefined || !ofPage.has(error.code))) return error
  throw error
}

/** Puts a Problem beside the field that it names, or above all fields. A fault of a value is told in the reader's language. */
export function placeProblem(fields: Fields, problem: Problem, fieldOf = (param: string) => param): Refused {
  const name = problem.param === undefined ? undefined : fieldOf(problem.param)
  if (name === undefined || !(name in fields)) return { problem }
  const fault = problem.details?.fault as Fault | undefined
  return { faults: new Map<string, FieldFault>([[name, fault === undefined ? { problem } : { fault }]]) }
}
