import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Names what becomes of a request: `gone` ends it before it arrives, `cut` before its answer comes back, `slow` keeps it for 5 s,
 * `failing` answers 500, `portal` answers 200 with a page to sign in on, and `led-away` redirects to one.
 */
export type Weather = 'good' | 'gone' | 'cut' | 'slow' | 'failing' | 'portal' | 'led-away'

/** The delay of `slow`, in milliseconds. */
export const SLOW = 5000
const PORTAL = '<!doctype html><title>Welcome to our WiFi</title><h1>Sign in</h1>'

/**
 * Connects one phone with the server: it has an address of its own, whose weather changes, and behind which servers take each
 * other's place.
 */
export class PhoneLine {
  weather: Weather = 'good'
  readonly url: string
  /** The bodies with scans that arrived, one text for each request. */
  readonly arrived: string[] = []
  #origin: string

  private constructor(url: string, origin: string) {
    this.url = url
    this.#origin = origin
  }

  static async start(t: Pick<TestContext, 'after'>, origin: string): Promise<PhoneLine> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const line = new PhoneLine(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, origin)
    server.on('request', (incoming: IncomingMessage, answer: ServerResponse) => {
      line.#take(incoming, answer).catch(() => answer.destroy())
    })
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    return line
  }

  /** Another server takes the place of the one behind it. */
  leadTo(origin: string): void {
    this.#origin = origin
  }

  /** Returns an address of the server as this phone knows it. */
  of(address: string): string {
    const { pathname, hash } = new URL(address)
    return this.url + pathname + hash
  }

  async #take(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part as Buffer)
    const { weather } = this
    if (weather === 'gone') {
      answer.destroy()
      return
    }
    if (weather === 'failing') {
      answer.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"code":"internal_error"}}')
      return
    }
    if (weather === 'portal') {
      answer.writeHead(200, { 'content-type': 'text/html' }).end(PORTAL)
      return
    }
    if (weather === 'led-away') {
      answer.writeHead(302, { location: '/sign-in' }).end()
      return
    }
    if (weather === 'slow') await wait(SLOW)
    await this.#forward(incoming, Buffer.concat(parts), answer, weather === 'cut')
  }

  #forward(incoming: IncomingMessage, body: Buffer, answer: ServerResponse, isCut: boolean): Promise<void> {
    const { method, url = '/', headers } = incoming
    return new Promise((resolve, reject) => {
      const sent = request(this.#origin + url, { method, headers, agent: false }, got => {
        if (url.endsWith('/scans')) this.arrived.push(body.toString())
        if (isCut) {
          got.resume()
          answer.destroy()
        } else {
          answer.writeHead(got.statusCode ?? 500, got.headers)
          got.pipe(answer)
        }
        got.on('end', resolve).on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }
}
