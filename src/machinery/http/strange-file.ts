import type { Logger } from 'pino'
import type { Context } from './face.ts'
import { answerStreamed, type Streamed } from './streamed.ts'

/** A file that somebody else has sent. */
export interface StrangeFile extends Required<Pick<Streamed, 'type' | 'fileName'>> {
  /** Bytes. */
  size: number
  pieces: AsyncIterable<Uint8Array>
}

/**
 * Answers with a file that somebody else has sent, which nobody has looked into. Browsers save it. One that shows it all the same
 * gives it no script, no form and no origin.
 *
 * @param file named by the server, never by whoever has sent it
 */
export function answerStrangeFile(
  context: Context,
  { size, pieces, ...file }: StrangeFile,
  log: Pick<Logger, 'error'>,
): void {
  answerStreamed(context, { ...file, chunks: buffersOf(pieces) }, log)
  context.length = size
  context.set('Content-Security-Policy', "sandbox; default-src 'none'")
  context.set('Cache-Control', 'no-store')
}

async function* buffersOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, byteLength } of pieces)
    yield Buffer.from(buffer, byteOffset, byteLength)
}
