import { once } from 'node:events'
import { MINUTE } from '#base/time.ts'
import { startCarried } from '#machinery/threads/carried-thread.ts'
import type { MadeSize, SizingResult, SizingTask } from './sizing-task.ts'

/** The thread as `startCarried` takes it. The bundle defines it. */
declare const PICTURE_SIZING: string | undefined

/** The heap of the thread in megabytes. Pixels and codecs lie outside of it and have limits of their own. */
const MAX_HEAP = 64
/**
 * The milliseconds that the sizes of a picture may take. A photo of 12 million pixels takes some 5 s, and several times as long on
 * a small or a busy computer.
 */
const MOST_TIME = 2 * MINUTE

/** The picture has no sizes, however often they are asked for: it cannot be decoded, or not within the memory that is allowed. */
export class UnreadablePicture extends Error {
  override name = 'UnreadablePicture'
}

/** The sizes took too long, or nobody waits for them any longer. */
export class SizingStopped extends Error {
  override name = 'SizingStopped'
}

export interface SizingOptions {
  /** Ends it in its middle. */
  signal?: AbortSignal | undefined
  /** Milliseconds. */
  mostTime?: number | undefined
}

/**
 * Makes sizes of a picture in a thread of its own, off the event loop. The thread begins with the picture and ends with it, and
 * gives all memory back, so no picture meets anything that another has left. The caller asks for one picture at a time.
 *
 * @param task its file must have passed the checks of an upload
 * @returns the sizes in the order of the task
 * @throws UnreadablePicture, SizingStopped; any other error if the thread fails
 */
export async function makeSizes(task: SizingTask, options: SizingOptions = {}): Promise<MadeSize[]> {
  const { signal, mostTime = MOST_TIME } = options
  const thread = await startCarried({
    text: typeof PICTURE_SIZING === 'string' ? PICTURE_SIZING : undefined,
    folder: () => new URL('./', import.meta.url),
    maxHeap: MAX_HEAP,
  })
  // What goes wrong while nobody listens any longer, as it ends, must not end the program.
  thread.on('error', () => undefined)
  const inTime = AbortSignal.timeout(mostTime)
  try {
    // A copy can be handed over. The file itself may lie in memory that others share.
    const file = new Uint8Array(task.file)
    thread.postMessage({ ...task, file } satisfies SizingTask, [file.buffer])
    const either = signal === undefined ? inTime : AbortSignal.any([signal, inTime])
    const [result] = (await once(thread, 'message', { signal: either })) as [SizingResult]
    if ('unreadable' in result) throw new UnreadablePicture(result.unreadable)
    return result.made
  } catch (error) {
    if (inTime.aborted || signal?.aborted) throw new SizingStopped('The sizes of a picture took too long.')
    throw error
  } finally {
    await thread.terminate()
  }
}
