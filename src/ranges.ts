import { makeFault, tell } from './faults.ts'
import { Problem } from './problem.ts'

/**
 * Refuses a row of which one instant is before another; either may be open.
 *
 * @throws Problem invalid_parameter for `later`, with `details.fault` for other languages
 */
export function refuseBefore<Later extends string, Earlier extends string>(
  row: Readonly<Record<Later | Earlier, number | null>>,
  later: Later,
  earlier: Earlier,
): void {
  const [end, start] = [row[later], row[earlier]]
  if (end === null || start === null || end >= start) return
  const fault = makeFault('before', { field: earlier })
  throw new Problem('invalid_parameter', { param: later, message: tell(later, fault), details: { fault } })
}
