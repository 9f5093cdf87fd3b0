import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { base32nopad } from '@scure/base'
import { SECOND } from '#base/time.ts'

/** Time-based one-time passwords use what every authenticator supports: SHA-1, 6 digits, 30 seconds (RFC 6238). */
const STEP = 30 * SECOND
const DIGITS = 6
/** These are 160 bits, as RFC 4226 recommends (section 4). */
const SECRET_BYTES = 20
/**
 * The steps that are accepted before and after that of the clock. People type slowly, and their clocks differ (RFC 6238, section
 * 5.2).
 */
const WINDOW = 1

const RECOVERY_CODES = 10
/** These are 80 bits, which keep the codes safe behind a plain hash. */
const RECOVERY_BYTES = 10

/** Makes a new secret in base32. */
export function newTotpSecret(): string {
  return base32nopad.encode(randomBytes(SECRET_BYTES))
}

export function isTotpSecret(text: string): boolean {
  return /^[A-Z2-7]{32}$/.test(text)
}

/** Returns the text of the QR code for an authenticator. @param issuer the name that the authenticator shows for the server */
export function totpUri(secret: string, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  // URLSearchParams would write a space as a plus, which authenticators do not decode.
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=30`
}

/** Returns the code of a secret at a step of time (RFC 4226, section 5.3). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', base32nopad.decode(secret)).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) as number) & 0xf) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/**
 * Finds the step of a code, near the step of the clock.
 *
 * @param now in milliseconds
 * @returns undefined for a wrong code. The caller accepts each step once
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

/** Makes ten codes. Each works once instead of a code of the authenticator: `ABCD-EFGH-IJKL-MNOP`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    (base32nopad.encode(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) as string[]).join('-'),
  )
}

/** Returns the SHA-256 in hex of the code, however it is typed. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(code.replaceAll(/[\s-]/g, '').toUpperCase()).digest('hex')
}
