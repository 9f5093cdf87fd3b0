import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as SecureServer } from 'node:https'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { reset } from './breaking-off.ts'
import { addressGroup } from './client-address.ts'

const MAX_CONNECTIONS = 4_000
/** Connections of one address, so that one slow client cannot take them all. */
const MAX_CONNECTIONS_OF_ADDRESS = 1_000

/** The connections of a server: bounded in number, and ended without cutting off an answer. */
export class Connections {
  readonly #server: Server
  /** Every connection, as the system has it. */
  readonly #open = new Set<Socket>()
  /** Those that may carry a request: with TLS, the encrypted ones that were made of those above. */
  readonly #ready = new Set<Socket>()
  readonly #ofAddress = new Map<string, number>()
  readonly #answering = new Set<ServerResponse>()
  #closing = false

  constructor(server: Server | SecureServer) {
    this.#server = server
    server.maxConnections = MAX_CONNECTIONS
    const isSecure = server instanceof SecureServer
    server.prependListener('connection', (socket: Socket) => {
      this.#accept(socket)
      if (!isSecure) this.#makeReady(socket)
    })
    if (isSecure) server.prependListener('secureConnection', (socket: Socket) => this.#makeReady(socket))
  }

  get open(): number {
    return this.#open.size
  }

  /** False before the end of a TLS handshake. */
  isReady(socket: Socket): boolean {
    return this.#ready.has(socket)
  }

  /** Notes a request whose answer is under way. */
  note({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#answering.add(response)
    if (this.#closing) response.shouldKeepAlive = false
    response.once('close', () => {
      this.#answering.delete(response)
      if (this.#closing) socket.destroySoon()
    })
  }

  /**
   * Stops accepting, and ends each connection with the answer that it waits for; connections that are left after `timeout`
   * milliseconds are cut off.
   */
  async close(timeout: number): Promise<void> {
    this.#closing = true
    // Its client would send another request on a connection that is kept.
    for (const response of this.#answering) response.shouldKeepAlive = false
    // What has arrived is read within two turns, and is answered.
    await turnOfEventLoop()
    await turnOfEventLoop()
    await new Promise<void>(resolve => {
      const cutOff = setTimeout(() => {
        for (const socket of this.#open) reset(socket)
      }, timeout)
      // http.Server's own close takes a connection for idle, and cuts it off, before its last answer has left.
      NetServer.prototype.close.call(this.#server, () => {
        clearTimeout(cutOff)
        resolve()
      })
      const busy = new Set([...this.#answering].map(response => response.socket))
      for (const socket of this.#ready) if (!busy.has(socket)) socket.destroySoon()
      const ready = new Set([...this.#ready].map(nameOf))
      for (const socket of this.#open) if (!ready.has(nameOf(socket))) socket.destroy()
    })
  }

  #accept(socket: Socket): void {
    const address = addressGroup(socket.remoteAddress ?? '')
    const count = (this.#ofAddress.get(address) ?? 0) + 1
    if (count > MAX_CONNECTIONS_OF_ADDRESS || this.#closing) {
      socket.destroy()
      return
    }
    this.#ofAddress.set(address, count)
    this.#open.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      const left = (this.#ofAddress.get(address) ?? 1) - 1
      if (left === 0) this.#ofAddress.delete(address)
      else this.#ofAddress.set(address, left)
    })
  }

  #makeReady(socket: Socket): void {
    this.#ready.add(socket)
    socket.once('close', () => this.#ready.delete(socket))
  }
}

/** An encrypted connection and the one that it was made of have the same. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
