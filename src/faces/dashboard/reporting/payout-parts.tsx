import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Banner, ButtonLink, Pill } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { findStripe, type StripeConnection } from '#product/selling/payments/connections.ts'
import { BALANCE_PERMISSION, PAYOUT_PERMISSION } from '#product/selling/payments/stripe/keys.ts'
import * as payouts from '#product/selling/payouts/rules.ts'
import type { Payout, PayoutReading } from '#product/selling/payouts/schemas.ts'
import type { Texts } from '#texts/texts.ts'

/** A payout is of all events, so members need all of them. */
export const OF_PAYOUTS = { permission: 'reports', isOfAllEvents: true } as const

/** Where the payouts come from, and how their last reading went. */
export interface PayoutSource {
  stripe: StripeConnection | undefined
  reading: PayoutReading | undefined
}

/** Returns undefined if nobody needs the pages about payouts: Stripe is not connected, and has paid nothing out. */
export async function findSource(tx: ReadTx): Promise<PayoutSource | undefined> {
  const stripe = await findStripe(tx)
  if (stripe === undefined && !(await payouts.hasAny(tx))) return undefined
  return { stripe, reading: await payouts.findReading(tx) }
}

const tones = { pending: 'off', in_transit: 'off', paid: 'good', failed: 'bad', canceled: 'bad' } as const

export function PayoutState({ payout: { status }, texts }: { payout: Payout; texts: Texts }) {
  return <Pill tone={tones[status]}>{texts.payouts.states[status]}</Pill>
}

/** Returns the sentence about the list of a payout: why it is not to be had, or by how much it differs from the payout. */
export function tellList(
  payout: Payout,
  { denied }: Partial<PayoutReading>,
  { texts, format }: Voice,
): string {
  const { payouts: labels } = texts
  const { list, net, difference, currency } = payout
  if (list === 'waiting' && denied === 'lines') return labels.deniedLines(BALANCE_PERMISSION)
  if (list !== 'complete' || net === null || difference === null)
    return labels.listsAbout[list === 'manual' ? 'manual' : 'waiting']
  if (difference === 0) return labels.equals
  return labels.differs(format.money(net, currency), format.money(difference, currency))
}

/** Says what hinders the reading of payouts, and what to do about it. */
export function ReadingNotice({
  source: { stripe, reading },
  accountId,
  voice,
}: {
  source: PayoutSource
  accountId: string
  voice: Voice
}) {
  const { payouts: labels } = voice.texts
  if (stripe === undefined || stripe.trouble === 'denied' || stripe.trouble === 'no_key')
    return <Banner tone="warn">{labels.disconnected}</Banner>
  const denied = reading?.denied ?? null
  if (denied === null) return reading === undefined ? <Banner tone="warn">{labels.fetching}</Banner> : null
  const what =
    denied === 'payouts' ? labels.deniedPayouts(PAYOUT_PERMISSION) : labels.deniedLines(BALANCE_PERMISSION)
  return (
    <Banner tone="warn" action={<ButtonLink href={paths.stripe(accountId)}>{labels.toKey}</ButtonLink>}>
      {what} {labels.deniedHow}
    </Banner>
  )
}
