import { hashes, verify } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import { base32nopad } from '@scure/base'
import type { KeyRow, OtherEventRow } from './contract.ts'

// This replaces Web Crypto, which a page over plain http lacks.
hashes.sha512 = bytes => new Uint8Array(sha512(bytes))

export const CODE_PREFIX = 'SVC1.'
/** In characters. */
export const CODE_LENGTH = 141
const CODE = /^SVC1\.[A-Z2-7]{136}$/
/** A code that lacks its end. */
const BEGINNING = /^SVC1\.[A-Z2-7]{0,135}$/
/** A code that lacks its beginning. Fewer letters may be a word. */
const ENDING = /^((S?V)?C)?(1?\.)?[A-Z2-7]{24,136}$/
const VERSION = 1
const HEAD_BYTES = 21

export interface ReadCode {
  code: string
  ticketId: string
}

/** `fragment`: only a part of a code was read. */
export type CodeFault = 'invalid_qr_code' | 'wrong_event' | 'fragment'

/** Returns the code within a text. The code may follow other typed text, and may be in small letters. */
export function findCode(text: string): string | undefined {
  const upper = text.toUpperCase()
  const at = upper.indexOf(CODE_PREFIX)
  return at < 0 ? undefined : upper.slice(at).trim()
}

/** Returns whether a text has a code of the full length, whoever signed it. */
export function isComplete(text: string): boolean {
  return CODE.test(findCode(text) ?? '')
}

/** Returns whether a text is only a part of a code. No camera reads parts, but a keyboard scanner loses keys. */
export function isFragment(text: string): boolean {
  const code = findCode(text)
  return code === undefined ? ENDING.test(text.trim().toUpperCase()) : BEGINNING.test(code)
}

/**
 * Reads a code that one of the keys has signed. It accepts only the canonical form, as
 * `src/product/guests/attendees/ticket-code.ts` does (RFC 8032 without the looser equation of ZIP 215), so that page and server
 * agree about every signature.
 */
export function readCode(text: string, keys: readonly KeyRow[]): ReadCode | CodeFault {
  const code = findCode(text)
  if (code === undefined || !CODE.test(code)) return 'invalid_qr_code'
  const bytes = base32nopad.decode(code.slice(CODE_PREFIX.length))
  if (bytes[0] !== VERSION) return 'invalid_qr_code'
  const keyId = toHex(bytes.subarray(1, 5))
  const key = keys.find(({ id }) => id === keyId)
  if (key === undefined) return 'wrong_event'
  const isGood = verifyQuietly(
    bytes.subarray(HEAD_BYTES),
    bytes.subarray(0, HEAD_BYTES),
    fromBase64Url(key.public_key),
  )
  if (!isGood) return 'invalid_qr_code'
  const id = toHex(bytes.subarray(5, HEAD_BYTES))
  return { code, ticketId: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') }
}

/** Returns the title of the event whose key has signed a code, or undefined if it is none of these. */
export function titleOf(text: string, others: readonly OtherEventRow[]): string | undefined {
  if (typeof readCode(text, others) !== 'object') return undefined
  return others.find(other => namesKey(text, [other]))?.title
}

/** Returns whether a text is a code that names one of the keys, whether that key signed it or not. */
export function namesKey(text: string, keys: readonly KeyRow[]): boolean {
  const code = findCode(text)
  if (code === undefined || !CODE.test(code)) return false
  const keyId = toHex(base32nopad.decode(code.slice(CODE_PREFIX.length)).subarray(1, 5))
  return keys.some(({ id }) => id === keyId)
}

/** A key or signature that is no point of the curve throws. Such a signature is not good either. */
function verifyQuietly(signature: Uint8Array, signed: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return verify(signature, signed, publicKey, { zip215: false })
  } catch {
    return false
  }
}

/** Returns when a ticket was made, in milliseconds. Its id is a UUIDv7 (RFC 9562). */
export function issuedAt(ticketId: string): number {
  return Number.parseInt(ticketId.replaceAll('-', '').slice(0, 12), 16)
}

/** Makes the tables of the curve, so that the first guest does not wait for them. */
export function warmUp(): void {
  const generator = new Uint8Array(32)
  generator.set([0x58, ...new Array(31).fill(0x66)])
  verifyQuietly(new Uint8Array(64).fill(1, 0, 33), new Uint8Array(HEAD_BYTES), generator)
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

function fromBase64Url(text: string): Uint8Array {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, char => char.charCodeAt(0))
}
