import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { SECOND } from '#base/time.ts'
import { breakOff, noteUnframed } from './breaking-off.ts'
import type { Context } from './face.ts'
import { SMALL } from './memory-budget.ts'

/** The bytes of a part. */
const PART = 16 * 1024
/** The most bytes of an answer that goes out whole. With TLS, what waits to be sent is in memory twice. */
const MAX_UNDIVIDED = 128 * 1024

/**
 * The slowest pace at which a client may read an answer. A client that stops for a moment, or reads no faster than a bad mobile
 * connection, gets all of it. One that takes a byte a minute would keep the answer in memory for days.
 */
export interface Patience {
  /** Milliseconds. */
  grace: number
  /** Bytes a second. */
  rate: number
}

const PATIENCE: Patience = { grace: 60 * SECOND, rate: 4 * 1024 }
/** The most bytes whose time a client can save up by reading fast. */
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

/**
 * Returns the body of an answer, in a form that does not wait in memory twice. It is broken off if the client reads too slowly.
 */
export function bodyOf(
  response: ServerResponse,
  bytes: Buffer,
  { grace, rate } = PATIENCE,
): Buffer | Readable {
  // An answer that is over does not report its end again.
  if (!response.closed) {
    const timer = setTimeout(() => breakOff(response), grace + timeFor(bytes.length, rate)).unref()
    response.once('close', () => clearTimeout(timer))
  }
  return bytes.length <= MAX_UNDIVIDED ? bytes : Readable.from(partsOf(bytes), { objectMode: false })
}

function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART) yield bytes.subarray(at, at + PART)
}

/**
 * Returns the body of an answer that is made while it is sent. It is broken off if it fails, or if the client reads too slowly.
 */
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

/** Counts only the time spent waiting for the client, not the time in which the chunks are made. */
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
  // The last timer is for bytes that are still on their way.
  if (!response.closed) wait()
}

/** Returns milliseconds. */
function timeFor(bytes: number, rate: number): number {
  return (bytes / rate) * SECOND
}
