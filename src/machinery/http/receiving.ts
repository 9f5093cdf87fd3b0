import type { IncomingMessage } from 'node:http'
import { Problem } from '#base/problem.ts'

/** The bytes that a body of unknown length gets at first. */
const FIRST = 4 * 1024

/**
 * Receives a body into one buffer. Its pieces are not kept: a body of a mebibyte may come in chunks of one byte, and each chunk
 * takes hundreds of bytes.
 *
 * @param length of the whole, in bytes, if the headers tell it
 * @param max bytes
 * @param makeRoom gets the number of bytes before they are kept, and throws if there is no room
 * @throws Problem payload_too_large; malformed_json if the connection breaks off; that of `makeRoom`
 */
export async function receive(
  request: IncomingMessage,
  length: number | undefined,
  max: number,
  makeRoom: (bytes: number) => void,
): Promise<Buffer> {
  if (length !== undefined && length > max) throw new Problem('payload_too_large')
  makeRoom(length ?? 0)
  let body = Buffer.allocUnsafe(length ?? FIRST)
  let received = 0
  const take = (piece: Buffer) => {
    const end = received + piece.length
    if (end > max) throw new Problem('payload_too_large')
    if (end > body.length) {
      const size = Math.min(Math.max(2 * body.length, end), max)
      makeRoom(size)
      const larger = Buffer.allocUnsafe(size)
      body.copy(larger, 0, 0, received)
      body = larger
    }
    piece.copy(body, received)
    received = end
  }
  await new Promise<void>((resolve, reject) => {
    const end = (error?: unknown) => {
      request.off('data', onData).off('end', end).off('error', onBroken).off('close', onBroken)
      if (error === undefined) resolve()
      else reject(error)
    }
    const onData = (piece: Buffer) => {
      try {
        take(piece)
      } catch (error) {
        request.pause()
        end(error)
      }
    }
    // Nobody is there to read this Problem.
    const onBroken = () => end(new Problem('malformed_json'))
    request.on('data', onData).on('end', end).on('error', onBroken).on('close', onBroken)
    if (request.destroyed) onBroken()
  })
  return body.subarray(0, received)
}
