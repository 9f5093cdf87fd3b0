import { createHmac, timingSafeEqual } from 'node:crypto'
import { isUuid } from '#base/ids.ts'

/** People unsubscribe from announcements at this path. */
export const UNSUBSCRIBE_PATH = '/unsubscribe'

/** The id of an account has this many bytes. */
const ID = 16

/** Names the account whose announcements go to somebody, and the e-mail of that person. */
export interface Subscription {
  accountId: string
  email: string
}

/**
 * Returns the address that unsubscribes somebody from the announcements of an account, without a sign-in (RFC 8058). It works for
 * as long as the database exists, because old mails contain it too.
 *
 * @param secret the secret of the instance
 */
export function unsubscribeUrl(baseUrl: string, secret: string, { accountId, email }: Subscription): string {
  const bytes = Buffer.concat([Buffer.from(accountId.replaceAll('-', ''), 'hex'), Buffer.from(email)])
  const text = bytes.toString('base64url')
  return `${baseUrl}${UNSUBSCRIBE_PATH}/${text}.${sign(secret, text).toString('base64url')}`
}

/**
 * Reads the end of such an address.
 *
 * @returns undefined for an address that was not made here, which tells nothing about who exists
 */
export function readUnsubscribe(secret: string, token: string): Subscription | undefined {
  const [text = '', signature = '', ...more] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(secret, text)
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
    return undefined
  const bytes = Buffer.from(text, 'base64url')
  const accountId = bytes
    .subarray(0, ID)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(accountId) ? { accountId, email: bytes.subarray(ID).toString() } : undefined
}

function sign(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(`unsubscribe\n${text}`).digest()
}
