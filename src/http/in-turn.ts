import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that wait while another is answered: who pipelines at all sends some ten. */
const MAX_WAITING = 100

/**
 * Has the requests of a connection answered one after another, each in a turn of the event loop of its own. A client may
 * send them without waiting (RFC 9112, section 9.3.2): a packet holds thousands, which would all be answered at once while
 * nobody else is. A connection that sends many more than are answered is cut.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>()

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    // An answer that closes the connection is its last.
    if (!socket.writable) return
    response.once('close', () => {
      const next = connections.get(socket)?.shift()
      if (next === undefined) connections.delete(socket)
      else setImmediate(begin, ...next)
    })
    listener(request, response)
  }

  return (request, response) => {
    const waiting = connections.get(request.socket)
    if (waiting === undefined) {
      connections.set(request.socket, [])
      begin(request, response)
    } else if (waiting.length < MAX_WAITING) waiting.push([request, response])
    else request.socket.destroy()
  }
}
