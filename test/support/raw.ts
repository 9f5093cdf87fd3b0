import { connect, type Socket } from 'node:net'
import { checkAnswer } from './api-document.ts'

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: checked against the OpenAPI document when it was received
  body: any
}

export interface RawConnection {
  socket: Socket
  /** Resolves with everything that came, once the server has closed the connection. */
  closed: Promise<string>
}

/** Opens a connection without an HTTP client, for bytes that no client would send. */
export function openRaw(url: string): RawConnection {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  let received = ''
  const closed = new Promise<string>(resolve => {
    socket.on('data', chunk => {
      received += chunk.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('end', () => socket.end())
    socket.on('close', () => resolve(received))
  })
  return { socket, closed }
}

/** Sends bytes, and gives the first answer that the server sends before it closes the connection. */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { socket, closed } = openRaw(url)
  socket.write(bytes)
  return readRaw(await closed)
}

/** Takes an answer apart, and holds it against what the OpenAPI document says of every error. */
export function readRaw(received: string): RawAnswer {
  const [head = '', ...rest] = received.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  const text = Buffer.from(rest.join('\r\n\r\n'), 'latin1')
    .toString('utf8')
    .slice(0, Number(headers['content-length']))
  checkAnswer({ method: 'RAW', path: '', status, headers, text })
  return { status, headers, text, body: JSON.parse(text) }
}
