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
import { type Certificate, secureOptions } from './certificate.ts'
import { type ConnectionOptions, Connections } from './connections.ts'
import type { RequestObserver } from './context.ts'
import { statusOf } from './errors.ts'
import { answerRaw } from './raw-answer.ts'

const HANDSHAKE_TIMEOUT = 10 * SECOND
const HEADERS_TIMEOUT = 10 * SECOND
const REQUEST_TIMEOUT = 30 * SECOND
const KEEP_ALIVE_TIMEOUT = 65 * SECOND
/** A connection on which nothing moves, in either direction: a client that does not read its answer. */
const IDLE_TIMEOUT = 120 * SECOND
const SHUTDOWN_TIMEOUT = 10 * SECOND
const MAX_HEADER_BYTES = 16 * 1024

export interface Service {
  listener: RequestListener
  /** The headers of an answer that is given before there is a whole request. */
  rateLimitHeaders?: (request: IncomingMessage) => Record<string, string>
  /** Told of those answers. */
  observe?: RequestObserver | undefined
}

export interface HttpServerOptions {
  /** Of an https server; without it, the server speaks http. */
  certificate?: Certificate | undefined
  /** How long a TLS handshake may take, in milliseconds. */
  handshakeTimeout?: number
  connections?: ConnectionOptions
}

export function createHttpServer(log: Logger, options?: HttpServerOptions): HttpServer {
  return new HttpServer(log, options)
}

export class HttpServer {
  readonly server: Server | SecureServer
  readonly #log: Logger
  readonly #connections: Connections
  readonly #latest = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>()
  readonly #early: (() => void)[] = []
  #service: Service | undefined
  #closed: Promise<void> | undefined

  constructor(log: Logger, { certificate, handshakeTimeout, connections }: HttpServerOptions = {}) {
    this.#log = log
    this.server = makeServer(certificate, handshakeTimeout)
    this.#connections = new Connections(this.server, connections)
    const handle = (request: IncomingMessage, response: ServerResponse) => this.#handle(request, response)
    this.server.on('request', handle)
    this.server.on('checkExpectation', handle)
    this.server.on('connect', (_request, socket: Duplex) =>
      this.#refuse(socket as Socket, 'method_not_allowed'),
    )
    this.server.on('clientError', (error, socket) => this.#onClientError(error, socket as Socket))
  }

  /** Begins to answer: what came before it has waited. */
  serve(service: Service): void {
    this.#service = service
    for (const answer of this.#early.splice(0)) answer()
  }

  /** Has new connections get this certificate; those that are open go on. */
  useCertificate(renewed: Certificate): void {
    if (this.server instanceof SecureServer) this.server.setSecureContext(secureOptions(renewed))
  }

  /** Open connections, those in their handshake too. */
  get open(): number {
    return this.#connections.open
  }

  /** Stops accepting, finishes what is in flight, and cuts off what is not done after 10 seconds. */
  close(): Promise<void> {
    // What was never answered is not worth waiting for.
    this.#closed ??= this.#connections.close(this.#service === undefined ? 0 : SHUTDOWN_TIMEOUT)
    return this.#closed
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    this.#latest.set(request.socket, { request, response })
    this.#connections.note(request, response)
    if (this.#service === undefined) this.#early.push(() => this.#service?.listener(request, response))
    else this.#service.listener(request, response)
  }

  #onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    if (!this.#connections.isReady(socket)) {
      // A handshake that failed: plain http, say, or a client that does not trust the certificate.
      this.#log.debug({ code: error.code }, 'a connection failed before it was encrypted')
      socket.destroy()
      return
    }
    const last = this.#latest.get(socket)
    const answered = last?.response.headersSent && !last.request.complete
    const midway = last?.response.headersSent && !last.response.writableFinished
    if (error.code === 'ECONNRESET' || !socket.writable || answered || midway) socket.destroy()
    else this.#refuse(socket, problemOf(error))
  }

  #refuse(socket: Socket, code: ProblemCode): void {
    const message = code === 'invalid_parameter' ? { message: 'The request is not valid HTTP.' } : {}
    const problem = new Problem(code, message)
    const status = statusOf(problem)
    const requestId = newRequestId()
    this.#service?.observe?.({ method: null, route: null, status, duration: 0 })
    this.#log.info({ request_id: requestId, method: null, route: null, status, code })
    answerRaw(socket, problem, requestId, {
      ...(code === 'method_not_allowed' ? { Allow: 'GET, HEAD, POST' } : {}),
      ...this.#service?.rateLimitHeaders?.({ socket, headers: {} } as IncomingMessage),
    })
  }
}

function makeServer(
  certificate: Certificate | undefined,
  handshakeTimeout = HANDSHAKE_TIMEOUT,
): Server | SecureServer {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    connectionsCheckingInterval: SECOND,
    // The address of the service is its --base-url: Host decides nothing.
    requireHostHeader: false,
  }
  const server =
    certificate === undefined
      ? createServer(options)
      : createSecureServer({ ...options, ...secureOptions(certificate), handshakeTimeout })
  server.timeout = IDLE_TIMEOUT
  return server
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
