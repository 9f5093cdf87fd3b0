import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Api } from './api.ts'
import type { StripeClock } from './clock.ts'
import type { HostedPages, PageAnswer } from './hosted-page.ts'
import type { LoggedRequest, RequestLog } from './traffic.ts'

interface Parts {
  api: Api
  pages: HostedPages
  log: RequestLog
  clock: StripeClock
  /** Is called before each request, and ends what its clock ends. */
  sweep(): void
  /**
   * Is called after each request, and sends the webhooks that came of it. A page waits for them, so that they arrive before the
   * buyer does.
   */
  flush(): Promise<void>
  /** Whether webhooks go before the API answers what they came of. */
  isEarly(): boolean
}

const MOST_BYTES = 1_000_000

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error('a request is larger than the stand-in takes')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** The socket side of the stand-in: it can go down, and come up again at the same port. */
export class StripeServer {
  private readonly parts: Parts
  private readonly server: Server
  private port = 0

  constructor(parts: Parts) {
    this.parts = parts
    this.server = createServer((request, response) => {
      this.handle(request, response).catch((error: unknown) => {
        process.emitWarning(error instanceof Error ? error : String(error))
        response.destroy()
      })
    })
    this.server.keepAliveTimeout = 60_000
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async up(port = this.port): Promise<void> {
    if (this.server.listening) return
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen(port, '127.0.0.1', () => {
        this.server.off('error', reject)
        resolve()
      })
    })
    this.port = (this.server.address() as AddressInfo).port
  }

  /** Closes every connection, and refuses new ones. */
  async down(): Promise<void> {
    if (!this.server.listening) return
    const closed = new Promise<void>(resolve => this.server.close(() => resolve()))
    this.server.closeAllConnections()
    await closed
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sweep, pages, flush } = this.parts
    const { pathname, search } = new URL(request.url ?? '/', this.origin)
    const body = await bodyOf(request)
    sweep()
    if (pathname.startsWith('/c/pay/')) {
      const answer = pages.answer(request.method ?? 'GET', pathname, search)
      await flush()
      sendPage(response, answer)
      return
    }
    await this.answerApi(request, response, { path: pathname, query: search.slice(1), body })
    await flush()
  }

  private async answerApi(
    request: IncomingMessage,
    response: ServerResponse,
    { path, query, body }: { path: string; query: string; body: string },
  ): Promise<void> {
    const { api, log, clock, flush, isEarly } = this.parts
    const requestId = `req_${randomBytes(7).toString('hex')}`
    const method = request.method ?? 'GET'
    const key = request.headers['idempotency-key']
    const entry: LoggedRequest = {
      at: clock.now().toISOString(),
      method,
      path,
      endpoint: null,
      params: {},
      idempotencyKey: typeof key === 'string' ? key : null,
      account: null,
      version: headerOf(request, 'stripe-version'),
      requestId,
      status: null,
      replayed: false,
    }
    const { headers } = request
    const answer = await api.answer(
      { method, path, query, headers, body, requestId, origin: this.origin },
      entry,
    )
    if (isEarly()) await flush()
    entry.status = answer?.status ?? null
    log.add(entry)
    if (!answer) {
      response.destroy()
      return
    }
    response.sendDate = false
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      date: clock.now().toUTCString(),
      'request-id': requestId,
      ...(entry.version === null ? {} : { 'stripe-version': entry.version }),
      ...answer.headers,
    })
    response.end(answer.body)
  }
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}

function sendPage(response: ServerResponse, { status, location, html = '' }: PageAnswer): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    ...(location === undefined ? {} : { location }),
  })
  response.end(html)
}
