import { parentPort, workerData } from 'node:worker_threads'
import type { Carried } from '#machinery/threads/carried-thread.ts'
import { giveWay } from '#machinery/threads/give-way.ts'
import { Codecs } from './codecs.ts'
import { readProfile, withProfile } from './color-profile.ts'
import { onWhite, type Pixels } from './pixels.ts'
import { encodePng } from './png-encoder.ts'
import { scaleDown } from './scale.ts'
import type { MadeSize, SizingResult, SizingTask, WantedSize } from './sizing-task.ts'
import { isOnItsSide, turn } from './turn.ts'

// This script runs in a thread of its own, which makes the sizes of one picture and ends.
giveWay()
const codecs = new Codecs(workerData as Carried)

async function answer(task: SizingTask): Promise<SizingResult> {
  try {
    const profile = readProfile(task.file, task.type)
    return { made: await encodeAll(await decodeScaled(task), task.sizes, profile) }
  } catch (error) {
    // A decoder of another language may throw a number.
    return { unreadable: error instanceof Error ? error.message : 'The decoder has given up.' }
  }
}

/** Nothing but the scaled pixels is kept when it returns. */
async function decodeScaled({
  file,
  type,
  width,
  height,
  orientation,
  sizes,
}: SizingTask): Promise<Pixels[]> {
  const pixels = await codecs.decode(file, type)
  if (pixels.width !== width || pixels.height !== height) throw new Error('It has another number of pixels.')
  return sizes.map(size => {
    const [across, down] = isOnItsSide(orientation) ? [size.height, size.width] : [size.width, size.height]
    return turn(scaleDown(pixels, across, down), orientation)
  })
}

async function encodeAll(
  scaled: readonly Pixels[],
  sizes: readonly WantedSize[],
  profile: Uint8Array | undefined,
): Promise<MadeSize[]> {
  const makers = {
    'image/webp': () => codecs.webpEncoder(),
    'image/jpeg': () => codecs.jpegEncoder(),
    'image/png': async () => encodePng,
  }
  const made: MadeSize[] = []
  for (const [at, size] of sizes.entries()) {
    const encode = await makers[size.type]()
    const pixels = scaled[at] as Pixels
    const file = encode(size.type === 'image/webp' ? pixels : onWhite(pixels))
    // An encoder returns a view into a larger memory, which must not be sent along.
    made.push({ ...size, file: profile === undefined ? file.slice() : withProfile(file, profile, size) })
  }
  return made
}

parentPort?.once('message', async (task: SizingTask) => {
  parentPort?.postMessage(await answer(task))
})
