import { createHmac, timingSafeEqual } from 'node:crypto'

/** Links to an order, and to one ticket of it. */
export type Purpose = 'order' | 'ticket'

const ID = 16
const VERSION = 2
const MAC = 16

/** What a link is to. */
export interface LinkTarget {
  /** Of the order or the ticket. */
  id: string
  /** Of the order: those before it lead nowhere. */
  version: number
}

/**
 * The secret of a link: nobody guesses it, and it can be made again for a later mail. 46 letters, digits, `-` and `_`.
 *
 * @param secret of the instance
 */
export function linkSecret(secret: string, purpose: Purpose, { id, version }: LinkTarget): string {
  const bytes = Buffer.alloc(ID + VERSION)
  bytes.write(id.replaceAll('-', ''), 'hex')
  // Nobody renews a link 65,536 times.
  bytes.writeUInt16BE(version % 65_536, ID)
  return Buffer.concat([bytes, macOf(secret, purpose, bytes)]).toString('base64url')
}

/**
 * Reads the secret of a link, and looks nothing up: a wrong one costs and takes the same whether there is such an order.
 *
 * @returns undefined for one that was not made here for this purpose
 */
export function readLinkSecret(secret: string, purpose: Purpose, text: string): LinkTarget | undefined {
  if (!/^[\w-]{46}$/.test(text)) return undefined
  const given = Buffer.from(text, 'base64url')
  // The last letter has bits to spare.
  if (given.toString('base64url') !== text) return undefined
  const bytes = given.subarray(0, ID + VERSION)
  if (!timingSafeEqual(given.subarray(ID + VERSION), macOf(secret, purpose, bytes))) return undefined
  const id = bytes.subarray(0, ID).toString('hex')
  return {
    id: [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-'),
    version: bytes.readUInt16BE(ID),
  }
}

function macOf(secret: string, purpose: Purpose, bytes: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${purpose} link\n`).update(bytes).digest().subarray(0, MAC)
}
