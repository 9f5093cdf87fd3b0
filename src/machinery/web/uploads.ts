import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { Problem } from '#base/problem.ts'
import { openUnnamed } from '#machinery/files/unnamed-file.ts'
import { boundaryOf, isOfSystem, type PassingFile, receiveForm, within } from './file-form.ts'

/** The most uploads under way, of all senders and of one. Each takes space on the disk, and later the event loop. */
export interface Lanes {
  all: number
  ofSender: number
}

const LANES: Lanes = { all: 8, ofSender: 2 }

/** What is to come. */
export interface Upload {
  /** A name for whoever sends it, of whom so many may be under way. */
  sender: string
  /** The most bytes of the file. */
  max: number
}

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
   * @param upload a file with more than `max` bytes has `max + 1`
   * @throws Problem unsupported_media_type; payload_too_large; request_timeout; malformed_json if the connection or the form
   *   breaks off; rate_limited, unavailable if there are too many at once; unavailable for a disk that is full
   */
  async take<Result>(
    request: IncomingMessage,
    upload: Upload,
    work: (form: FileForm, keepPieces: KeepPieces) => Promise<Result>,
  ): Promise<Result> {
    const disks: FileHandle[] = []
    const open = async () => {
      const disk = await openUnnamed(this.#folder)
      disks.push(disk)
      return disk
    }
    const toKept = async (disk: FileHandle, pieces: AsyncIterable<Uint8Array>) => ({
      size: await keep(pieces, disk),
      read: (start: number, end: number) => readDisk(disk, start, end),
    })
    try {
      return await this.#inLane(request, upload, async boundary => {
        const disk = await open()
        const file = await receiveForm(request, boundary, upload.max, async ({ name, bytes }) => {
          const kept = await toKept(disk, bytes)
          return name === '' && kept.size === 0 ? undefined : { name, ...kept }
        })
        return work({ file }, async pieces => toKept(await open(), pieces))
      })
    } finally {
      for (const disk of disks) await disk.close()
    }
  }

  /**
   * Receives a form with one file as `take` does, and gives it to `work` while it comes in. Nothing of it touches the disk here.
   *
   * @param upload `max + 1` bytes come of a file with more than `max`
   * @throws Problem as `take` does, and what `work` throws. The bytes throw as well where the form breaks off
   */
  pass<Result>(
    request: IncomingMessage,
    upload: Upload,
    work: (file: PassingFile | undefined) => Promise<Result>,
  ): Promise<Result> {
    return this.#inLane(request, upload, async boundary => {
      let result: Promise<Result> | undefined
      await receiveForm(request, boundary, upload.max, async ({ name, bytes }) => {
        const parts = bytes[Symbol.asyncIterator]()
        const first = await parts.next()
        if (name === '' && first.done) return
        result = work({ name, bytes: startingWith(first, parts) })
        await result
      })
      return result ?? work(undefined)
    })
  }

  async #inLane<Result>(
    request: IncomingMessage,
    { sender, max }: Upload,
    work: (boundary: string) => Promise<Result>,
  ): Promise<Result> {
    const end = this.#begin(sender)
    try {
      const boundary = boundaryOf(request)
      await within(request, max)
      return await work(boundary)
    } catch (error) {
      if (!isOfSystem(error)) throw error
      this.#log.error({ err: error }, 'an upload cannot be kept')
      throw new Problem('unavailable')
    } finally {
      end()
      // The rest of a refused upload is read and discarded, so that its sender can read the answer.
      request.resume()
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

async function* startingWith(
  first: IteratorResult<Uint8Array>,
  others: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let part = first; !part.done; part = await others.next()) yield part.value
  } finally {
    await others.return?.()
  }
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
