import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { base32nopad } from '@scure/base'
import { SECOND } from '../time.ts'

/** Time-based one-time passwords with what every authenticator knows: SHA-1, 6 digits, 30 seconds (RFC 6238). */
const STEP = 30 * SECOND
const DIGITS = 6
/** 160 bits, as RFC 4226 recommends (section 4). */
const SECRET_BYTES = 20
/** Steps before and after that of the clock: people type slowly, and their clocks differ (RFC 6238, section 5.2). */
const WINDOW = 1

const RECOVERY_CODES = 10
/** 80 bits, so that a plain hash of them keeps them. */
const RECOVERY_BYTES = 10

/** In base32. */
export function newTotpSecret(): string {
  return base32nopad.encode(randomBytes(SECRET_BYTES))
}

export function isTotpSecret(text: string): boolean {
  return /^[A-Z2-7]{32}$/.test(text)
}

/** What the QR code for an authenticator says. @param issuer who asks for the codes, as the authenticator shows it */
export function totpUri(secret: string, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  // Not by URLSearchParams, as authenticators read a plus as it is.
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=30`
}

/** The code of a secret at a step of time (RFC 4226, section 5.3). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', base32nopad.decode(secret)).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) as number) & 0xf) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/**
 * The step that a code is of, near that of the clock.
 *
 * @param now milliseconds
 * @returns undefined for a wrong code; the caller accepts each step once
 */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  if (!isTotpCode(code)) return undefined
  const given = Buffer.from(code)
  const current = Math.floor(now / STEP)
  let found: number | undefined
  for (let step = current - WINDOW; step <= current + WINDOW; step++) {
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), given)) found = step
  }
  return found
}

export function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text)
}

/** Ten codes, each good once in the place of one of the authenticator: `ABCD-EFGH-IJKL-MNOP`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    (base32nopad.encode(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) as string[]).join('-'),
  )
}

/** SHA-256 in hex, of the code however it is typed. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(code.replaceAll(/[\s-]/g, '').toUpperCase()).digest('hex')
}
