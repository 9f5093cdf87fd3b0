import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import type { BusboyInstance } from '@fastify/busboy'
import type { Logger } from 'pino'
import { Problem } from '#base/problem.ts'
import { openUnnamed } from '#machinery/files/unnamed-file.ts'
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
/** The most uploads under way, of all senders and of one. Each takes space on the disk, and later the event loop. */
export interface Lanes {
  all: number
  ofSender: number
}

const LANES: Lanes = { all: 8, ofSender: 2 }

/** The content of a sent form with a file. */
export interface FileForm {
  /** Undefined if none was chosen. */
  file: UploadedFile | undefined
}

/** Writes pieces to a file of its own on the disk, which is gone when the work with the form ends. */
export type KeepPieces = (pieces: AsyncIterable<Uint8Array>) => Promise<Pick<UploadedFile, 'size' | 'read'>>

/** A file that somebody has sent, on the disk. */
export interface UploadedFile {
  /** The name on the sender's system, without its folder. */
  name: string
  /** Bytes. */
  size: number
  /** Returns the bytes from `start` on, up to `end` or the end of the file. */
  read(start: number, end: number): Promise<Uint8Array>
}

/** Receives forms with files on the disk. The memory is that of a few pieces, whatever the size of the file. */
export class Uploads {
  readonly #folder: string
  readonly #log: Logger
  readonly #lanes: Lanes
  readonly #underWay = new Map<string, number>()

  /** Keeps the folder and the log. @param folder private, and on a disk with room */
  constructor(folder: string, log: Logger, lanes = LANES) {
    this.#folder = folder
    this.#log = log
    this.#lanes = lanes
  }

  /**
   * Receives a form with one file (RFC 7578), and runs `work` with it. Then the file is gone.
   *
   * @param sender a name for whoever sends it, of whom so many may be under way
   * @param max of the file, in bytes. A file with more has `max + 1`
   * @throws Problem unsupported_media_type; payload_too_large; request_timeout; malformed_json if the connection or the form
   *   breaks off; rate_limited, unavailable if there are too many at once; unavailable for a disk that is full
   */
  async take<Result>(
    request: IncomingMessage,
    { sender, max }: { sender: string; max: number },
    work: (form: FileForm, keepPieces: KeepPieces) => Promise<Result>,
  ): Promise<Result> {
    const end = this.#begin(sender)
    const disks: FileHandle[] = []
    const open = async () => {
      const disk = await openUnnamed(this.#folder)
      disks.push(disk)
      return disk
    }
    const keepPieces: KeepPieces = async pieces => {
      const disk = await open()
      return { size: await keep(pieces, disk), read: (start, end) => readDisk(disk, start, end) }
    }
    try {
      const boundary = boundaryOf(request)
      await within(request, max)
      return await work(await receiveForm(request, boundary, await open(), max), keepPieces)
    } catch (error) {
      if (!isOfSystem(error)) throw error
      this.#log.error({ err: error }, 'an upload cannot be kept')
      throw new Problem('unavailable')
    } finally {
      end()
      // The rest of a refused upload is read and discarded, so that its sender can read the answer.
      request.resume()
      for (const disk of disks) await disk.close()
    }
  }

  #begin(sender: string): () => void {
    const ofSender = this.#underWay.get(sender) ?? 0
    if (ofSender >= this.#lanes.ofSender) throw new Problem('rate_limited')
    if ([...this.#underWay.values()].reduce((sum, each) => sum + each, 0) >= this.#lanes.all)
      throw new Problem('unavailable')
    this.#underWay.set(sender, ofSender + 1)
    return () => {
      const left = (this.#underWay.get(sender) ?? 1) - 1
      if (left > 0) this.#underWay.set(sender, left)
      else this.#underWay.delete(sender)
    }
  }
}

/**
 * Returns the boundary of the parts of a form, with quotation marks or without: RFC 2046, section 5.1.1.
 *
 * @throws Problem unsupported_media_type
 */
function boundaryOf({ headers }: IncomingMessage): string {
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
async function within(request: IncomingMessage, max: number): Promise<void> {
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

async function receiveForm(
  request: IncomingMessage,
  boundary: string,
  disk: FileHandle,
  max: number,
): Promise<FileForm> {
  // Koa-body, which reads the other forms, has Formidable for files. That checks `maxFileSize` only at the end of a file, and has no limit
  // for the headers of a part: 2 MB of them pass. Busboy stops both while they come in. The first upload loads it.
  const { Busboy } = await import('@fastify/busboy')
  const parser = openParser(Busboy, boundary, max)
  const guard = refuseManyParts(boundary)
  let sent: Readable | undefined
  let kept: Promise<UploadedFile | undefined> = Promise.resolve(undefined)
  parser.on('file', (_, stream, name = '') => {
    sent = stream
    kept = keep(stream, disk).then(size => {
      const read = (start: number, end: number) => readDisk(disk, start, end)
      return name === '' && size === 0 ? undefined : { name, size, read }
    })
    kept.catch(error => parser.emit('error', error))
  })
  try {
    await untilEnd(request, parse(request, guard, parser))
    return { file: await kept }
  } finally {
    request.unpipe(guard)
    guard.unpipe(parser)
    sent?.destroy()
  }
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
      // A boundary may be split between two pieces.
      const text = Buffer.concat([rest, piece])
      for (let at = text.indexOf(between); at >= 0; at = text.indexOf(between, at + between.length))
        if (++parts > LIMITS.parts) return done(new Error('The form has too many parts.'))
      rest = text.subarray(Math.max(0, text.length - between.length + 1))
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

function isOfSystem(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined
}

/** Writes a file to the disk. @returns its size in bytes */
async function keep(pieces: AsyncIterable<Uint8Array>, disk: FileHandle): Promise<number> {
  let size = 0
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const { bytesWritten } = await disk.write(piece, at, piece.length - at, size)
      at += bytesWritten
      size += bytesWritten
    }
  }
  return size
}

async function readDisk(disk: FileHandle, start: number, end: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(Math.max(0, end - start))
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await disk.read(bytes, filled, bytes.length - filled, start + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
