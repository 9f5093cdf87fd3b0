import { createHmac, timingSafeEqual } from 'node:crypto'
import { isUuid } from '../ids.ts'

/** Where somebody ends announcements to themselves. */
export const UNSUBSCRIBE_PATH = '/unsubscribe'

/** Bytes of the id of an account. */
const ID = 16

/** Whose announcements to whom. */
export interface Subscription {
  accountId: string
  email: string
}

/**
 * The address that ends the announcements of an account to somebody, without a sign-in (RFC 8058). It works for as long as the
 * database is there: an old mail has it too.
 *
 * @param secret of the instance
 */
export function unsubscribeUrl(baseUrl: string, secret: string, { accountId, email }: Subscription): string {
  const whole = Buffer.concat([Buffer.from(accountId.replaceAll('-', ''), 'hex'), Buffer.from(email)])
  const text = whole.toString('base64url')
  return `${baseUrl}${UNSUBSCRIBE_PATH}/${text}.${sign(secret, text).toString('base64url')}`
}

/** What the end of such an address says. @returns undefined for one that was not made here: it tells nothing of who there is */
export function readUnsubscribe(secret: string, token: string): Subscription | undefined {
  const [text = '', signature = '', ...more] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(secret, text)
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
    return undefined
  const whole = Buffer.from(text, 'base64url')
  const accountId = whole
    .subarray(0, ID)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(accountId) ? { accountId, email: whole.subarray(ID).toString() } : undefined
}

function sign(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(`unsubscribe\n${text}`).digest()
}
