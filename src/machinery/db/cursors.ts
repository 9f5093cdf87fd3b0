import { createHmac, timingSafeEqual } from 'node:crypto'
import { Problem } from '#base/problem.ts'
import type { Position } from './keyset.ts'

const MAC_BYTES = 12
const POSITION = /^(\d{1,16})\.([0-9a-z_-]{1,64})$/

/**
 * Opaque cursors that carry their own position. The list, its account and its filters are in the signature, so a cursor that was
 * altered or is used elsewhere is refused (specification section 4).
 */
export class Cursors {
  readonly #secret: string

  constructor(secret: string) {
    this.#secret = secret
  }

  /** Returns the cursor of a position. @param scope names the list, its account and its filters */
  encode(scope: string, position: Position): string {
    const text = `${position.created_at}.${position.id}`
    return Buffer.concat([this.#sign(scope, text), Buffer.from(text)]).toString('base64url')
  }

  /** Returns the position of a cursor. @throws Problem invalid_cursor */
  decode(scope: string, cursor: string): Position {
    const bytes = Buffer.from(cursor, 'base64url')
    const text = bytes.toString('latin1', MAC_BYTES)
    const [, createdAt, id] = POSITION.exec(text) ?? []
    // Base64url has several texts for the same bytes. Only the original one is accepted.
    const isComplete = createdAt !== undefined && id !== undefined && bytes.toString('base64url') === cursor
    if (!isComplete || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.#sign(scope, text))) {
      throw new Problem('invalid_cursor', { param: 'starting_after' })
    }
    return { created_at: Number(createdAt), id }
  }

  #sign(scope: string, text: string): Buffer {
    return createHmac('sha256', this.#secret).update(`${scope}\n${text}`).digest().subarray(0, MAC_BYTES)
  }
}
