import { DatabaseUnavailable } from '../db/port.ts'
import type { Fault } from '../faults.ts'
import { Problem, type ProblemCode } from '../problem.ts'
import type { FieldFault, Fields, FormState } from '../web/forms/form.ts'

/** What a form is told of its refusal. */
export type Refused = Partial<Pick<FormState, 'faults' | 'problem'>>

/** They are about the page itself, not about what its form has. */
const ofPage: ReadonlySet<ProblemCode> = new Set(['not_found', 'not_allowed', 'internal_error', 'signed_out'])

/**
 * The Problem that a form shows, with all that was typed: also where the database is busy.
 *
 * @throws what is not for the form, as it came
 */
export function problemOfForm(error: unknown): Problem {
  if (error instanceof DatabaseUnavailable) return new Problem('unavailable')
  if (error instanceof Problem && (error.param !== undefined || !ofPage.has(error.code))) return error
  throw error
}

/** Puts a Problem beside the field that it names, or above all of them: what is wrong with a value, in the reader's language. */
export function placeProblem(fields: Fields, problem: Problem, fieldOf = (param: string) => param): Refused {
  const name = problem.param === undefined ? undefined : fieldOf(problem.param)
  if (name === undefined || !(name in fields)) return { problem }
  const fault = problem.details?.fault as Fault | undefined
  return { faults: new Map<string, FieldFault>([[name, fault === undefined ? { problem } : { fault }]]) }
}
