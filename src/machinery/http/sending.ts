import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { SECOND } from '../time.ts'
import { breakOff, noteUnframed } from './breaking-off.ts'
import type { Context } from './face.ts'
import { SMALL } from './memory-budget.ts'

/** Bytes of a part. */
const PART = 16 * 1024
/** Up to so many bytes an answer goes out whole: with TLS, what waits to be sent is in memory twice. */
const MAX_WHOLE = 128 * 1024

/**
 * How slowly an answer may be read. A client that stops for a moment, or reads no faster than a bad mobile connection, gets
 * all of it; one that takes a byte a minute would keep it in memory for days.
 */
export interface Patience {
  /** Milliseconds. */
  grace: number
  /** Bytes a second. */
  rate: number
}

const PATIENCE: Patience = { grace: 60 * SECOND, rate: 4 * 1024 }
/** Of how many bytes the time may be saved up by reading fast. */
const MAX_SAVED = 1024 * 1024

export function answerJson(context: Context, status: number, json: string): void {
  context.status = status
  context.type = 'application/json; charset=utf-8'
  if (json.length <= SMALL) {
    context.body = json
    return
  }
  const bytes = Buffer.from(json)
  context.body = bodyOf(context.res, bytes)
  context.length = bytes.length
}

/** The body of an answer, in a form that does not wait in memory twice. It is broken off when it is read too slowly. */
export function bodyOf(
  response: ServerResponse,
  whole: Buffer,
  { grace, rate } = PATIENCE,
): Buffer | Readable {
  // One that is over is not told of again.
  if (!response.closed) {
    const timer = setTimeout(() => breakOff(response), grace + timeFor(whole.length, rate)).unref()
    response.once('close', () => clearTimeout(timer))
  }
  return whole.length <= MAX_WHOLE ? whole : Readable.from(partsOf(whole), { objectMode: false })
}

function* partsOf(whole: Buffer): Generator<Buffer> {
  for (let at = 0; at < whole.length; at += PART) yield whole.subarray(at, at + PART)
}

/** The body of an answer that is made while it is sent. It is broken off when it fails, and when it is read too slowly. */
export function streamOf(
  response: ServerResponse,
  chunks: AsyncIterable<string | Buffer>,
  onFailure: (error: unknown) => void,
  patience = PATIENCE,
): Readable {
  noteUnframed(response)
  const stream = Readable.from(atPace(response, chunks, patience), { objectMode: false })
  stream.on('error', error => {
    onFailure(error)
    breakOff(response)
  })
  return stream
}

/** Counts the time for which the client is waited for, and not that in which the chunks are made. */
async function* atPace(
  response: ServerResponse,
  chunks: AsyncIterable<string | Buffer>,
  { grace, rate }: Patience,
): AsyncGenerator<string | Buffer> {
  const most = grace + timeFor(MAX_SAVED, rate)
  let left = grace
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => breakOff(response), left).unref()
  }
  response.once('close', () => clearTimeout(timer))
  for await (const chunk of chunks) {
    left = Math.min(left + timeFor(Buffer.byteLength(chunk), rate), most)
    const from = performance.now()
    wait()
    yield chunk
    clearTimeout(timer)
    left -= performance.now() - from
  }
  // For what is still on its way.
  if (!response.closed) wait()
}

/** Milliseconds. */
function timeFor(bytes: number, rate: number): number {
  return (bytes / rate) * SECOND
}
