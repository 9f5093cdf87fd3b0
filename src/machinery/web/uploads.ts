import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { BusboyInstance } from '@fastify/busboy'
import type { Logger } from 'pino'
import { openUnnamed } from '../files/unnamed-file.ts'
import { TOO_SLOW } from '../http/body-rate.ts'
import { Problem } from '../problem.ts'

/** The slowest that a file may come in, in bytes a second. */
export const UPLOAD_RATE = 16 * 1024

/** Of the form beside its file, in bytes: names, boundaries and fields. */
const MAX_REST = 64 * 1024
/** The most that is read of a body which is too large, in bytes, so that its sender can read the answer. */
const MAX_READ = 256 * 1024 * 1024
const LIMITS = {
  files: 1,
  fields: 20,
  fieldSize: 16 * 1024,
  parts: 21,
  headerPairs: 20,
  headerSize: 8 * 1024,
}
/** Uploads under way: each takes a place on the disk, and then the event loop. */
const MOST = 8
const MOST_OF_PERSON = 2

/** What a form with a file has sent. */
export interface FileForm {
  /** Undefined where none was chosen. */
  file: UploadedFile | undefined
}

/** A file that somebody has sent, on the disk. */
export interface UploadedFile {
  /** As their system calls it, without its folder. */
  name: string
  /** Bytes. */
  size: number
  /** The bytes from `start` on, up to `end` or the end of the file. */
  read(start: number, end: number): Promise<Uint8Array>
}

/** Receives forms with files: to the disk, in as much memory as a few pieces take, whatever their size. */
export class Uploads {
  readonly #folder: string
  readonly #log: Logger
  readonly #underWay = new Map<string, number>()

  /** @param folder private, and on a disk with room */
  constructor(folder: string, log: Logger) {
    this.#folder = folder
    this.#log = log
  }

  /**
   * Receives a form with one file (RFC 7578), and has something done with it; then the file is gone.
   *
   * @param max of the file, in bytes; one that has more has `max + 1`
   * @throws Problem unsupported_media_type; payload_too_large; request_timeout; malformed_json where the connection breaks off, or
   *   the form does; rate_limited, unavailable where there are too many at once; unavailable for a disk that is full
   */
  async take<Result>(
    request: IncomingMessage,
    { userId, max }: { userId: string; max: number },
    work: (form: FileForm) => Promise<Result>,
  ): Promise<Result> {
    const end = this.#begin(userId)
    let disk: FileHandle | undefined
    try {
      refuseOtherForms(request)
      await within(request, max)
      disk = await openUnnamed(this.#folder)
      return await work(await receiveForm(request, disk, max))
    } catch (error) {
      if (!isOfSystem(error)) throw error
      this.#log.error({ err: error }, 'an upload cannot be kept')
      throw new Problem('unavailable')
    } finally {
      end()
      // What was refused midway is thrown away, so that its sender can read the answer.
      request.resume()
      await disk?.close()
    }
  }

  #begin(userId: string): () => void {
    const ofPerson = this.#underWay.get(userId) ?? 0
    if (ofPerson >= MOST_OF_PERSON) throw new Problem('rate_limited')
    if ([...this.#underWay.values()].reduce((sum, each) => sum + each, 0) >= MOST)
      throw new Problem('unavailable')
    this.#underWay.set(userId, ofPerson + 1)
    return () => {
      const left = (this.#underWay.get(userId) ?? 1) - 1
      if (left > 0) this.#underWay.set(userId, left)
      else this.#underWay.delete(userId)
    }
  }
}

function refuseOtherForms({ headers }: IncomingMessage): void {
  if (!/^multipart\/form-data *;.*\bboundary=/i.test(headers['content-type'] ?? ''))
    throw new Problem('unsupported_media_type')
}

/** Reads what says itself that it is too large, and keeps nothing of it: a browser looks for the answer once all is sent. */
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

/** @throws Problem request_timeout, malformed_json where nobody is there to read it */
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
    // It may go on until its stream ends, and nobody waits for it.
    work.catch(() => undefined)
  }
}

async function receiveForm(request: IncomingMessage, disk: FileHandle, max: number): Promise<FileForm> {
  // The first upload loads it.
  const { Busboy } = await import('@fastify/busboy')
  const parser = openParser(Busboy, request, max)
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
    await untilEnd(request, parse(request, parser))
    return { file: await kept }
  } finally {
    request.unpipe(parser)
    sent?.destroy()
  }
}

type Multipart = typeof import('@fastify/busboy')['Busboy']

/** @throws Problem unsupported_media_type for a boundary that is none */
function openParser(Busboy: Multipart, { headers }: IncomingMessage, max: number): BusboyInstance {
  const limits = { ...LIMITS, fileSize: max + 1 }
  try {
    return new Busboy({ headers: headers as { 'content-type': string }, limits })
  } catch {
    throw new Problem('unsupported_media_type')
  }
}

/** @throws Problem malformed_json for a form that is cut or wrongly put together */
function parse(request: IncomingMessage, parser: BusboyInstance): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = 0
    request.on('data', (piece: Buffer) => {
      received += piece.length
      if (received > MAX_READ) reject(new Problem('payload_too_large'))
    })
    parser.on('finish', resolve)
    parser.on('error', error => reject(isOfSystem(error) ? error : new Problem('malformed_json')))
    request.pipe(parser)
  })
}

function isOfSystem(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined
}

/** @returns how many bytes there were */
async function keep(stream: Readable, disk: FileHandle): Promise<number> {
  let size = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
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
