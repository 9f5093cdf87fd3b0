import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { DAY } from '#base/time.ts'

/** Makes a token for a session or a one-time link: 256 random bits in base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the SHA-256 in hex, which is stored instead of the token. It needs no salt, because nobody can guess 256 bits. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/**
 * Returns the latest end that a thing of this lifetime can have. A later end was set by a clock that was ahead, so that thing has
 * long ended.
 *
 * @param now in milliseconds, as is `lifetime`
 */
export function latestEnd(now: number, lifetime: number): number {
  return now + lifetime + DAY
}

export function isLive(end: number, now: number, lifetime: number): boolean {
  return end > now && end <= latestEnd(now, lifetime)
}

/** Compares two signatures in ASCII. The time that it takes does not reveal where they differ. */
export function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
