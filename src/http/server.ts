import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer, Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { newRequestId } from '../ids.ts'
import { Problem, type ProblemCode } from '../problem.ts'
import { SECOND } from '../time.ts'
import { watchCarriers } from './breaking-off.ts'
import { type Certificate, secureOptions } from './certificate.ts'
import { Connections } from './connections.ts'
import type { RequestObserver } from './context.ts'
import { errorBody, statusOf } from './errors.ts'
import { admitPipelined } from './pipelining.ts'

const HANDSHAKE_TIMEOUT = 10 * SECOND
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

/** The latest request of a connection. */
interface LatestRequest {
  request: IncomingMessage
  /** Undefined once it is over. */
  response: ServerResponse | undefined
}

export interface HttpServer {
  server: Server
  /** Begins to answer: what came before it has waited. */
  serve(service: Service): void
  /** Has new connections get this certificate; those that are open go on. */
  useCertificate(certificate: Certificate): void
  /** Open connections, those in their handshake too. */
  readonly open: number
  /** Stops accepting, finishes what is in flight, and cuts off what is not done after 10 seconds. */
  close(): Promise<void>
}

export interface Service {
  listener: RequestListener
  /** The headers of an answer that is given before there is a whole request. */
  rateLimitHeaders?: (request: IncomingMessage) => Record<string, string>
  /** Told of those answers. */
  observe?: RequestObserver | undefined
}

/**
 * @param certificate of an https server; without it, the server speaks http
 * @param handshakeTimeout how long a TLS handshake may take, in milliseconds
 */
export function createHttpServer(
  log: Logger,
  certificate?: Certificate,
  handshakeTimeout = HANDSHAKE_TIMEOUT,
): HttpServer {
  const latest = new WeakMap<Duplex, LatestRequest>()
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    connectionsCheckingInterval: SECOND,
    // The address of the service is its --base-url: Host decides nothing.
    requireHostHeader: false,
  }
  const server: Server | SecureServer =
    certificate === undefined
      ? createServer(options)
      : createSecureServer({
          ...options,
          ...secureOptions(certificate),
          handshakeTimeout,
        })
  server.timeout = IDLE_TIMEOUT
  const connections = new Connections(server)
  watchCarriers(server)
  let service: Service | undefined
  const early = new Set<() => void>()

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (!admitPipelined(request, response)) return
    const own: LatestRequest = { request, response }
    latest.set(request.socket, own)
    connections.note(request, response)
    const answer = () => service?.listener(request, response)
    response.once('close', () => {
      // What was sent would stay in memory with it, for as long as the connection is kept.
      own.response = undefined
      early.delete(answer)
    })
    if (service === undefined) early.add(answer)
    else answer()
  }
  server.on('request', handle)
  server.on('checkExpectation', handle)
  server.on('connect', (_request, socket: Duplex) => answerSocket(socket as Socket, 'method_not_allowed'))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!connections.isReady(socket as Socket)) {
      // A handshake that failed: plain http, say, or a client that does not trust the certificate.
      log.debug({ code: error.code }, 'a connection failed before it was encrypted')
      socket.destroy()
      return
    }
    const last = latest.get(socket)
    const { request, response } = last ?? {}
    const begun = last !== undefined && (response === undefined || response.headersSent)
    const answered = begun && !request?.complete
    const midway = begun && response !== undefined && !response.writableFinished
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
      ...service?.rateLimitHeaders?.({ socket, headers: {} } as IncomingMessage),
      Connection: 'close',
    }
    service?.observe?.({ method: null, route: null, status: statusOf(problem), duration: 0 })
    log.info({ request_id: requestId, method: null, route: null, status: statusOf(problem), code })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${statusOf(problem)} ${REASONS[statusOf(problem)]}\r\n${lines.join('')}\r\n${body}`)
    linger(socket)
  }

  let closed: Promise<void> | undefined
  return {
    server,
    serve(given) {
      service = given
      for (const answer of early) answer()
      early.clear()
    },
    useCertificate(renewed) {
      if (server instanceof SecureServer) server.setSecureContext(secureOptions(renewed))
    },
    get open() {
      return connections.open
    },
    close() {
      // What was never answered is not worth waiting for.
      closed ??= connections.close(service === undefined ? 0 : SHUTDOWN_TIMEOUT)
      return closed
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
