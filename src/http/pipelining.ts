import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The most requests of one connection that are under way: a client may send the next ones before it has its answer, and Node
 * hands on all that it finds in what it has read, which is thousands.
 */
const MAX_UNDER_WAY = 16

const underWay = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Counts a request of its connection. One too many ends the connection: its client sends them again (RFC 9112, section 9.3.2).
 *
 * @returns false for one too many
 */
export function admitPipelined({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const responses = underWay.get(socket) ?? beginCounting(socket)
  if (responses.size >= MAX_UNDER_WAY) {
    socket.destroy()
    return false
  }
  responses.add(response)
  // What every stage has set up for an answer ends with it.
  response.setMaxListeners(20)
  response.once('close', () => responses.delete(response))
  return true
}

function beginCounting(socket: Socket): Set<ServerResponse> {
  const responses = new Set<ServerResponse>()
  underWay.set(socket, responses)
  // Node tells the first of them alone that its client has gone. Those behind it would be kept for ever.
  socket.once('close', () =>
    process.nextTick(() => {
      for (const response of responses) {
        response.destroy()
        response.emit('close')
      }
    }),
  )
  return responses
}
