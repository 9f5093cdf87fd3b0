import type { Logger } from 'pino'
import { type Database, INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import { Sweep } from '#machinery/ops/sweep.ts'
import {
  makeSizes,
  type SizingOptions,
  SizingStopped,
  UnreadablePicture,
} from '#machinery/pictures/make-sizes.ts'
import { readPicture } from './picture-format.ts'
import { UPRIGHT, withoutMetadata } from './picture-metadata.ts'
import * as sizeStore from './picture-size-store.ts'
import { type PictureSize, type PlannedSize, planSizes } from './picture-sizes.ts'
import * as store from './picture-store.ts'
import { hashOf } from './pictures.ts'

/**
 * The pixels of the largest picture of which sizes are made: 4096 by 4096. Each takes up to seven bytes of the decoder and four
 * of the pixels, so that a small computer has enough memory.
 */
const MAX_PIXELS = 4096 * 4096
/** How often the sizes of a picture are begun. What stops the program in the middle, or takes too long, is not tried for good. */
const ATTEMPTS = 3

export interface PictureSizingOptions {
  db: Pick<Database, 'read' | 'write' | 'versionOf'>
  log: Logger
  /** For tests: milliseconds for the sizes of a picture. */
  mostTime?: number
}

/** A size with its file in base64. */
type NewSize = PictureSize & { content: string }

/**
 * Returns the sweep that makes the sizes of pictures that have none yet, one picture after another. It finds those that were just
 * uploaded, those of an older version of the program, and those whose sizes a stop of the program has interrupted. Pages show the
 * picture itself meanwhile, and for good if it cannot be decoded.
 */
export function pictureSizing({ db, log, mostTime }: PictureSizingOptions): Sweep {
  let seen: number | undefined

  async function sizeOne(accountId: string, eventId: string, signal: AbortSignal): Promise<void> {
    const picture = await db.write(accountId, tx => begin(tx, eventId))
    if (picture === undefined) return
    try {
      const sizes = await make(picture, { signal, mostTime })
      await db.write(accountId, tx => keep(tx, eventId, picture.hash, sizes))
    } catch (error) {
      // An end of the program that was asked for is no fault of the picture.
      if (signal.aborted) return db.write(accountId, tx => takeBack(tx, eventId, picture.hash))
      if (!(error instanceof UnreadablePicture || error instanceof SizingStopped)) throw error
      log.info({ event: eventId, reason: error.message }, 'a picture has no sizes')
      if (error instanceof UnreadablePicture)
        await db.write(accountId, tx => keep(tx, eventId, picture.hash, []))
    }
  }

  const look = async (signal: AbortSignal) => {
    const version = db.versionOf('event_pictures')
    if (version !== undefined && version === seen) return
    while (!signal.aborted) {
      const next = await db.read(INSTANCE, store.findUnsized)
      if (next === undefined) {
        seen = version
        return
      }
      await sizeOne(next.account_id, next.event_id, signal)
    }
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'the sizes of pictures wait')
  return new Sweep({ look, failed })
}

/**
 * Counts an attempt before it begins, so that it counts even if it stops the program.
 *
 * @returns undefined if the picture is gone, or had its last attempt
 */
async function begin(tx: WriteTx, eventId: string): Promise<store.UnsizedRow | undefined> {
  const now = await tx.now()
  if ((await store.beginSizing(tx, eventId, ATTEMPTS, now)) === 1) return store.findFile(tx, eventId)
  await store.endSizing(tx, eventId, now)
  return undefined
}

/** Keeps the sizes of a picture, unless the event has another picture by now. */
async function keep(tx: WriteTx, eventId: string, hash: string, sizes: readonly NewSize[]): Promise<void> {
  const now = await tx.now()
  if ((await store.find(tx, eventId))?.hash !== hash) return
  await store.endSizing(tx, eventId, now)
  await sizeStore.remove(tx, eventId)
  for (const size of sizes) await sizeStore.insert(tx, eventId, size, now)
}

async function takeBack(tx: WriteTx, eventId: string, hash: string): Promise<void> {
  if ((await store.find(tx, eventId))?.hash === hash) await store.takeBackSizing(tx, eventId, await tx.now())
}

/** @throws UnreadablePicture, SizingStopped */
async function make({ type, content }: store.UnsizedRow, options: SizingOptions): Promise<NewSize[]> {
  const file = Buffer.from(content, 'base64')
  const { width, height } = readPicture(file)
  const cleaned = withoutMetadata(file, type)
  // Every upload is checked for it.
  if (cleaned === undefined) throw new UnreadablePicture('It is malformed.')
  const { orientation, isOnItsSide, isAnimated } = cleaned
  if (isAnimated) throw new UnreadablePicture('It is animated.')
  if (width * height > MAX_PIXELS) throw new UnreadablePicture('It has too many pixels.')
  if (type === 'image/webp' && orientation !== UPRIGHT)
    throw new UnreadablePicture('Browsers do not agree which way is up.')
  const sizes = planSizes(isOnItsSide ? { width: height, height: width } : { width, height })
  const made = await makeSizes({ file, type, width, height, orientation, sizes }, options)
  return made.flatMap(({ file: small }, at) => {
    // Of a picture that is small already, a size can be heavier.
    if (small.length >= file.length) return []
    const planned = sizes[at] as PlannedSize
    return [{ ...planned, hash: hashOf(small), content: Buffer.from(small).toString('base64') }]
  })
}
