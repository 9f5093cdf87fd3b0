import { createHash, randomBytes } from 'node:crypto'
import { DAY } from '../time.ts'

/** Of sessions and one-time links: 256 random bits in base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 in hex: what is stored instead of the token. Nobody guesses 256 bits, so it needs no salt. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/**
 * The latest end that something of this lifetime can have. What ends later was made by a clock that was ahead, and has long
 * ended.
 *
 * @param now milliseconds, as is `lifetime`
 */
export function latestEnd(now: number, lifetime: number): number {
  return now + lifetime + DAY
}

export function isLive(end: number, now: number, lifetime: number): boolean {
  return end > now && end <= latestEnd(now, lifetime)
}
