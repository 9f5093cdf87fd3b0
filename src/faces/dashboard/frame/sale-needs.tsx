import type { Clock } from '#base/time.ts'
import type { Item } from '#faces/dashboard/system/needs-of-instance.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Paying } from '#product/selling/payments/reconciler.ts'
import { listUnpayable, type Unpayable } from '#product/selling/sellability/rules.ts'
import { isSeen } from './navigation.ts'
import type { AccountRequest } from './page-request.ts'
import { paths } from './paths.ts'

/** Members who edit events see which of them sell something that nobody can pay. */
const OF_SALE = { permission: 'events.edit' } as const

/** The most events that the list names. They are those with the most such types. */
const MOST_EVENTS = 5

interface Sources {
  clock: Clock
  payments: Pick<Paying, 'processors'>
}

/** Returns the published events that sell something which nobody can pay. */
export async function findUnpayable(
  tx: ReadTx,
  request: AccountRequest,
  { clock, payments }: Sources,
): Promise<readonly Unpayable[]> {
  if (!isSeen(OF_SALE, request)) return []
  return listUnpayable(tx, request.member.event_ids, payments.processors, clock())
}

export function unpayableItems(found: readonly Unpayable[], { voice }: AccountRequest): Item[] {
  const { needs: texts } = voice.texts
  const sorted = found.toSorted((one, other) => other.count - one.count)
  const items: Item[] = sorted.slice(0, MOST_EVENTS).map(({ eventId, title, count }) => ({
    key: `unpayable ${eventId}`,
    text: texts.unpayable(count),
    about: <bdi>{title}</bdi>,
    href: paths.event(eventId),
  }))
  const others = sorted.length - items.length
  if (others > 0)
    items.push({ key: 'unpayable', text: texts.otherUnpayable(others), about: texts.othersAbout })
  return items
}
