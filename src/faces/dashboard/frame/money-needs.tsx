import type { ComponentChildren } from 'preact'
import { withQuery } from '#machinery/web/link.ts'
import type { Dispute } from '#product/selling/payments/disputes.ts'
import { type OfEvents, Whose } from './needs-of-events.tsx'
import type { AccountRequest } from './page-request.ts'
import { paths } from './paths.ts'

interface Item {
  key: string
  text: ComponentChildren
  about: ComponentChildren
  href?: string
}

interface Money {
  /** The events with the most payments whose amount differs from the amount that was asked for. */
  amounts: Pick<OfEvents, 'most'>
  /** The number of refunds that have not reached their buyers. */
  owed: number
  /** The reason why Stripe takes no requests. */
  stripeTrouble: 'denied' | 'no_key' | undefined
  /** The disputes that are not decided yet. */
  disputes: readonly Dispute[]
  /** The lost disputes whose tickets wait for a decision. */
  lostDisputes: readonly Dispute[]
}

/** Refunds are counted exactly below this number, and lines of bank statements below `MOST_LINES`. */
export const MOST_OWED = 100
/** The most disputes of each kind that the list names. */
export const MOST_DISPUTES = 5
export const MOST_LINES = 1000

/** Returns the needs that concern money. */
export function moneyItems(
  { amounts, owed, stripeTrouble, disputes, lostDisputes }: Money,
  { account, voice }: AccountRequest,
): Item[] {
  const { needs: texts } = voice.texts
  const items: Item[] = amounts.most.map(of => ({
    key: `amounts ${of.id}`,
    text: texts.amounts(of.count),
    about: <Whose of={of} texts={voice.texts} />,
    href: withQuery(paths.orders(of.id), { state: 'payment' }),
  }))
  const owedText = owed < MOST_OWED ? texts.owed(owed) : texts.owedOrMore(owed)
  if (owed > 0)
    items.push({ key: 'owed', text: owedText, about: texts.owedAbout, href: paths.owed(account.id) })
  for (const { id, amount, currency, event_id, order_id, due_by } of disputes) {
    const until = due_by === null ? texts.disputeAbout : texts.disputeUntil(voice.format.dateTime(due_by))
    const text = texts.dispute(voice.format.money(amount, currency))
    items.push({ key: `dispute ${id}`, text, about: until, href: paths.order(event_id, order_id) })
  }
  for (const { id, amount, currency, event_id, order_id } of lostDisputes) {
    const text = texts.disputeLost(voice.format.money(amount, currency))
    const href = paths.dispute(event_id, order_id, id)
    items.push({ key: `lost ${id}`, text, about: texts.disputeLostAbout, href })
  }
  if (stripeTrouble === 'denied')
    items.push({ key: 'stripe', text: texts.stripeDenied, about: texts.stripeDeniedAbout })
  if (stripeTrouble === 'no_key')
    items.push({ key: 'stripe', text: texts.stripeKeyMissing, about: texts.stripeKeyMissingAbout })
  return items
}

/** @param n the number of lines of bank statements that wait for a decision */
export function lineItems(n: number, { account, voice }: AccountRequest): Item[] {
  const { needs: texts } = voice.texts
  if (n === 0) return []
  const text = n < MOST_LINES ? texts.bankLines(n) : texts.bankLinesOrMore(n)
  return [{ key: 'lines', text, about: texts.bankLinesAbout, href: paths.statements(account.id) }]
}
