import { type Clock, HOUR } from '#base/time.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { type Finding, finding } from '#machinery/ops/doctor/finding.ts'
import type { Voice } from '#machinery/web/voice.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { findStripe, type StripeConnection } from './connections.ts'

/** A server asks Stripe every minute, so after this time without an answer something is wrong, in milliseconds. */
const SILENT = HOUR

export interface StripePatient {
  reader: Reader
  clock: Clock
  /** Whether the server accepts keys that move no money. */
  allowsTest: boolean
  isServed: boolean
}

/** Tells of each organization that takes money by Stripe whether it does, from what the server has noted. Stripe is not asked. */
export async function lookAtStripe(patient: StripePatient): Promise<Finding[]> {
  const { reader } = patient
  const found: Finding[] = []
  for (const { id, name } of await reader.read(INSTANCE, accounts.list)) {
    const stripe = await reader.read(id, findStripe)
    if (stripe !== undefined) found.push(lookAtOne(stripe, name, patient))
  }
  return found
}

function lookAtOne(
  stripe: StripeConnection,
  name: string,
  { clock, allowsTest, isServed }: StripePatient,
): Finding {
  const { trouble, is_live: isLive, last_four, events_read_at: readAt } = stripe
  const say = (tell: (texts: Voice['texts']['doctor']) => string) => (voice: Voice) =>
    tell(voice.texts.doctor)
  if (trouble === 'no_key' || last_four === '')
    return finding(
      'error',
      'stripe_no_key',
      say(texts => texts.stripeNoKey(name)),
    )
  if (!isLive && !allowsTest)
    return finding(
      'error',
      'stripe_test_refused',
      say(texts => texts.stripeTestRefused(name)),
    )
  if (trouble === 'denied')
    return finding(
      'error',
      'stripe_denied',
      say(texts => texts.stripeDenied(name)),
    )
  if (trouble === 'events_missed')
    return finding(
      'warning',
      'stripe_events_missed',
      say(texts => texts.stripeEventsMissed(name)),
    )
  if (isServed && readAt !== null && clock() - Date.parse(readAt) > SILENT) {
    return finding('error', 'stripe_silent', ({ texts, format }) =>
      texts.doctor.stripeSilent(name, format.dateTime(readAt)),
    )
  }
  if (!isLive)
    return finding(
      'warning',
      'stripe_test',
      say(texts => texts.stripeTest(name)),
    )
  return finding(
    'ok',
    'stripe_live',
    say(texts => texts.stripeLive(name)),
  )
}
