import { createHash } from 'node:crypto'
import { makeFault } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { readPicture, refusal } from './picture-format.ts'
import { withoutMetadata } from './picture-metadata.ts'
import * as sizeStore from './picture-size-store.ts'
import type { Picture, SizedPicture } from './picture-sizes.ts'
import * as store from './picture-store.ts'
import * as events from './rules.ts'

export { MAX_PICTURE_BYTES } from './picture-format.ts'
export type { Picture } from './picture-sizes.ts'

/** A picture that was checked and is ready to be written. */
export interface NewPicture extends Picture {
  /** The file, in base64. */
  content: string
}

export async function find(tx: ReadTx, eventId: string): Promise<SizedPicture | undefined> {
  const picture = await store.find(tx, eventId)
  return picture && { ...picture, sizes: await sizeStore.list(tx, eventId) }
}

/** Returns the file of a picture or of one of its sizes, if the event still has it. */
export async function readContent(tx: ReadTx, eventId: string, hash: string): Promise<Buffer | undefined> {
  const content =
    (await store.findContent(tx, eventId, hash)) ?? (await sizeStore.findContent(tx, eventId, hash))
  return content === undefined ? undefined : Buffer.from(content, 'base64')
}

/**
 * Checks a file before it is written, and removes its metadata, such as where it was taken.
 *
 * @throws Problem invalid_parameter for `picture`, with `details.fault`
 */
export function examine(bytes: Uint8Array): NewPicture {
  const { type } = readPicture(bytes)
  const cleaned = withoutMetadata(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), type)
  if (cleaned === undefined) throw refusal(makeFault('noPicture'))
  const { file, isOnItsSide } = cleaned
  // The size comes from the cleaned file, because that is what is shown.
  const { width, height } = readPicture(file)
  const shown = isOnItsSide ? { width: height, height: width } : { width, height }
  return { type, ...shown, hash: hashOf(file), content: file.toString('base64') }
}

/** Returns the SHA-256 of a file in hex. */
export function hashOf(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('hex')
}

/** Gives an event a picture, whose sizes are made later: see `pictureSizing`. @throws Problem not_found */
export async function put(tx: WriteTx, eventId: string, picture: NewPicture): Promise<void> {
  const { id } = await events.get(tx, eventId)
  await sizeStore.remove(tx, id)
  await store.put(tx, id, picture, await tx.now())
}

/** Returns what a copy of the picture with its sizes takes, in bytes. */
export async function weigh(tx: ReadTx, eventId: string): Promise<number> {
  const file = await store.findLength(tx, eventId)
  const sizes = file === undefined ? [] : await sizeStore.listLengths(tx, eventId)
  return sizes.reduce((sum, { length }) => sum + length, file?.length ?? 0)
}

/** Copies the picture of an event, with its sizes, to another one that has none. */
export async function copy(tx: WriteTx, fromId: string, toId: string): Promise<void> {
  const now = await tx.now()
  await store.copy(tx, fromId, toId, now)
  await sizeStore.copy(tx, fromId, toId, now)
}

/** @throws Problem not_found */
export async function remove(tx: WriteTx, eventId: string): Promise<void> {
  const { id } = await events.get(tx, eventId)
  await sizeStore.remove(tx, id)
  await store.remove(tx, id)
}

/** Returns whether a text is a picture in base64 with this hash. */
export function isPicture(content: string, hash: string): boolean {
  return isFile(content, file => {
    readPicture(file)
    return hashOf(file) === hash
  })
}

/** Returns whether a text is a WebP in base64. */
export function isWebp(content: string): boolean {
  return isFile(content, file => readPicture(file).type === 'image/webp')
}

function isFile(content: string, fits: (file: Buffer) => boolean): boolean {
  try {
    const file = Buffer.from(content, 'base64')
    return fits(file) && file.toString('base64') === content
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
