import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** Names what becomes of a request on its way: whether it arrives, how often, when, and whether its answer comes back. */
export type Fate = 'pass' | 'drop' | 'lose' | 'repeat' | 'late' | 'overtaken'

export interface Forwarded {
  method: string
  path: string
  token: string
  body: string
}

interface Answered {
  status: number
  text: string
}

/** The network of a venue. What reaches the server does so one at a time, so that a test knows the order. */
export class LossyProxy {
  /** Decides about each request with a body; without it the network is sound. */
  fateOf: (() => Fate) | undefined
  /** Is called for each request that reached the server, with its answer, in their order. */
  onForwarded: (request: Forwarded, answer: Answered) => void = () => undefined
  readonly url: string
  readonly #origin: string
  /** The requests that their senders gave up, and that arrive all the same. */
  #late: Forwarded[] = []
  #last: Promise<unknown> = Promise.resolve()
  #failure: unknown

  private constructor(origin: string, url: string) {
    this.#origin = origin
    this.url = url
  }

  static async start(t: Pick<TestContext, 'after'>, origin: string): Promise<LossyProxy> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const proxy = new LossyProxy(origin, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      proxy.#take(request, response).catch(() => response.destroy())
    })
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    return proxy
  }

  /** @throws what `onForwarded` has thrown */
  refuseFailure(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Has all arrive that is still under way. */
  async settled(): Promise<void> {
    const late = this.#late
    this.#late = []
    for (const request of late) await this.#forward(request)
    await this.#last
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    const sent = { method, path, token: headers.authorization ?? '', body: Buffer.concat(chunks).toString() }
    const fate = this.fateOf?.() ?? 'pass'
    if (fate === 'drop') return void response.destroy()
    if (fate === 'late') {
      this.#late.push(sent)
      return void response.destroy()
    }
    // Other requests that come meanwhile go first.
    if (fate === 'overtaken') await new Promise(resolve => setTimeout(resolve, 2))
    const answer = await this.#forward(sent)
    if (fate === 'repeat') await this.#forward(sent)
    if (this.fateOf !== undefined && this.#late.length > 0) {
      await this.#forward(this.#late.shift() as Forwarded)
    }
    if (fate === 'lose') return void response.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(answer.text)
  }

  #forward(request: Forwarded): Promise<Answered> {
    const turn = this.#last.then(async () => {
      const { method, path, token, body } = request
      const response = await fetch(`${this.#origin}${path}`, {
        method,
        headers: { authorization: token, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
        ...(body === '' ? {} : { body }),
      })
      const answer = { status: response.status, text: await response.text() }
      try {
        this.onForwarded(request, answer)
      } catch (error) {
        this.#failure ??= error
      }
      return answer
    })
    this.#last = turn.catch(() => undefined)
    return turn
  }
}
