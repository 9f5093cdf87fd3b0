import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { says } from '../faults.ts'
import { oneOf } from '../fields.ts'
import { DAY } from '../time.ts'
import { allWebhookEventTypes, type WebhookEventType } from './event-types.ts'

const MAX_URL = 2000

/** How long after a rotation the previous secret also signs, in milliseconds. */
export const ROTATION_GRACE = DAY

/**
 * The URL of an endpoint: kept exactly as given, as it identifies the endpoint. The address guard decides whether it may be
 * plain http, and which addresses it may have.
 */
export const endpointUrl = v.pipe(
  v.string(says('string')),
  v.maxLength(MAX_URL, says('maxLength', { max: MAX_URL })),
  v.check(isWebUrl, says('webhookUrl')),
)

/** Event types, each once, sorted into the order of the catalogue. */
export const endpointTypes = v.pipe(
  v.array(oneOf(allWebhookEventTypes), says('array')),
  v.minLength(1, says('noEventType')),
  v.check(types => new Set(types).size === types.length, says('eventTypeTwice')),
  v.transform((types): WebhookEventType[] => allWebhookEventTypes.filter(type => types.includes(type))),
)

function isWebUrl(text: string): boolean {
  // The parser would drop white space and control characters, and send elsewhere than it says.
  if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === ''
}

/** The HMAC key of an endpoint: specification section 6. */
export function newEndpointSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

/**
 * Whether the previous secret still signs. A secret that expires more than a day too late was rotated by a clock that was
 * ahead: it has long ended.
 *
 * @param expires milliseconds, as is `now`
 */
export function isSigning(expires: number, now: number): boolean {
  return expires > now && expires <= now + ROTATION_GRACE + DAY
}
