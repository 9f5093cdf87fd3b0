import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Under each encrypted connection, the one that it was made of: only that can be reset. */
const carriers = new WeakMap<Socket, Socket>()

/** Answers that are under way and whose end is the end of their connection, as HTTP/1.0 has it. */
const unframed = new Set<ServerResponse>()

/** @param carrier what an encrypted connection was made of */
export function noteCarrier(encrypted: Socket, carrier: Socket): void {
  carriers.set(encrypted, carrier)
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
  if (response.useChunkedEncodingByDefault || response.closed) return
  unframed.add(response)
  response.once('close', () => unframed.delete(response))
  // Else it is ended as if it were whole.
  response.once('timeout', () => breakOff(response))
}

/** For the end of the process. */
export function breakOffUnframed(): void {
  for (const response of unframed) breakOff(response)
}
