import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import * as v from 'valibot'
import { type FaultAt, faultsOf, MAX_FAULTS, makeFault, tell } from '../faults.ts'
import { closedObject } from '../fields.ts'
import { receive } from '../http/receiving.ts'
import { valuesOf } from '../http/sent-headers.ts'
import { type Issue, Problem } from '../problem.ts'

/** Bytes of the largest body. */
export const MAX_BODY = 1024 * 1024

const NOTHING = Buffer.alloc(0)
const JSON_TYPE = /^application\/json *(; *charset="?utf-8"? *)?$/i

/**
 * Reads the raw body, and stops reading at 1 MiB.
 *
 * @param makeRoom called with the number of bytes before they are kept; throws if there is no room
 * @throws Problem payload_too_large; unsupported_media_type for a body that is not sent as plain JSON, or as two types; the
 *   one of `makeRoom`
 */
export async function readBody(request: IncomingMessage, makeRoom: (bytes: number) => void): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': chunked, 'content-type': type } = request.headers
  if (chunked === undefined && (length === undefined || length === '0')) return NOTHING
  const encoding = request.headers['content-encoding']
  // Node keeps the first of several.
  const isOneType = new Set(valuesOf(request, 'content-type')).size <= 1
  if (!isOneType || !JSON_TYPE.test(type ?? '') || (encoding !== undefined && encoding !== 'identity')) {
    throw new Problem('unsupported_media_type')
  }
  return receive(request, length === undefined ? undefined : Number(length), MAX_BODY, makeRoom)
}

/** Values of a body: some twenty times as many as the largest legal body has. */
const MAX_VALUES = 10_000

/** The only body of an operation without one, if any is sent. */
export const emptyBody = closedObject({})

const [QUOTE, COMMA, BRACKET, BACKSLASH, BRACE] = Buffer.from('",[\\{')

/** @throws Problem malformed_json, invalid_parameter for a body of too many values */
export function parseJson(bytes: Buffer): unknown {
  if (hasTooManyValues(bytes)) {
    const message = `The body has more than ${MAX_VALUES.toLocaleString('en')} values.`
    throw new Problem('invalid_parameter', { message })
  }
  try {
    if (!isUtf8(bytes)) throw new SyntaxError('not UTF-8')
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Problem('malformed_json')
  }
}

/**
 * Making a million objects, or an object of a hundred thousand keys, takes much longer than reading the text, so they are
 * counted first: each value is the first of a list or object, or comes after a comma.
 */
function hasTooManyValues(bytes: Buffer): boolean {
  // The shortest value with its comma has two bytes.
  if (bytes.length < 2 * MAX_VALUES) return false
  let values = 0
  let quoted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) quoted = !quoted
    else if (quoted) {
      if (byte === BACKSLASH) at++
    } else if (byte === COMMA || byte === BRACKET || byte === BRACE) {
      values++
      if (values > MAX_VALUES) return true
    }
  }
  return false
}

/**
 * Reads the query as an object without a prototype, and checks it against its schema.
 *
 * @throws Problem as `validate`; the parameters that are there twice come first
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
 * @throws Problem unknown_parameter, invalid_parameter, with the dotted path of the first fault as `param`, and each fault in
 *   `details.issues`, to the most
 */
export function validate<Output>(schema: v.GenericSchema<unknown, Output>, input: unknown): Output {
  const result = v.safeParse(schema, input, EACH_FIELD)
  if (result.success) return result.output
  throw refusal(faultsOf(result.issues))
}

/** Of a field the first fault alone: what is too long is looked at no further. */
const EACH_FIELD = { abortPipeEarly: true }

function refusal(faults: readonly FaultAt[]): Problem {
  const issues = faults.slice(0, MAX_FAULTS).map(describe)
  const key = faults[0]?.fault.key
  const code = key === 'unknown' || key === 'misspelt' ? 'unknown_parameter' : 'invalid_parameter'
  return new Problem(code, { ...issues[0], details: { issues } })
}

/** The path is null for the whole body. */
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
