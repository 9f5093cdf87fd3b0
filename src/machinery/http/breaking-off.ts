import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connection under each encrypted connection. Only that one can be reset. */
const carriers = new WeakMap<Socket, Socket>()

/** Answers under way that end with their connection, as in HTTP/1.0. */
const unframed = new Set<ServerResponse>()

/** Notes the connection under an encrypted one. @param carrier the connection from which the encrypted one was made */
export function noteCarrier(encrypted: Socket, carrier: Socket): void {
  carriers.set(encrypted, carrier)
}

/**
 * Ends the connection of an answer that is not whole. If the answer has neither a length nor chunks (RFC 9112, section 6.3), a
 * normal end would make the client take the part for the whole. Such a connection is reset.
 */
export function breakOff(response: ServerResponse): void {
  const { socket } = response
  const carrier = socket && (carriers.get(socket) ?? socket)
  if (unframed.has(response) && carrier) reset(carrier)
  response.destroy()
}

/** Ends a connection of the system, so that its client learns that this was not the end of the answer. */
export function reset(carrier: Socket): void {
  if (carrier.destroyed) return
  carrier.resetAndDestroy()
  // Without this call, the socket would wait until everything is sent.
  carrier.destroy()
}

/** Notes an answer whose length is not known when it begins, until it is over. */
export function noteUnframed(response: ServerResponse): void {
  if (response.useChunkedEncodingByDefault || response.closed) return
  unframed.add(response)
  response.once('close', () => unframed.delete(response))
  // Otherwise Node would end it as if it were whole.
  response.once('timeout', () => breakOff(response))
}

/** Breaks off all unframed answers when the process ends. */
export function breakOffUnframed(): void {
  for (const response of unframed) breakOff(response)
}
