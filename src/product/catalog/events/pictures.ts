import { createHash } from 'node:crypto'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { makeFault } from '../faults.ts'
import { Problem } from '../problem.ts'
import { type PictureType, readPicture, refusal } from './picture-format.ts'
import { withoutMetadata } from './picture-metadata.ts'
import * as store from './picture-store.ts'
import * as events from './rules.ts'

export { MAX_PICTURE_BYTES } from './picture-format.ts'

/** The cover of an event's page: pixels, and SHA-256 of the file in hex. */
export interface Picture {
  hash: string
  type: PictureType
  width: number
  height: number
}

/** A picture that was looked at, ready to be written. */
export interface NewPicture extends Picture {
  /** The file, in base64. */
  content: string
}

export async function find(tx: ReadTx, accountId: string, eventId: string): Promise<Picture | undefined> {
  return store.find(tx, accountId, eventId)
}

/** The file itself, where the event still has this one. */
export async function readContent(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  hash: string,
): Promise<Buffer | undefined> {
  const content = await store.findContent(tx, accountId, eventId, hash)
  return content === undefined ? undefined : Buffer.from(content, 'base64')
}

/**
 * Looks at a file before it is written, and leaves out what it says beside its pixels, such as where it was taken.
 *
 * @throws Problem invalid_parameter for `picture`, with `details.fault`
 */
export function examine(bytes: Uint8Array): NewPicture {
  const { type } = readPicture(bytes)
  const cleaned = withoutMetadata(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), type)
  if (cleaned === undefined) throw refusal(makeFault('noPicture'))
  const { file, isOnItsSide } = cleaned
  // Of what is left, as that is what is shown.
  const { width, height } = readPicture(file)
  const shown = isOnItsSide ? { width: height, height: width } : { width, height }
  return { type, ...shown, hash: hashOf(file), content: file.toString('base64') }
}

function hashOf(file: Buffer): string {
  return createHash('sha256').update(file).digest('hex')
}

/** @throws Problem not_found */
export async function put(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  picture: NewPicture,
): Promise<void> {
  const { id } = await events.get(tx, accountId, eventId)
  await store.put(tx, accountId, id, picture, await tx.now())
}

/** Gives an event that has none the picture of another. */
export async function copy(tx: WriteTx, accountId: string, fromId: string, toId: string): Promise<void> {
  await store.copy(tx, accountId, fromId, toId, await tx.now())
}

/** @throws Problem not_found */
export async function remove(tx: WriteTx, accountId: string, eventId: string): Promise<void> {
  const { id } = await events.get(tx, accountId, eventId)
  await store.remove(tx, accountId, id)
}

/** Whether a text is a picture in base64, with this hash. */
export function isPicture(content: string, hash: string): boolean {
  try {
    const file = Buffer.from(content, 'base64')
    readPicture(file)
    return hashOf(file) === hash && file.toString('base64') === content
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
