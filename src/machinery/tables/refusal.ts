import { type Fault, tell } from '../faults.ts'
import { Problem } from '../problem.ts'

/**
 * What is wrong with an upload, or with the choice of its columns: `details.fault` says it in no language.
 *
 * @param more `line`, where it is; `reason`, where the fault is of no single column
 */
export function refusal(param: string, fault: Fault, more: { line?: number; reason?: string } = {}): Problem {
  return new Problem('invalid_parameter', { message: tell(param, fault), param, details: { fault, ...more } })
}
