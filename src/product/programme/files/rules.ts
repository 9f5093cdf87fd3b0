import { Problem } from '#base/problem.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { MOST_REPLACED } from './limits.ts'
import type { AbstractFile } from './schemas.ts'
import * as store from './store.ts'

/** Returns the file of a submission, if it has one. */
export function find(tx: ReadTx, eventId: string, submissionId: string): Promise<AbstractFile | undefined> {
  return store.find(tx, eventId, submissionId)
}

/** Counts the files that a submission got since an instant, no further than `most`. Replaced ones count while they are kept. */
export function countSince(
  tx: ReadTx,
  { id, event_id }: { id: string; event_id: string },
  { since, most }: { since: number; most: number },
): Promise<number> {
  return store.countSince(tx, { eventId: event_id, submissionId: id }, since, most)
}

/** Returns whether so much of a submission was replaced that no more is kept. */
export async function isReplacedTooOften(
  tx: ReadTx,
  { id, event_id }: { id: string; event_id: string },
): Promise<boolean> {
  return (await store.sumOfReplaced(tx, event_id, id)) >= MOST_REPLACED
}

/**
 * Reads the bytes of a file, a piece a read.
 *
 * @throws Problem not_found if it was removed meanwhile, in the middle too
 */
export function read(
  db: Reader,
  accountId: string,
  file: Pick<AbstractFile, 'id' | 'size'>,
): AsyncGenerator<Uint8Array> {
  return piecesOf(file, number => db.read(accountId, tx => store.findPiece(tx, file.id, number)))
}

/** Reads the bytes of a file within a transaction, a piece a statement. @throws Problem not_found for one that is not there */
export function readWithin(tx: ReadTx, file: Pick<AbstractFile, 'id' | 'size'>): AsyncGenerator<Uint8Array> {
  return piecesOf(file, number => store.findPiece(tx, file.id, number))
}

async function* piecesOf(
  { size }: Pick<AbstractFile, 'size'>,
  find: (number: number) => Promise<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array> {
  let passed = 0
  for (let number = 0; passed < size; number++) {
    const piece = await find(number)
    if (piece === undefined) throw new Problem('not_found')
    passed += piece.length
    yield piece
  }
}

/** Takes the file from a submission. It is kept for a time, as one is that was replaced. @throws Problem not_found if it has none */
export async function remove(tx: WriteTx, eventId: string, submissionId: string): Promise<void> {
  const count = await store.markReplaced(tx, eventId, submissionId, await tx.now())
  if (count === 0) throw new Problem('not_found')
}
