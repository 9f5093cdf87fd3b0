import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { says } from '#base/faults.ts'
import { oneOf } from '#base/fields.ts'
import { DAY } from '#base/time.ts'
import { allWebhookEventTypes, type WebhookEventType } from './event-types.ts'

const MAX_URL = 2000

/** How long the previous secret also signs after a rotation, in milliseconds. */
export const ROTATION_GRACE = DAY

/**
 * The URL of an endpoint. It is kept exactly as given, because it identifies the endpoint. The address guard decides whether
 * plain http is allowed, and which addresses are.
 */
export const endpointUrl = v.pipe(
  v.string(says('string')),
  v.maxLength(MAX_URL, says('maxLength', { max: MAX_URL })),
  v.check(isWebUrl, says('webhookUrl')),
)

/** A list of event types without duplicates, sorted into the order of the catalogue. */
export const endpointTypes = v.pipe(
  v.array(oneOf(allWebhookEventTypes), says('array')),
  v.minLength(1, says('noEventType')),
  v.check(types => new Set(types).size === types.length, says('eventTypeTwice')),
  v.transform((types): WebhookEventType[] => allWebhookEventTypes.filter(type => types.includes(type))),
)

function isWebUrl(text: string): boolean {
  // The parser drops white space and control characters, so the request would go to another address than the text says.
  if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === ''
}

/** Makes the HMAC key of an endpoint (specification section 6). */
export function newEndpointSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

/**
 * Returns whether the previous secret still signs. If it expires more than a day too late, a clock that was ahead rotated it, and
 * it has long ended.
 *
 * @param expires in milliseconds, as is `now`
 */
export function isSigning(expires: number, now: number): boolean {
  return expires > now && expires <= now + ROTATION_GRACE + DAY
}
