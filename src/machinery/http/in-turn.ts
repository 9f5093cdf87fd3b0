import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that wait while another is answered: who pipelines at all sends some ten. */
const MAX_WAITING = 100
/** Requests of all connections that wait, at some 5 kB each: where there are more, a connection may have a few. */
const MAX_WAITING_IN_ALL = 5_000
const FEW = 4

type Waiting = [IncomingMessage, ServerResponse][]

/**
 * Has the requests of a connection answered one after another, each in a turn of the event loop of its own. A client may
 * send them without waiting (RFC 9112, section 9.3.2): a packet holds thousands, which would all be answered at once while
 * nobody else is. A connection that sends many more than are answered is cut.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Waiting>()
  let waitingInAll = 0

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    // An answer that closes the connection is its last.
    if (!socket.writable) {
      waitingInAll -= connections.get(socket)?.splice(0).length ?? 0
      return
    }
    response.once('close', () => {
      const next = connections.get(socket)?.shift()
      if (next === undefined) connections.delete(socket)
      else {
        waitingInAll--
        setImmediate(begin, ...next)
      }
    })
    listener(request, response)
  }

  return (request, response) => {
    const waiting = connections.get(request.socket)
    if (waiting === undefined) {
      connections.set(request.socket, [])
      begin(request, response)
    } else if (waiting.length < (waitingInAll < MAX_WAITING_IN_ALL ? MAX_WAITING : FEW)) {
      waiting.push([request, response])
      waitingInAll++
    } else request.socket.destroy()
  }
}
