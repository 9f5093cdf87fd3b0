import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Problem } from '#base/problem.ts'
import { SECOND } from '#base/time.ts'
import { errorBody, statusOf } from './errors.ts'

/** The most bytes to read and discard of a refused request, so that its sender can read the answer. */
const MAX_DISCARDED = 32 * 1024 * 1024
const MAX_LINGER = 2 * SECOND

/** Answers on the socket itself, because there is no whole request, and ends the connection. */
export function answerRaw(
  socket: Socket,
  problem: Problem,
  requestId: string,
  more: Readonly<Record<string, string>>,
): void {
  const status = statusOf(problem)
  const body = errorBody(problem, requestId)
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...more,
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  linger(socket)
}

/** Reads on for a moment. The system resets a connection that is closed with unread bytes, and its answer is lost. */
function linger(socket: Socket): void {
  let discarded = 0
  socket.removeAllListeners('data')
  socket.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > MAX_DISCARDED) socket.destroy()
  })
  socket.on('error', () => socket.destroy())
  socket.resume()
  setTimeout(() => socket.destroy(), MAX_LINGER).unref()
}
