import { connect, type Socket } from 'node:net'

/** The status and body of an answer, and when its last byte came, on the clock of `performance`. */
export interface Answered {
  status: number
  body: string
  at: number
}

/**
 * Keeps one connection open, with one request at a time on it. It understands only the HTTP that these servers send, and so costs a
 * fraction of what a client library does: the generator must not be what is measured.
 */
export class Connection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #waiting: { resolve: (answered: Answered) => void; reject: (error: Error) => void } | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', chunk => this.#receive(chunk))
    socket.on('error', error => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('The server closed the connection.')))
  }

  static open(host: string, port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, host, () => resolve(new Connection(socket)))
      socket.once('error', reject)
    })
  }

  send(request: string): Promise<Answered> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const head = this.#received.toString('latin1', 0, headEnd)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length === undefined) {
      this.#waiting?.reject(new Error(`An answer without a length: ${head}`))
      return
    }
    const end = headEnd + 4 + Number(length)
    if (this.#received.length < end) return
    const body = this.#received.toString('utf8', headEnd + 4, end)
    this.#received = Buffer.alloc(0)
    this.#waiting?.resolve({ status: Number(head.slice(9, 12)), body, at: performance.now() })
  }
}

export interface Request {
  method: 'GET' | 'POST'
  /** The path includes the query. */
  path: string
  /** It is absent for a visitor. */
  key?: string
  idempotencyKey?: string
  /** The session of somebody who is signed in, for pages. It replaces the key. */
  cookie?: string
  body?: string
  /** The content that a page of this site sends. It replaces `body`. */
  form?: string | undefined
}

export function toText({ method, path, key, idempotencyKey, cookie, body, form }: Request): string {
  let head = `${method} ${path} HTTP/1.1\r\nHost: bench\r\n`
  if (cookie !== undefined) head += `Cookie: ${cookie}\r\n`
  else if (key !== undefined) head += `Authorization: Bearer ${key}\r\n`
  else head += 'Accept: text/html\r\n'
  if (idempotencyKey !== undefined) head += `Idempotency-Key: ${idempotencyKey}\r\n`
  if (form !== undefined) head += 'Sec-Fetch-Site: same-origin\r\n'
  const sent = form ?? body
  if (sent === undefined) return `${head}\r\n`
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  return `${head}Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(sent)}\r\n\r\n${sent}`
}
