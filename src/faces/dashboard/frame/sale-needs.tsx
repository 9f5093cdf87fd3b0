import type { Clock } from '#base/time.ts'
import type { Item } from '#faces/dashboard/system/needs-of-instance.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Paying } from '#product/selling/payments/reconciler.ts'
import { countUnpayable } from '#product/selling/sellability/rules.ts'
import { nameMost, type OfEvents, Whose } from './needs-of-events.tsx'
import type { AccountRequest } from './page-request.ts'
import { paths } from './paths.ts'

/** Members who edit events see which of them sell something that nobody can pay. */
export const OF_SALE = { permission: 'events.edit' } as const

interface Sources {
  clock: Clock
  payments: Pick<Paying, 'processors'>
}

/** Returns the published events that sell something which nobody can pay. */
export async function findUnpayable(
  tx: ReadTx,
  { member }: AccountRequest,
  { clock, payments }: Sources,
): Promise<OfEvents> {
  return nameMost(tx, await countUnpayable(tx, member.event_ids, payments.processors, clock()))
}

export function unpayableItems({ most, others }: OfEvents, { voice }: AccountRequest): Item[] {
  const { needs: texts } = voice.texts
  const items: Item[] = most.map(of => ({
    key: `unpayable ${of.id}`,
    text: texts.unpayable(of.count),
    about: <Whose of={of} texts={voice.texts} />,
    href: paths.event(of.id),
  }))
  if (others > 0)
    items.push({ key: 'unpayable', text: texts.otherUnpayable(others), about: texts.othersAbout })
  return items
}
