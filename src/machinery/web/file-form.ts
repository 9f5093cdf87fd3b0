import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import type { BusboyInstance } from '@fastify/busboy'
import { Problem } from '#base/problem.ts'
import { TOO_SLOW } from '#machinery/http/body-rate.ts'

/** The slowest rate at which a file may come in, in bytes a second. */
export const UPLOAD_RATE = 16 * 1024

/** The most bytes of the form beside its file: names, boundaries and fields. */
const MAX_REST = 64 * 1024
/** The most bytes to read of a body that is too large, so that its sender can read the answer. */
const MAX_READ = 256 * 1024 * 1024
const LIMITS = {
  files: 1,
  fields: 20,
  fieldSize: 16 * 1024,
  parts: 21,
  headerPairs: 20,
  headerSize: 8 * 1024,
}
/** A file that is coming in. */
export interface PassingFile {
  /** The name on the sender's system, without its folder. */
  name: string
  /** In parts of any size. They end once the form has come to its end. */
  bytes: AsyncIterable<Uint8Array>
}

/**
 * Returns the boundary of the parts of a form, with quotation marks or without: RFC 2046, section 5.1.1.
 *
 * @throws Problem unsupported_media_type
 */
export function boundaryOf({ headers }: IncomingMessage): string {
  const type = headers['content-type'] ?? ''
  const [, quoted, plain] =
    /^multipart\/form-data *;.*\bboundary=(?:"([^"\\]{1,70})"|([^\s;"\\]{1,70}))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw new Problem('unsupported_media_type')
  return boundary
}

/**
 * Refuses a body whose header says that it is too large, after reading and discarding it. A browser looks for the answer only
 * once everything is sent.
 */
export async function within(request: IncomingMessage, max: number): Promise<void> {
  const length = Number(request.headers['content-length'] ?? 0)
  if (length <= max + MAX_REST) return
  if (length <= MAX_READ) await untilEnd(request, drain(request))
  throw new Problem('payload_too_large')
}

async function drain(request: IncomingMessage): Promise<void> {
  request.resume()
  await once(request, 'end')
}

/** Waits for work on a request. @throws Problem request_timeout, or malformed_json if nobody is there to read it */
async function untilEnd<Result>(request: IncomingMessage, work: Promise<Result>): Promise<Result> {
  let stop = () => {}
  const stopped = new Promise<never>((_, reject) => {
    const onSlow = () => reject(new Problem('request_timeout'))
    const onClose = () => request.complete || reject(new Problem('malformed_json'))
    request.on(TOO_SLOW, onSlow).on('close', onClose)
    stop = () => request.off(TOO_SLOW, onSlow).off('close', onClose)
    if (request.destroyed) onClose()
  })
  try {
    return await Promise.race([work, stopped])
  } finally {
    stop()
    // The work may go on until its stream ends, and nobody waits for it.
    work.catch(() => undefined)
  }
}

/** Receives a form. @returns what `receive` has made of its file, or undefined if the form has none */
export async function receiveForm<Received>(
  request: IncomingMessage,
  boundary: string,
  max: number,
  receive: (file: PassingFile) => Promise<Received>,
): Promise<Received | undefined> {
  // Koa-body, which reads the other forms, has Formidable for files. That checks `maxFileSize` only at the end of a file, and has no limit
  // for the headers of a part: 2 MB of them pass. Busboy stops both while they come in. The first upload loads it.
  const { Busboy } = await import('@fastify/busboy')
  const parser = openParser(Busboy, boundary, max)
  const guard = refuseManyParts(boundary)
  let sent: Readable | undefined
  let received: Promise<Received> | undefined
  const refused = new Promise<never>((_, reject) => {
    parser.on('file', (_, stream, name = '') => {
      sent = stream
      received = receive({ name, bytes: untilParsed(stream, parsed) })
      received.catch(reject)
    })
  })
  const parsed = untilEnd(request, parse(request, guard, parser))
  refused.catch(() => undefined)
  try {
    await Promise.race([parsed, refused])
    return await received
  } finally {
    request.unpipe(guard)
    guard.unpipe(parser)
    sent?.destroy()
    await received?.catch(() => undefined)
  }
}

/** What follows a file may be malformed, and then it is no file. */
async function* untilParsed(stream: Readable, parsed: Promise<void>): AsyncGenerator<Uint8Array> {
  yield* stream
  await parsed
}

type Multipart = typeof import('@fastify/busboy')['Busboy']

/** Opens a parser. @throws Problem unsupported_media_type for an invalid boundary */
function openParser(Busboy: Multipart, boundary: string, max: number): BusboyInstance {
  const limits = { ...LIMITS, fileSize: max + 1 }
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  try {
    return new Busboy({ headers, limits })
  } catch {
    throw new Problem('unsupported_media_type')
  }
}

/**
 * Fails if a form has more parts than it may have. The parser also looks at parts beyond its limit. A piece of 64 KiB may have
 * 13,000 of them, and takes it half a second.
 */
function refuseManyParts(boundary: string): Transform {
  const between = Buffer.from(`\r\n--${boundary}`)
  let parts = 0
  let rest: Buffer = Buffer.alloc(0)
  return new Transform({
    transform(piece: Buffer, _, done) {
      // A boundary may be split between two pieces, and most pieces are long, so that they are not copied.
      const seam = Buffer.concat([rest, piece.subarray(0, between.length - 1)])
      for (const text of [seam, piece]) {
        for (let at = text.indexOf(between); at >= 0; at = text.indexOf(between, at + between.length))
          if (++parts > LIMITS.parts) return done(new Error('The form has too many parts.'))
      }
      rest = Buffer.from((piece.length < between.length ? seam : piece).subarray(1 - between.length))
      done(null, piece)
    },
  })
}

/** Parses a form. @throws Problem malformed_json for a form that is cut or malformed */
function parse(request: IncomingMessage, guard: Transform, parser: BusboyInstance): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = 0
    request.on('data', (piece: Buffer) => {
      received += piece.length
      if (received > MAX_READ) reject(new Problem('payload_too_large'))
    })
    parser.on('finish', resolve)
    parser.on('error', error => reject(isOfSystem(error) ? error : new Problem('malformed_json')))
    guard.on('error', () => reject(new Problem('malformed_json')))
    request.pipe(guard).pipe(parser)
  })
}

/** Returns whether the system has failed, such as a disk that is full. */
export function isOfSystem(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined
}
