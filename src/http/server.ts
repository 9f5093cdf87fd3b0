import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { newRequestId } from '../ids.ts'
import { Problem, type ProblemCode } from '../problem.ts'
import { SECOND } from '../time.ts'
import { errorBody, statusOf } from './errors.ts'

const HEADERS_TIMEOUT = 10 * SECOND
const REQUEST_TIMEOUT = 30 * SECOND
const KEEP_ALIVE_TIMEOUT = 65 * SECOND
/** A connection on which nothing moves, in either direction: a client that does not read its answer. */
const IDLE_TIMEOUT = 120 * SECOND
const SHUTDOWN_TIMEOUT = 10 * SECOND
const MAX_HEADER_BYTES = 16 * 1024
const MAX_CONNECTIONS = 4_000
/** Connections of one address, so that one slow client cannot take them all. */
const MAX_CONNECTIONS_OF_ADDRESS = 1_000

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
  const underWay = new Set<ServerResponse>()
  let closing = false
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    connectionsCheckingInterval: SECOND,
    // The address of the service is its --base-url: Host decides nothing.
    requireHostHeader: false,
  })
  server.maxConnections = MAX_CONNECTIONS
  server.timeout = IDLE_TIMEOUT
  limitConnections(server)

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    latest.set(request.socket, { request, response })
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
    if (closing) response.shouldKeepAlive = false
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

  return {
    server,
    async close() {
      // Each connection ends with the answer that it waits for: its client would send another request on it.
      closing = true
      for (const response of underWay) response.shouldKeepAlive = false
      // A connection counts as idle, and is closed, until its request is read: what has arrived is read in two turns.
      await setImmediate()
      await setImmediate()
      await new Promise<void>((resolve, reject) => {
        const cutOff = setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT)
        server.close(error => {
          clearTimeout(cutOff)
          if (error === undefined) resolve()
          else reject(error)
        })
      })
    },
  }
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

function limitConnections(server: Server): void {
  const open = new Map<string, number>()
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const count = (open.get(address) ?? 0) + 1
    if (count > MAX_CONNECTIONS_OF_ADDRESS) {
      socket.destroy()
      return
    }
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
}
