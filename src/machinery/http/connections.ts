import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as SecureServer } from 'node:https'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { noteCarrier, reset } from './breaking-off.ts'
import { addressGroup } from './client-address.ts'

export interface ConnectionOptions {
  /** How many there may be. */
  most?: number
  /** How many of one address, so that one client cannot take them all. */
  mostOfAddress?: number
  /** Whether everybody may be behind an address, as it is a proxy's: it may take them all. */
  isProxy?: (address: string) => boolean
}

interface Connection {
  /** As the system has it. */
  socket: Socket
  /** What carries the requests: with TLS, the encrypted socket that was made of it, once the handshake has ended. */
  carrier: Socket | undefined
  /** Answers that are under way. */
  readonly answering: Set<ServerResponse>
  /** Where it counts: among those of its address, and among all. */
  readonly crowds: readonly Crowd[]
}

/** Connections that are bounded in number together. */
class Crowd {
  /** The address that they share. */
  readonly address: string | undefined
  readonly most: number
  readonly open = new Set<Connection>()
  /** Those of them that wait for a request, or for the rest of its head, the longest silence first. */
  readonly silent = new Set<Connection>()

  constructor(most: number, address?: string) {
    this.most = most
    this.address = address
  }
}

/**
 * The connections of a server: bounded in number, and ended without cutting off an answer. Where there are too many, the one
 * that has been silent longest makes room for the new one: silence costs nothing, so it may keep nobody out.
 */
export class Connections {
  readonly #server: Server
  readonly #isProxy: (address: string) => boolean
  readonly #mostOfAddress: number
  readonly #all: Crowd
  readonly #ofAddress = new Map<string, Crowd>()
  readonly #ofCarrier = new WeakMap<Socket, Connection>()
  /** With TLS, by the name that both sockets of a connection have. */
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
    // Only a new connection that the server has accepted can have another make room.
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

  /** False before the end of a TLS handshake. */
  isReady(socket: Socket): boolean {
    return this.#ofCarrier.has(socket)
  }

  /** The answers that are under way on a connection, in the order of their requests. */
  answering(socket: Socket): ServerResponse[] {
    return [...(this.#ofCarrier.get(socket)?.answering ?? [])]
  }

  /** Notes a request whose answer is under way: its connection makes room for nobody. */
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
   * Stops accepting, and ends each connection with the answer that it waits for; connections that are left after `timeout`
   * milliseconds are cut off.
   */
  async close(timeout: number): Promise<void> {
    this.#closing = true
    const { open } = this.#all
    // Its client would send another request on a connection that is kept.
    for (const { answering } of open) for (const response of answering) response.shouldKeepAlive = false
    // What has arrived is read within two turns, and is answered.
    await nextTurn()
    await nextTurn()
    await new Promise<void>(resolve => {
      const cutOff = setTimeout(() => {
        for (const { socket } of open) reset(socket)
      }, timeout)
      // http.Server's own close takes a connection for idle, and cuts it off, before its last answer has left.
      NetServer.prototype.close.call(this.#server, () => {
        clearTimeout(cutOff)
        resolve()
      })
      for (const { socket, carrier, answering } of open) {
        if (carrier === undefined) socket.destroy()
        else if (answering.size === 0) carrier.destroySoon()
      }
    })
  }

  /** @returns nothing when there is no room, and nobody silent to make it */
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

  /** The narrower first: who makes room there does so everywhere. */
  #crowdsOf(direct: string): Crowd[] {
    if (this.#isProxy(direct)) return [this.#all]
    const address = addressGroup(direct)
    return [this.#ofAddress.get(address) ?? new Crowd(this.#mostOfAddress, address), this.#all]
  }

  #makeRoom({ most, open, silent }: Crowd): boolean {
    if (open.size < most) return true
    const [longest] = silent
    if (longest === undefined) return false
    // Not only when it is closed, which is later.
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
 * Node tells an answer that its client has gone only while it is the one that is being sent: one behind it, or one that was
 * attached too late, would be waited for, and counted, for ever.
 */
function endAnswers({ answering }: Connection): void {
  for (const response of answering) {
    response.destroy()
    response.emit('close')
  }
}

/** An encrypted connection and the one that it was made of have the same. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
