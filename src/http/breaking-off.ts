import type { Server, ServerResponse } from 'node:http'
import { Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'

/** Under each encrypted connection, the one that it was made of: only that can be reset. */
const carriers = new WeakMap<Socket, Socket>()

/** Answers that are under way and whose end is the end of their connection, as HTTP/1.0 has it. */
const unframed = new Set<ServerResponse>()

/** Has the connections of this server broken off in a way that their clients notice. */
export function watchCarriers(server: Server | SecureServer): void {
  if (!(server instanceof SecureServer)) return
  const open = new Map<string, Socket>()
  server.prependListener('connection', (carrier: Socket) => {
    const name = nameOf(carrier)
    open.set(name, carrier)
    carrier.once('close', () => {
      if (open.get(name) === carrier) open.delete(name)
    })
  })
  server.prependListener('secureConnection', (socket: Socket) => {
    const carrier = open.get(nameOf(socket))
    if (carrier !== undefined) carriers.set(socket, carrier)
  })
}

/** An encrypted connection and the one that it was made of have the same. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/**
 * Ends the connection of an answer that is not whole. Where the answer has neither a length nor chunks (RFC 9112, section
 * 6.3), an end would make the client take what it has for the whole: such a connection is reset.
 */
export function breakOff(response: ServerResponse): void {
  const { socket } = response
  const carrier = socket && (carriers.get(socket) ?? socket)
  if (unframed.has(response) && carrier) reset(carrier)
  response.destroy()
}

/** Ends a connection, as the system has it, so that its client is told that it was not the end of the answer. */
export function reset(carrier: Socket): void {
  if (carrier.destroyed) return
  carrier.resetAndDestroy()
  // By itself it waits until everything is sent.
  carrier.destroy()
}

/** Notes an answer whose length is not known when it begins, until it is over. */
export function noteUnframed(response: ServerResponse): void {
  if (response.useChunkedEncodingByDefault) return
  unframed.add(response)
  response.once('close', () => unframed.delete(response))
  // Else it is ended as if it were whole.
  response.once('timeout', () => breakOff(response))
}

/** For the end of the process. */
export function breakOffUnframed(): void {
  for (const response of unframed) breakOff(response)
}
