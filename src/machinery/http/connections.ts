import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as SecureServer } from 'node:https'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { noteCarrier, reset } from './breaking-off.ts'
import { addressGroup } from './client-address.ts'

export interface ConnectionOptions {
  /** The most connections. */
  most?: number
  /** The most connections of one address, so that one client cannot take them all. */
  mostOfAddress?: number
  /** Returns whether an address is that of a proxy. Everybody may be behind it, so it may take all connections. */
  isProxy?: (address: string) => boolean
}

interface Connection {
  /** The socket of the system. */
  socket: Socket
  /** The socket that carries the requests. With TLS it is the encrypted socket, once the handshake has ended. */
  carrier: Socket | undefined
  /** The answers under way. */
  readonly answering: Set<ServerResponse>
  /** The crowds in which it counts: that of its address and that of all. */
  readonly crowds: readonly Crowd[]
}

/** Connections that share one limit. */
class Crowd {
  /** The address that they share. */
  readonly address: string | undefined
  readonly most: number
  readonly open = new Set<Connection>()
  /** The connections that wait for a request, or for the rest of its head. The longest silence is first. */
  readonly silent = new Set<Connection>()

  constructor(most: number, address?: string) {
    this.most = most
    this.address = address
  }
}

/**
 * The connections of a server. Their number is limited, and they end without cutting off an answer. If there are too many, the
 * one that has been silent longest makes room for the new one. Silence costs a client nothing, so a silent connection must keep
 * nobody out.
 */
export class Connections {
  readonly #server: Server
  readonly #isProxy: (address: string) => boolean
  readonly #mostOfAddress: number
  readonly #all: Crowd
  readonly #ofAddress = new Map<string, Crowd>()
  readonly #ofCarrier = new WeakMap<Socket, Connection>()
  /** The connections of a TLS server, by the name that both sockets of a connection have. */
  readonly #ofName = new Map<string, Connection>()
  #closing = false

  constructor(
    server: Server | SecureServer,
    { most = 4_000, mostOfAddress = 1_000, isProxy = () => false }: ConnectionOptions = {},
  ) {
    this.#server = server
    this.#isProxy = isProxy
    this.#mostOfAddress = mostOfAddress
    this.#all = new Crowd(most)
    // Only a new connection that the server has accepted can make another one give way.
    server.maxConnections = most + 1
    const isSecure = server instanceof SecureServer
    server.prependListener('connection', (socket: Socket) => {
      const connection = this.#accept(socket)
      if (connection === undefined) socket.destroy()
      else if (isSecure) this.#awaitHandshake(connection)
      else this.#makeReady(connection, socket)
    })
    if (isSecure) {
      server.prependListener('secureConnection', (socket: Socket) => {
        const connection = this.#ofName.get(nameOf(socket))
        if (connection !== undefined) this.#makeReady(connection, socket)
      })
    }
  }

  get open(): number {
    return this.#all.open.size
  }

  /** Returns whether the connection can carry requests, which is false before the end of a TLS handshake. */
  isReady(socket: Socket): boolean {
    return this.#ofCarrier.has(socket)
  }

  /** Returns the answers under way on a connection, in the order of their requests. */
  answering(socket: Socket): ServerResponse[] {
    return [...(this.#ofCarrier.get(socket)?.answering ?? [])]
  }

  /** Notes a request whose answer is under way. Its connection does not give way to others. */
  note({ socket }: IncomingMessage, response: ServerResponse): void {
    if (this.#closing) response.shouldKeepAlive = false
    const connection = this.#ofCarrier.get(socket)
    if (connection === undefined) return
    connection.answering.add(response)
    for (const { silent } of connection.crowds) silent.delete(connection)
    response.once('close', () => {
      connection.answering.delete(response)
      if (this.#closing) socket.destroySoon()
      if (connection.answering.size > 0) return
      for (const { open, silent } of connection.crowds) if (open.has(connection)) silent.add(connection)
    })
  }

  /**
   * Stops accepting, and ends each connection after the answer that it waits for. Connections that are left after `timeout`
   * milliseconds are cut off.
   *
   * @param linger how many milliseconds a connection that waits for no answer has for one last request
   */
  async close(timeout: number, linger = 0): Promise<void> {
    this.#closing = true
    const { open } = this.#all
    // A client would send another request on a connection that is kept.
    for (const { answering } of open) for (const response of answering) response.shouldKeepAlive = false
    // The close of http.Server takes a connection for idle, and cuts it off, before its last answer has left.
    const closed = new Promise<void>(resolve => {
      NetServer.prototype.close.call(this.#server, () => resolve())
    })
    // Two turns read what has already arrived, and it is answered.
    await nextTurn()
    await nextTurn()
    if (linger > 0) await Promise.race([closed, pause(linger, undefined, { ref: false })])
    const cutOff = setTimeout(() => {
      for (const { socket } of open) reset(socket)
    }, timeout)
    for (const { socket, carrier, answering } of open) {
      if (carrier === undefined) socket.destroy()
      else if (answering.size === 0) carrier.destroySoon()
    }
    await closed
    clearTimeout(cutOff)
  }

  /** Accepts a connection. @returns undefined if there is no room and no silent connection to give way */
  #accept(socket: Socket): Connection | undefined {
    if (this.#closing) return undefined
    const crowds = this.#crowdsOf(socket.remoteAddress ?? '')
    if (!crowds.every(crowd => this.#makeRoom(crowd))) return undefined
    const connection = { socket, carrier: undefined, answering: new Set<ServerResponse>(), crowds }
    for (const crowd of crowds) {
      crowd.open.add(connection)
      crowd.silent.add(connection)
      if (crowd.address !== undefined) this.#ofAddress.set(crowd.address, crowd)
    }
    socket.once('close', () => {
      this.#forget(connection)
      setImmediate(endAnswers, connection)
    })
    return connection
  }

  /** Returns the crowds of an address, the narrower first. A connection that gives way there makes room everywhere. */
  #crowdsOf(direct: string): Crowd[] {
    if (this.#isProxy(direct)) return [this.#all]
    const address = addressGroup(direct)
    return [this.#ofAddress.get(address) ?? new Crowd(this.#mostOfAddress, address), this.#all]
  }

  #makeRoom({ most, open, silent }: Crowd): boolean {
    if (open.size < most) return true
    const [longest] = silent
    if (longest === undefined) return false
    // The connection leaves the sets at once, because its close comes later.
    this.#forget(longest)
    longest.socket.destroy()
    return true
  }

  #forget(connection: Connection): void {
    for (const crowd of connection.crowds) {
      crowd.open.delete(connection)
      crowd.silent.delete(connection)
      const { address } = crowd
      if (address !== undefined && crowd.open.size === 0 && this.#ofAddress.get(address) === crowd)
        this.#ofAddress.delete(address)
    }
  }

  #awaitHandshake(connection: Connection): void {
    const name = nameOf(connection.socket)
    this.#ofName.set(name, connection)
    connection.socket.once('close', () => {
      if (this.#ofName.get(name) === connection) this.#ofName.delete(name)
    })
  }

  #makeReady(connection: Connection, carrier: Socket): void {
    connection.carrier = carrier
    noteCarrier(carrier, connection.socket)
    this.#ofCarrier.set(carrier, connection)
  }
}

/**
 * Ends the answers of a closed connection. Node tells an answer that its client has gone only while that answer is being sent.
 * Another one behind it, or one attached too late, would be waited for, and counted, forever.
 */
function endAnswers({ answering }: Connection): void {
  for (const response of answering) {
    response.destroy()
    response.emit('close')
  }
}

/** Returns a name that an encrypted connection and the one under it share. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
