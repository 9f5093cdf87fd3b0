import type { IncomingMessage } from 'node:http'
import type { Middleware } from 'koa'
import { Problem } from '#base/problem.ts'
import type { Context } from '#machinery/http/face.ts'

/** In bytes. The longest form has 100 tickets and texts of 20,000 characters, each escaped. */
const MAX_BODY = 1024 * 1024
const MAX_FIELDS = 2000
/**
 * The bytes that a piece of a body takes beside its content, which may be one byte. Until the last piece has come, they are a
 * chain. Bodies count twice, so this does too.
 */
const OF_PIECE = 8
/** The bytes for which room is made at a time. */
const STEP = 4 * 1024
const URLENCODED = /^application\/x-www-form-urlencoded *(; *charset="?utf-8"? *)?$/i

let reader: Promise<Middleware> | undefined

/**
 * Reads the body of a form without files.
 *
 * @param makeRoom gets the number of bytes before they are kept, and throws if there is no room
 * @throws Problem unsupported_media_type, payload_too_large; invalid_parameter for more fields than any form has; malformed_json
 *   if the connection breaks off; that of `makeRoom`
 */
export async function readFormBody(
  context: Context,
  makeRoom: (bytes: number) => void,
): Promise<URLSearchParams> {
  const { headers } = context.req
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': chunked } = headers
  if (chunked === undefined && (length === undefined || length === '0')) return new URLSearchParams()
  // A few compressed bytes may stand for very many.
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity'
  if (!URLENCODED.test(type ?? '') || !isPlain) throw new Problem('unsupported_media_type')
  const size = Number(length ?? 0)
  if (size > MAX_BODY) throw new Problem('payload_too_large')
  makeRoom(size)
  reader ??= openReader()
  const read = await reader
  const stop = countPieces(context.req, size, makeRoom)
  try {
    await read(context as never, async () => undefined)
  } catch (error) {
    throw problemOf(error)
  } finally {
    stop()
  }
  return parse(context.request.rawBody ?? '')
}

/** Has the reader loaded before the first form comes, in a turn of its own. Pages call this, because a form comes from one. */
export function expectForms(): void {
  if (reader === undefined)
    setImmediate(() => {
      reader ??= openReader()
    })
}

/** Loads the reader. Its own result for a body is not used, because it cuts and nests fields. */
async function openReader(): Promise<Middleware> {
  const { koaBody } = await import('koa-body')
  return koaBody({
    ...{ json: false, text: false, formLimit: MAX_BODY, includeUnparsed: true },
    queryString: { parameterLimit: 1, depth: 0, allowDots: false, decoder: text => text },
  })
}

/**
 * Makes room for a body as it comes in. If there is no room, the request emits an error for its reader.
 *
 * @returns a function to call afterwards
 */
function countPieces(request: IncomingMessage, size: number, makeRoom: (bytes: number) => void): () => void {
  let [taken, room] = [0, size]
  const count = ({ length }: Buffer) => {
    taken += length + OF_PIECE
    if (taken <= room) return
    room = taken + STEP
    try {
      makeRoom(room)
    } catch (error) {
      request.emit('error', error)
    }
  }
  request.on('data', count)
  return () => request.off('data', count)
}

/** Returns the Problem for an error. @param error of koa-body or the libraries below it. Other errors pass through */
function problemOf(error: unknown): unknown {
  const { type } = error as { type?: string }
  if (type === 'entity.too.large') return new Problem('payload_too_large')
  // Nobody is there to read this Problem.
  return type === undefined ? error : new Problem('malformed_json')
}

/** Parses a body. @throws Problem invalid_parameter */
function parse(text: string): URLSearchParams {
  let fields = 0
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    if (++fields >= MAX_FIELDS)
      throw new Problem('invalid_parameter', { message: 'The form has too many fields.' })
  }
  return new URLSearchParams(withSpaces(text))
}

const [PLUS, SPACE] = [0x2b, 0x20]

/** Replaces each `+` by a space. URLSearchParams makes a million pieces of a million of `+`, and takes 70 ms for that. */
function withSpaces(text: string): string {
  if (!text.includes('+')) return text
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE
  return bytes.toString()
}
