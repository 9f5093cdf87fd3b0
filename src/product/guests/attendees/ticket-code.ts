import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { base32nopad } from '@scure/base'

/**
 * The QR code of a ticket is `SVC1.` followed by upper-case Base32 without padding (RFC 4648). That encodes a version byte, the
 * 4-byte id of the event's key, the 16-byte id of the ticket, and an Ed25519 signature (RFC 8032) over those 21 bytes. Everybody
 * with the public key can verify it offline. Nobody without the private key can mint one.
 */
const PREFIX = 'SVC1.'
const VERSION = 1
const HEAD_BYTES = 21
const CODE = /^SVC1\.[A-Z2-7]{136}$/

/** A text that may be a code has at most this many characters. A longer one is a fault of the request. */
export const MAX_CODE_LENGTH = 1000

export interface TicketKey {
  /** The 4-byte key id in hex. */
  id: string
  /** Base64url, as in a JWK (RFC 8037). */
  public_key: string
  private_key: string
}

/** Holds the parts of a code, which is not verified yet. */
export interface TicketCode {
  keyId: string
  /** The UUID of the attendee. */
  ticketId: string
  signed: Uint8Array
  signature: Uint8Array
}

/** Makes a key pair for an event. The id of the key is the start of its public key. */
export function newTicketKey(): TicketKey {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as {
    x: string
    d: string
  }
  return { id: idOf(x), public_key: x, private_key: d }
}

function idOf(publicKey: string): string {
  return Buffer.from(publicKey, 'base64url').toString('hex', 0, 4)
}

/** Returns whether the private key, the public key and the id belong together. It never throws, whatever the texts are. */
export function isKeyPair({ id, public_key, private_key }: TicketKey): boolean {
  try {
    const { x } = createPublicKey(parsePrivateKey(private_key, public_key)).export({ format: 'jwk' })
    return x === public_key && id === idOf(public_key)
  } catch {
    return false
  }
}

/** Returns the code of a ticket. Ed25519 is deterministic, so the same ticket always has the same code. */
export function encodeTicket(key: TicketKey, ticketId: string): string {
  const head = headOf(key, ticketId)
  return codeOf(head, sign(null, head, privateKeys.get(key.private_key, key.public_key)))
}

/** Returns the part of a code that is signed. */
export function headOf(key: TicketKey, ticketId: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head[0] = VERSION
  head.write(key.id, 1, 'hex')
  head.write(ticketId.replaceAll('-', ''), 5, 'hex')
  return head
}

/** Returns the code of a head with its signature. */
export function codeOf(head: Buffer, signature: Buffer): string {
  return PREFIX + base32nopad.encode(Buffer.concat([head, signature]))
}

/**
 * Returns the code that a scanner has typed into a field. It finds the code also behind what somebody had begun to write there,
 * and in small letters, as a scanner types with Caps Lock on. It returns undefined for a text without a code. A code that was
 * only half read counts as a code too, and a wrong one.
 */
export function findCode(text: string): string | undefined {
  const typed = text.toUpperCase()
  const at = typed.indexOf(PREFIX)
  return at < 0 ? undefined : typed.slice(at).trim()
}

/** Takes a code apart without verifying it. Returns undefined for every text that is not in the one canonical form. */
export function decodeTicket(code: string): TicketCode | undefined {
  // Without the m flag, `$` matches only at the end, so a text with a trailing line break is not a code.
  if (!CODE.test(code)) return undefined
  const bytes = Buffer.from(base32nopad.decode(code.slice(PREFIX.length)))
  if (bytes[0] !== VERSION) return undefined
  const uuid = bytes.toString('hex', 5, HEAD_BYTES)
  return {
    keyId: bytes.toString('hex', 1, 5),
    ticketId: uuid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    signed: bytes.subarray(0, HEAD_BYTES),
    signature: bytes.subarray(HEAD_BYTES),
  }
}

export function isSignedBy(code: TicketCode, publicKey: string): boolean {
  return verify(null, code.signed, publicKeys.get(publicKey), code.signature)
}

/** Keeps a bounded cache of parsed keys, because parsing costs as much as a signature. The oldest leave first. */
class ParsedKeys {
  readonly #keys = new Map<string, KeyObject>()
  readonly #parse: (text: string, publicText: string) => KeyObject

  constructor(parse: (text: string, publicText: string) => KeyObject) {
    this.#parse = parse
  }

  get(text: string, publicText = text): KeyObject {
    let key = this.#keys.get(text)
    if (key === undefined) {
      key = this.#parse(text, publicText)
      if (this.#keys.size >= 1000) this.#keys.delete(this.#keys.keys().next().value as string)
      this.#keys.set(text, key)
    }
    return key
  }
}

const privateKeys = new ParsedKeys(parsePrivateKey)
const publicKeys = new ParsedKeys(x =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } }),
)

function parsePrivateKey(d: string, x: string): KeyObject {
  return createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x, d } })
}
