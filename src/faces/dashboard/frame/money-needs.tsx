import type { ComponentChildren } from 'preact'
import type { Dispute } from '../payments/disputes.ts'
import { withQuery } from '../web/link.ts'
import type { OfAccount } from './asked.ts'
import { paths } from './paths.ts'

interface Item {
  key: string
  text: ComponentChildren
  about: ComponentChildren
  href?: string
}

interface Money {
  /** Payments of another amount than was asked for, of the events that have the most. */
  amounts: { most: readonly { id: string; title: string; count: number }[] }
  /** Refunds that have not reached their buyers. */
  owed: number
  isStripeDenied: boolean
  /** That are not decided. */
  disputes: readonly Dispute[]
}

/** Refunds that are counted one by one, and lines. */
export const MOST_OWED = 100
/** Disputes that are named. */
export const MOST_DISPUTES = 5
export const MOST_LINES = 1000

/** What of the money waits for somebody. */
export function moneyItems(
  { amounts, owed, isStripeDenied: isDenied, disputes }: Money,
  { account, voice }: OfAccount,
): Item[] {
  const { needs: texts } = voice.texts
  const items: Item[] = amounts.most.map(({ id, title, count }) => ({
    key: `amounts ${id}`,
    text: texts.amounts(count),
    about: <bdi>{title}</bdi>,
    href: withQuery(paths.orders(id), { state: 'payment' }),
  }))
  const owedText = owed < MOST_OWED ? texts.owed(owed) : texts.owedOrMore(owed)
  if (owed > 0)
    items.push({ key: 'owed', text: owedText, about: texts.owedAbout, href: paths.owed(account.id) })
  for (const { id, amount, currency, event_id, order_id, due_by } of disputes) {
    const until = due_by === null ? texts.disputeAbout : texts.disputeUntil(voice.format.dateTime(due_by))
    const text = texts.dispute(voice.format.money(amount, currency))
    items.push({ key: `dispute ${id}`, text, about: until, href: paths.order(event_id, order_id) })
  }
  if (isDenied) items.push({ key: 'stripe', text: texts.stripeDenied, about: texts.stripeDeniedAbout })
  return items
}

/** @param n lines of bank statements that wait for somebody to decide */
export function lineItems(n: number, { account, voice }: OfAccount): Item[] {
  const { needs: texts } = voice.texts
  if (n === 0) return []
  const text = n < MOST_LINES ? texts.bankLines(n) : texts.bankLinesOrMore(n)
  return [{ key: 'lines', text, about: texts.bankLinesAbout, href: paths.statements(account.id) }]
}
