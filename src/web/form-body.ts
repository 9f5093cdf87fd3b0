import type { IncomingMessage } from 'node:http'
import { receive } from '../http/receiving.ts'
import { Problem } from '../problem.ts'

/** Bytes. The longest form has 100 tickets and texts of 20,000 characters, each escaped. */
const MAX_BODY = 1024 * 1024
const MAX_FIELDS = 2000
const URLENCODED = /^application\/x-www-form-urlencoded *(; *charset="?utf-8"? *)?$/i

/**
 * Reads what a form without files sends.
 *
 * @param makeRoom see `receive`
 * @throws Problem unsupported_media_type, payload_too_large; invalid_parameter for more fields than any form has
 */
export async function readFormBody(
  request: IncomingMessage,
  makeRoom: (bytes: number) => void,
): Promise<URLSearchParams> {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': chunked } = request.headers
  if (chunked === undefined && (length === undefined || length === '0')) return new URLSearchParams()
  if (!URLENCODED.test(type ?? '')) throw new Problem('unsupported_media_type')
  const size = length === undefined ? undefined : Number(length)
  const text = (await receive(request, size, MAX_BODY, makeRoom)).toString()
  let fields = 0
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    if (++fields >= MAX_FIELDS)
      throw new Problem('invalid_parameter', { message: 'The form has too many fields.' })
  }
  return new URLSearchParams(text)
}
