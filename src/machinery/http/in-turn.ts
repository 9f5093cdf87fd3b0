import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The most requests of one connection that wait while another is answered. A client that pipelines at all sends about ten. */
const MAX_WAITING = 100
/** The most waiting requests of all connections, at about 5 kB each. Above it, a connection may have only a few. */
const MAX_WAITING_IN_ALL = 5_000
const FEW = 4

type Waiting = [IncomingMessage, ServerResponse][]

/**
 * Answers the requests of a connection one after another, each in a turn of the event loop of its own. A client may send them
 * without waiting (RFC 9112, section 9.3.2). A packet holds thousands, and answering all at once would keep everybody else
 * waiting. A connection that sends many more requests than are answered is cut.
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
