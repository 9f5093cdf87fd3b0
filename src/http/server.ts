import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { newRequestId } from '../ids.ts'
import { Problem, type ProblemCode } from '../problem.ts'
import { SECOND } from '../time.ts'
import { Connections } from './connections.ts'
import { errorBody, statusOf } from './errors.ts'

const HEADERS_TIMEOUT = 10 * SECOND
const REQUEST_TIMEOUT = 30 * SECOND
const KEEP_ALIVE_TIMEOUT = 65 * SECOND
/** A connection on which nothing moves, in either direction: a client that does not read its answer. */
const IDLE_TIMEOUT = 120 * SECOND
const SHUTDOWN_TIMEOUT = 10 * SECOND
const MAX_HEADER_BYTES = 16 * 1024

/** How much of a refused request is read and thrown away so that its sender can read the answer. */
const MAX_DISCARDED = 32 * 1024 * 1024
const MAX_LINGER = 2 * SECOND

export interface HttpServer {
  server: Server
  /** Stops accepting, finishes what is in flight, and cuts off what is not done after 10 seconds. */
  close(): Promise<void>
}

/** @param rateLimitHeaders for an answer that is given before there is a whole request */
export function createHttpServer(
  listener: RequestListener,
  rateLimitHeaders: (request: IncomingMessage) => Record<string, string>,
): HttpServer {
  const latest = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>()
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    connectionsCheckingInterval: SECOND,
    // The address of the service is its --base-url: Host decides nothing.
    requireHostHeader: false,
  })
  server.timeout = IDLE_TIMEOUT
  const connections = new Connections(server)

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    latest.set(request.socket, { request, response })
    connections.note(request, response)
    listener(request, response)
  }
  server.on('request', handle)
  server.on('checkExpectation', handle)
  server.on('connect', (_request, socket: Duplex) => answerSocket(socket as Socket, 'method_not_allowed'))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const last = latest.get(socket)
    const answered = last?.response.headersSent && !last.request.complete
    const midway = last?.response.headersSent && !last.response.writableFinished
    if (error.code === 'ECONNRESET' || !socket.writable || answered || midway) socket.destroy()
    else answerSocket(socket as Socket, problemOf(error))
  })

  function answerSocket(socket: Socket, code: ProblemCode): void {
    const problem = new Problem(
      code,
      code === 'invalid_parameter' ? { message: 'The request is not valid HTTP.' } : {},
    )
    const requestId = newRequestId()
    const body = errorBody(problem, requestId)
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Request-Id': requestId,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(code === 'method_not_allowed' ? { Allow: 'GET, HEAD, POST' } : {}),
      ...rateLimitHeaders({ socket, headers: {} } as IncomingMessage),
      Connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${statusOf(problem)} ${REASONS[statusOf(problem)]}\r\n${lines.join('')}\r\n${body}`)
    linger(socket)
  }

  return { server, close: () => connections.close(SHUTDOWN_TIMEOUT) }
}

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
}

function problemOf(error: NodeJS.ErrnoException): ProblemCode {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout'
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large'
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'payload_too_large'
    default:
      return 'invalid_parameter'
  }
}

/** Reads on for a moment: a connection that is closed on unread bytes is reset, and its answer is lost. */
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
