import { type Fault, tell } from '../faults.ts'
import { Problem } from '../problem.ts'

/** What is wrong with an upload, or with the choice of its columns: `details.fault` says it in no language, `details.line` where. */
export function refusal(param: string, fault: Fault, line?: number): Problem {
  const details = line === undefined ? { fault } : { fault, line }
  return new Problem('invalid_parameter', { message: tell(param, fault), param, details })
}
