import * as v from 'valibot'
import { type FaultAt, faultsOf, MAX_FAULTS, makeFault, tell } from '#base/faults.ts'
import { closedObject } from '#base/fields.ts'
import { type Issue, Problem } from '#base/problem.ts'

/** An operation without a body accepts only this body, if the client sends one. */
export const emptyBody = closedObject({})

/**
 * Reads the query as an object without a prototype, and checks it against its schema.
 *
 * @throws Problem as `validate` does; repeated parameters come first
 */
export function readQuery<Output>(schema: v.GenericSchema<unknown, Output>, querystring: string): Output {
  const query: Record<string, string> = Object.create(null)
  const repeated = new Set<string>()
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (Object.hasOwn(query, name)) repeated.add(name)
    else query[name] = value
  }
  if (repeated.size === 0) return validate(schema, query)
  const faults: FaultAt[] = [...repeated].map(path => ({ path, fault: makeFault('repeated') }))
  const { issues } = v.safeParse(schema, query, EACH_FIELD)
  const others = issues === undefined ? [] : faultsOf(issues)
  throw refusal([...faults, ...others.filter(({ path }) => path === null || !repeated.has(path))])
}

/**
 * Validates input against its schema.
 *
 * @throws Problem unknown_parameter or invalid_parameter; `param` is the dotted path of the first fault, and `details.issues`
 *   lists the faults, `MAX_FAULTS` at most
 */
export function validate<Output>(schema: v.GenericSchema<unknown, Output>, input: unknown): Output {
  const result = v.safeParse(schema, input, EACH_FIELD)
  if (result.success) return result.output
  throw refusal(faultsOf(result.issues))
}

/** Only the first fault of each field counts. A value that is too long is not checked any further. */
const EACH_FIELD = { abortPipeEarly: true }

function refusal(faults: readonly FaultAt[]): Problem {
  const issues = faults.slice(0, MAX_FAULTS).map(describe)
  const key = faults[0]?.fault.key
  const code = key === 'unknown' || key === 'misspelt' ? 'unknown_parameter' : 'invalid_parameter'
  return new Problem(code, { ...issues[0], details: { issues } })
}

/** The path is null if the fault concerns the whole body. */
function describe({ path, fault }: FaultAt): Issue {
  if (path === null) return { message: tell('The body', fault) }
  const param = path.slice(0, 100).toWellFormed()
  return { param, message: tell(param, fault) }
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

/** @throws Problem invalid_idempotency_key */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !IDEMPOTENCY_KEY.test(header))
    throw new Problem('invalid_idempotency_key')
  return header
}
