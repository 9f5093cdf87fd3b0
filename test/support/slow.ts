import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Returns the bytes of a request, with the key of a client. */
export function requestOf(path: string, key: string | undefined, { method = 'GET', version = '1.1' } = {}) {
  return `${method} /v1${path} HTTP/${version}\r\nAuthorization: Bearer ${key}\r\n`
}

/** Sends bytes, and reads of the answer no more than its status. */
export async function readNothing(url: string, bytes: string): Promise<{ socket: Socket; status: number }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(bytes)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  return { socket, status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(chunk.toString('latin1'))?.[1]) }
}

/** Reads the rest of an answer. @returns how much came, and what ended it other than the end of the connection */
export function readRest(socket: Socket): Promise<{ bytes: number; error: string | undefined }> {
  return new Promise(resolve => {
    let bytes = 0
    let error: string | undefined
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      error = code
    })
    socket.on('close', () => resolve({ bytes, error }))
    socket.resume()
  })
}
