import { type Fault, makeFault, tell } from '#base/faults.ts'
import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { type Database, INSTANCE, type ReadTx, type WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import { type Filled, type Limits, refuseFull } from './limits.ts'
import { PdfBytes } from './pdf-bytes.ts'
import { removeSome } from './removal.ts'
import { type AbstractFile, nameOfFile, PIECE } from './schemas.ts'
import * as store from './store.ts'

/** A file as it comes in. */
export interface Incoming {
  eventId: string
  submissionId: string
  /** What the sender's machine calls it. */
  name: string
  /** What is sent, in parts of any size. It is ended where the file is refused, unless that is before anything was read of it. */
  bytes: AsyncIterable<Uint8Array>
  limits: Limits
  /** Runs in the write that attaches the file, and may refuse it by what it throws. It may run more than once. */
  whenAttached?: (tx: WriteTx, file: AbstractFile) => Promise<void>
}

type Writing = Pick<Database, 'read' | 'write'>

/** Receives files. A server has one of these, since it lets the pieces of all files wait for each other. */
export class FileReceiver {
  readonly #db: Writing
  #written: Promise<unknown> = Promise.resolve()

  constructor(db: Writing) {
    this.#db = db
  }

  /**
   * Receives the file of a submission, which takes the place of the one before. Each piece is kept by a short write of its own as soon
   * as it is full, so there is one in the memory. A last write attaches the whole file. Of a file that is refused or breaks off, the
   * pieces go at once, or with the cleaning where that fails. The file is looked at, and never parsed.
   *
   * @returns the file, once it is attached
   * @throws Problem invalid_parameter for `file`, with `details.fault` noPdf, cutPdf or fileTooHeavy; malformed_json if `bytes` break
   *   off with anything but a Problem; files_full; not_found for the event
   * @throws DatabaseUnavailable
   */
  async receive(accountId: string, incoming: Incoming): Promise<AbstractFile> {
    const { eventId, bytes, limits } = incoming
    await this.#refuseFull(accountId, eventId, limits)
    const file = { id: newUuid(), eventId, name: nameOfFile(incoming.name) }
    const passed = new PdfBytes()
    let from = 0
    let isBegun = false
    try {
      for await (const piece of inPieces(bytes, limits.file)) {
        if (!passed.add(piece)) throw refusal('noPdf')
        isBegun = true
        await this.#write(accountId, tx => keepPiece(tx, file, { from, content: piece }))
        from = passed.size
      }
      const end = passed.end()
      if ('fault' in end) throw refusal(end.fault)
      // All that has come counts there already.
      await this.#refuseFullServer(limits, { size: 0, loose: passed.size })
      const whole = { ...file, size: passed.size, sha256: end.sha256 }
      return await this.#write(accountId, tx => attach(tx, incoming, whole))
    } catch (error) {
      // What is left of it goes with the cleaning, and whoever sent the file is told of the first fault.
      if (isBegun) await this.#removeAll(accountId, file.id).catch(() => undefined)
      throw error
    }
  }

  /** Refuses any file where there is no room for a byte more. */
  async #refuseFull(accountId: string, eventId: string, limits: Limits): Promise<void> {
    const filled = await this.#db.read(accountId, async tx => {
      await events.get(tx, eventId)
      return fill(tx, eventId, await store.sumOfEvent(tx, eventId), limits)
    })
    refuseFull('event', { ...filled, size: 1 }, limits)
    await this.#refuseFullServer(limits, { size: 1, loose: 0 })
  }

  /** The sum goes over all accounts, so it is read beside the write: what comes in the same moment may go beyond the limit. */
  async #refuseFullServer(limits: Limits, { size, loose }: { size: number; loose: number }): Promise<void> {
    const filled = await this.#db.read(INSTANCE, async tx => ({
      there: await store.sumOfAll(tx),
      // What has come of this one is nobody's yet.
      unconfirmed: limits.isConfirmed ? 0 : loose + (await store.sumOfAllUnconfirmed(tx)),
    }))
    refuseFull('server', { ...filled, size }, limits)
  }

  /** Writes after all that was asked for before. A group with many pieces would stop the event loop when it is committed. */
  #write<Result>(accountId: string, work: (tx: WriteTx) => Promise<Result>): Promise<Result> {
    const written = this.#written.then(() => this.#db.write(accountId, work))
    this.#written = written.catch(() => undefined)
    return written
  }

  async #removeAll(accountId: string, id: string): Promise<void> {
    while (!(await this.#write(accountId, tx => removeSome(tx, id))));
  }
}

async function fill(tx: ReadTx, eventId: string, there: number, { isConfirmed }: Limits): Promise<Filled> {
  return { there, unconfirmed: isConfirmed ? 0 : await store.sumOfUnconfirmed(tx, eventId) }
}

function refusal(fault: 'noPdf' | 'cutPdf'): Problem {
  return wrongFile(makeFault(fault))
}

/** Returns the Problem of a file that is not taken. */
export function wrongFile(fault: Fault): Problem {
  return new Problem('invalid_parameter', { param: 'file', message: tell('file', fault), details: { fault } })
}

/** Returns what is wrong with a file, if that is why it is not taken. */
export function ofFile(problem: Problem | undefined): Fault | undefined {
  return problem?.param === 'file' ? (problem.details?.fault as Fault) : undefined
}

/**
 * Puts bytes together to pieces. Each is there until the next is asked for.
 *
 * @throws Problem as `receive` does, for more than `most` bytes, or where they break off
 */
async function* inPieces(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Buffer> {
  const piece = Buffer.allocUnsafe(PIECE)
  let filled = 0
  let received = 0
  for await (const some of untilBroken(bytes)) {
    received += some.length
    if (received > most) throw wrongFile(makeFault('fileTooHeavy', { max: most }))
    for (let at = 0; at < some.length; ) {
      const part = some.subarray(at, at + PIECE - filled)
      piece.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < PIECE) continue
      yield piece
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}

async function* untilBroken(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    throw error instanceof Problem ? error : new Problem('malformed_json')
  }
}

async function keepPiece(
  tx: WriteTx,
  file: store.NewFile,
  { from, content }: { from: number; content: Uint8Array },
): Promise<void> {
  const now = await tx.now()
  if (from === 0) {
    await events.get(tx, file.eventId)
    await store.insert(tx, file, now)
  }
  const isThere = await store.grow(tx, { id: file.id, from, to: from + content.length }, now)
  // The event was deleted, or the cleaning took the file for given up.
  if (!isThere) throw new Problem('not_found')
  await store.insertPiece(tx, { id: file.id, number: from / PIECE, content }, now)
}

async function attach(
  tx: WriteTx,
  { eventId, submissionId, limits, whenAttached }: Incoming,
  { id, name, size, sha256 }: { id: string; name: string; size: number; sha256: string },
): Promise<AbstractFile> {
  await events.get(tx, eventId)
  // Others that are still coming count only once they are whole, so that two do not refuse each other.
  const filled = await fill(tx, eventId, await store.sumOfWhole(tx, eventId), limits)
  refuseFull('event', { ...filled, size }, limits)
  const now = await tx.now()
  const file = {
    ...{ id, event_id: eventId, submission_id: submissionId, name, size, sha256 },
    updated_at: now,
  }
  await store.markReplaced(tx, eventId, submissionId, now)
  if (!(await store.attach(tx, file, now))) throw new Problem('not_found')
  await whenAttached?.(tx, file)
  return file
}
