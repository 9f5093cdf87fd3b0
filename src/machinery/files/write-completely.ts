import { writeSync } from 'node:fs'

/** How long to wait for a reader that is behind, in milliseconds. A pipe holds 64 KiB. */
const WAIT = 1

/**
 * Writes all of a text before it returns, however slow the reader of a pipe is: a long output takes no memory, and is not cut off
 * when the process exits. Node's own streams keep what a reader has not taken yet.
 *
 * @throws the error of the system, such as EPIPE
 */
export function writeCompletely(descriptor: number, text: string): void {
  for (let bytes = Buffer.from(text); bytes.length > 0; ) {
    try {
      bytes = bytes.subarray(writeSync(descriptor, bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(clock, 0, 0, WAIT)
    }
  }
}

/** Nobody wakes what waits for this. */
const clock = new Int32Array(new SharedArrayBuffer(4))
