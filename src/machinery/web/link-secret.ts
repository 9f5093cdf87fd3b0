import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * What a link is for: an order, one of its tickets, or the verification by the buyer, whose mail alone has it and so shows that it
 * reached them; an abstract, or all abstracts of the person who submitted them; what somebody reviews.
 */
export type Purpose = 'order' | 'ticket' | 'verify' | 'submission' | 'submitter' | 'reviewer'

const ID = 16
const VERSION = 2
const MAC = 16

/** What a link leads to. */
export interface LinkTarget {
  /** The id of the order, the ticket, or whatever else the link is for. */
  id: string
  /** The version of the links of its person, who may renew them. Earlier ones lead nowhere. */
  version: number
}

/**
 * Returns the secret of a link. Nobody can guess it, and the server can make it again for a later mail. It has 46 letters,
 * digits, `-` and `_`.
 *
 * @param secret the secret of the instance
 */
export function linkSecret(secret: string, purpose: Purpose, { id, version }: LinkTarget): string {
  const bytes = Buffer.alloc(ID + VERSION)
  bytes.write(id.replaceAll('-', ''), 'hex')
  // Nobody renews a link 65,536 times.
  bytes.writeUInt16BE(version % 65_536, ID)
  return Buffer.concat([bytes, macOf(secret, purpose, bytes)]).toString('base64url')
}

/**
 * Reads the secret of a link without looking anything up. A wrong secret thus takes the same time whether or not there is such an
 * order.
 *
 * @returns undefined for a secret that was not made here for this purpose
 */
export function readLinkSecret(secret: string, purpose: Purpose, text: string): LinkTarget | undefined {
  if (!/^[\w-]{46}$/.test(text)) return undefined
  const given = Buffer.from(text, 'base64url')
  // The last letter has spare bits, so several texts decode to the same bytes.
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
