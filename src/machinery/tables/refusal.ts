import { type Fault, tell } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'

/**
 * Returns the Problem for an upload or for the choice of its columns. `details.fault` describes it in no language.
 *
 * @param more `line` is where it is, and `reason` is set if the fault belongs to no single column
 */
export function refusal(param: string, fault: Fault, more: { line?: number; reason?: string } = {}): Problem {
  return new Problem('invalid_parameter', { message: tell(param, fault), param, details: { fault, ...more } })
}
