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
import { newRequestId } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { SECOND } from '#base/time.ts'
import { giveMoreTime } from './body-rate.ts'
import { type Certificate, secureOptions } from './certificate.ts'
import { type ConnectionOptions, Connections } from './connections.ts'
import { statusOf } from './errors.ts'
import { inTurn } from './in-turn.ts'
import type { RequestObserver } from './observer.ts'
import { type Allowance, rateLimitHeaders } from './rate-limit.ts'
import { answerRaw } from './raw-answer.ts'
import { isWellFramed } from './sent-headers.ts'

const HANDSHAKE_TIMEOUT = 10 * SECOND
const HEADERS_TIMEOUT = 10 * SECOND
const REQUEST_TIMEOUT = 30 * SECOND
const KEEP_ALIVE_TIMEOUT = 65 * SECOND
/** The limit for a connection on which nothing moves in either direction, as when a client does not read its answer. */
const IDLE_TIMEOUT = 120 * SECOND
const SHUTDOWN_TIMEOUT = 10 * SECOND
const MAX_HEADER_BYTES = 16 * 1024
const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT'

/** The latest request of a connection. */
interface LatestRequest {
  request: IncomingMessage
  /** Undefined once the answer is over. */
  response: ServerResponse | undefined
}

export interface Service {
  listener: RequestListener
  /** Returns the headers of an answer that is given before there is a whole request. */
  standingHeaders?: (request: IncomingMessage) => Record<string, string>
  /** Counts input that is not a request against its address. */
  count?: (request: IncomingMessage) => Allowance
  /** Receives those answers. */
  observe?: RequestObserver | undefined
}

export interface HttpServerOptions {
  /** The certificate of an https server. Without it, the server speaks http. */
  certificate?: Certificate | undefined
  /** How long a TLS handshake may take, in milliseconds. */
  handshakeTimeout?: number
  connections?: ConnectionOptions
}

export class HttpServer {
  readonly server: Server | SecureServer
  readonly #log: Logger
  readonly #connections: Connections
  /** The connections on which nothing that follows is looked at any more. */
  readonly #refused = new WeakSet<Duplex>()
  readonly #latest = new WeakMap<Duplex, LatestRequest>()
  readonly #early = new Set<() => void>()
  readonly #answerInTurn = inTurn((request, response) => {
    const answer = () => this.#service?.listener(request, response)
    if (this.#service !== undefined) answer()
    else {
      this.#early.add(answer)
      response.once('close', () => this.#early.delete(answer))
    }
  })
  #service: Service | undefined
  #closed: Promise<void> | undefined

  constructor(log: Logger, { certificate, handshakeTimeout, connections }: HttpServerOptions = {}) {
    this.#log = log
    this.server = makeServer(certificate, handshakeTimeout)
    this.#connections = new Connections(this.server, connections)
    const handle = (request: IncomingMessage, response: ServerResponse) => this.#handle(request, response)
    this.server.on('request', handle)
    this.server.on('checkExpectation', handle)
    this.server.on('connect', (request, socket: Duplex) =>
      this.#refuse(socket as Socket, new Problem('method_not_allowed'), request),
    )
    this.server.on('clientError', (error, socket) => this.#onClientError(error, socket as Socket))
  }

  /** Begins to answer. Earlier requests have waited. */
  serve(service: Service): void {
    this.#service = service
    for (const answer of this.#early) answer()
    this.#early.clear()
  }

  /** Gives this certificate to new connections. Open ones go on. */
  useCertificate(renewed: Certificate): void {
    if (this.server instanceof SecureServer) this.server.setSecureContext(secureOptions(renewed))
  }

  /** The number of open connections, including those in their handshake. */
  get open(): number {
    return this.#connections.open
  }

  /**
   * Stops accepting, finishes what is in flight, and cuts off what is not done after 10 seconds.
   *
   * @param linger how many milliseconds a connection that is kept has for one last request
   */
  close(linger = 0): Promise<void> {
    // Before the service runs, no request was answered, so there is nothing to wait for.
    this.#closed ??= this.#connections.close(this.#service === undefined ? 0 : SHUTDOWN_TIMEOUT, linger)
    return this.#closed
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    if (this.#refused.has(socket)) return
    if (!isWellFramed(request)) {
      this.#refuse(socket, notHttp(), request)
      return
    }
    const own: LatestRequest = { request, response }
    this.#latest.set(socket, own)
    this.#connections.note(request, response)
    // Everything that the stages have set up for an answer ends with it.
    response.setMaxListeners(20)
    response.once('close', () => {
      // The answer would keep what was sent in memory for as long as the connection is kept.
      own.response = undefined
    })
    this.#answerInTurn(request, response)
  }

  #onClientError(error: ParseError, socket: Socket): void {
    if (!this.#connections.isReady(socket)) {
      // A handshake has failed, for example with plain http, or because the client does not trust the certificate.
      this.#log.debug({ code: error.code }, 'a connection failed before it was encrypted')
      socket.destroy()
      return
    }
    const last = this.#latest.get(socket)
    const isMidway = last !== undefined && !last.request.complete
    const isOver = () => last?.response === undefined || last.response.headersSent
    const isAnswered = isMidway && isOver()
    if (isMidway && !isAnswered && error.code === TIMED_OUT) {
      const refuse = () =>
        isOver() ? socket.destroy() : this.#refuse(socket, new Problem('request_timeout'))
      if (giveMoreTime(last.request, isOver, refuse)) return
    }
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) {
      socket.destroy()
      return
    }
    const problem = problemOf(error)
    // A request that is too slow has asked for nothing, and the head of one that breaks off was already counted.
    if (isMidway || problem.code === 'request_timeout') this.#refuse(socket, problem)
    else this.#refuse(socket, problem, withoutHeaders(socket))
  }

  /**
   * Refuses input that is not a request, and ends its connection once everything asked on it before is answered.
   *
   * @param counted what to count against its address, if that has not been done
   */
  #refuse(socket: Socket, problem: Problem, counted?: IncomingMessage): void {
    if (this.#refused.has(socket)) return
    this.#refused.add(socket)
    const allowance = counted && this.#service?.count?.(counted)
    const standing = this.#service?.standingHeaders?.(counted ?? withoutHeaders(socket))
    const limits = allowance === undefined ? standing : { ...standing, ...rateLimitHeaders(allowance) }
    const answer =
      allowance?.allowed === false
        ? () =>
            this.#answer(socket, new Problem('rate_limited'), {
              ...limits,
              'Retry-After': `${allowance.retryAfter}`,
            })
        : () => this.#answer(socket, problem, { ...limits })
    const before = this.#connections.answering(socket).findLast(response => response.req.complete)
    if (before === undefined) answer()
    else {
      socket.pause()
      before.once('close', answer)
    }
  }

  #answer(socket: Socket, problem: Problem, headers: Record<string, string>): void {
    // The connection has ended or gone, together with an earlier answer.
    if (!socket.writable) return
    const { code } = problem
    const status = statusOf(problem)
    const requestId = newRequestId()
    this.#service?.observe?.({ method: null, route: null, status, duration: 0 })
    this.#log.info({ request_id: requestId, method: null, route: null, status, code })
    const allow = code === 'method_not_allowed' ? { Allow: 'GET, HEAD, POST' } : {}
    answerRaw(socket, problem, requestId, { ...allow, ...headers })
  }
}

/** Returns a request of which only its origin is known. */
function withoutHeaders(socket: Socket): IncomingMessage {
  return { socket, headers: {} } as IncomingMessage
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
    // The address of the service is its --base-url, and Host decides nothing.
    requireHostHeader: false,
  }
  const server =
    certificate === undefined
      ? createServer(options)
      : createSecureServer({ ...options, ...secureOptions(certificate), handshakeTimeout })
  server.timeout = IDLE_TIMEOUT
  // Otherwise Node drops headers after the 2,000th. The limit on their bytes is enough.
  server.maxHeadersCount = 0
  return server
}

/** Node's error about a request that cannot be parsed: https://nodejs.org/api/http.html#event-clienterror */
interface ParseError extends NodeJS.ErrnoException {
  /** The bytes that came last, and how many of them were good. */
  rawPacket?: Buffer
  bytesParsed?: number
}

function problemOf({ code, rawPacket, bytesParsed = 0 }: ParseError): Problem {
  switch (code) {
    case TIMED_OUT:
      return new Problem('request_timeout')
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('headers_too_large')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('payload_too_large')
    case 'HPE_INVALID_URL':
      return notHttp((rawPacket?.[bytesParsed] ?? 0) > 0x7f ? NOT_ENCODED : '')
    default:
      return notHttp()
  }
}

const NOT_ENCODED = ': its target has a character that is not ASCII. Percent-encode it, as UTF-8'

function notHttp(because = ''): Problem {
  return new Problem('invalid_parameter', { message: `The request is not valid HTTP${because}.` })
}
