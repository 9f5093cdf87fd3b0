import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A webhook as it came over the socket. */
export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  /** The bytes of the body, which are always UTF-8. */
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: the envelope
  event: any
}

/** Decides how a receiver answers a webhook that has arrived completely. */
export type Behaviour = (response: ServerResponse, received: Received) => void

export interface Receiver {
  url: string
  /** Every request that came, oldest first. */
  received: Received[]
  /** The connections that were made to it. */
  connections: number
  /** The most requests that were under way together. */
  mostAtOnce: number
  /** Returns the number of open connections. */
  open(): number
  /** Has it treat webhooks in another way from now on. */
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

/** Answers with a status at once. */
export function answering(status: number, headers: Record<string, string> = {}, body = ''): Behaviour {
  return response => response.writeHead(status, headers).end(body)
}

export const ok = answering(200, {}, 'thanks')

/** Takes the request and never answers. */
export const silent: Behaviour = () => undefined

/** Closes the connection instead of answering. */
export const dropping: Behaviour = response => response.socket?.destroy()

/** Answers 200, and then a byte at a time without end. */
export const dripping: Behaviour = response => {
  response.writeHead(200, { 'content-type': 'text/plain' })
  repeat(response, 50, () => response.write('.'))
}

/** Sends one header after another. */
export const endlessHeaders: Behaviour = response => {
  const { socket } = response
  socket?.write('HTTP/1.1 200 OK\r\n')
  repeat(response, 1, () => socket?.write(`x-filler: ${'a'.repeat(8000)}\r\n`))
}

/** Sends informational answers, each whole, and never the one that counts. */
export const endlessHints: Behaviour = response => {
  repeat(response, 50, () => response.socket?.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'))
}

/** Answers with a status and a body without end, as fast as the other side reads. */
export function endlessBody(status: number, sent: { bytes: number } = { bytes: 0 }): Behaviour {
  return response => {
    response.writeHead(status)
    const chunk = 'x'.repeat(4096)
    const push = () => {
      while (!response.destroyed) {
        sent.bytes += chunk.length
        if (!response.write(chunk)) break
      }
    }
    response.on('drain', push)
    push()
  }
}

/** Sends a part of the body that it announced, then closes the connection. */
export const breakingOff: Behaviour = response => {
  response.writeHead(200, { 'content-length': '100' })
  response.write('half', () => response.socket?.destroy())
}

/** Sends what is no HTTP. */
export const babbling: Behaviour = response => response.socket?.end('220 mail.example.org ESMTP\r\n\r\n')

/** Listens on the loopback for webhooks. */
export async function startReceiver(
  t: Pick<TestContext, 'after'>,
  behaviour: Behaviour = ok,
  tls?: { key: string; cert: string },
): Promise<Receiver> {
  const sockets = new Set<Socket>()
  let current = behaviour
  let underWay = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    underWay++
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, underWay)
    response.on('close', () => underWay--)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const { method = '', url: path = '', headers } = request
    const received = { method, path, headers, body, event: JSON.parse(body) }
    receiver.received.push(received)
    current(response, received)
  }
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch(() => response.destroy())
  }
  const server: Server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.on('connection', (socket: Socket) => {
    receiver.connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  const receiver: Receiver = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook`,
    received: [],
    connections: 0,
    mostAtOnce: 0,
    open: () => sockets.size,
    behave: behaviour => {
      current = behaviour
    },
    close() {
      closed ??= new Promise<void>(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
      return closed
    },
  }
  t.after(() => receiver.close())
  return receiver
}

/** Returns an address on the loopback where nobody listens. */
export async function closedAddress(t: Pick<TestContext, 'after'>): Promise<string> {
  const receiver = await startReceiver(t)
  await receiver.close()
  return receiver.url
}

function repeat(response: ServerResponse, milliseconds: number, work: () => void): void {
  const timer = setInterval(work, milliseconds)
  response.on('close', () => clearInterval(timer))
}
