import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Problem } from '#base/problem.ts'
import { receive } from './receiving.ts'
import { valuesOf } from './sent-headers.ts'

/** The bytes of the largest body. */
export const MAX_BODY = 1024 * 1024

const NOTHING = Buffer.alloc(0)
const JSON_TYPE = /^application\/json *(; *charset="?utf-8"? *)?$/i

/**
 * Reads the raw body, and stops reading at 1 MiB.
 *
 * @param makeRoom gets the number of bytes before they are kept, and throws if there is no room
 * @throws Problem payload_too_large; unsupported_media_type for a body that is not sent as plain JSON, or as two types; the one
 *   of `makeRoom`
 */
export async function readBody(request: IncomingMessage, makeRoom: (bytes: number) => void): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': chunked, 'content-type': type } = request.headers
  if (chunked === undefined && (length === undefined || length === '0')) return NOTHING
  const encoding = request.headers['content-encoding']
  // Node keeps the first of several headers.
  const isOneType = new Set(valuesOf(request, 'content-type')).size <= 1
  if (!isOneType || !JSON_TYPE.test(type ?? '') || (encoding !== undefined && encoding !== 'identity')) {
    throw new Problem('unsupported_media_type')
  }
  return receive(request, length === undefined ? undefined : Number(length), MAX_BODY, makeRoom)
}

/** The most values of a body: about twenty times as many as the largest legal body has. */
const MAX_VALUES = 10_000

const [QUOTE, COMMA, BRACKET, BACKSLASH, BRACE] = Buffer.from('",[\\{')

/** Parses a body. @throws Problem malformed_json, invalid_parameter for a body with too many values */
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
 * Returns whether a body has too many values. Making a million objects, or an object with a hundred thousand keys, takes much
 * longer than reading the text. So the values are counted first: each is the first of a list or object, or comes after a comma.
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
