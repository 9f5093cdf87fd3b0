import type { Basket } from '../orders/basket.ts'
import type { Method } from '../payments/processor.ts'
import { waysFor } from '../payments/ways.ts'
import type { Seen } from './pages.tsx'
import type { Visited } from './visited.ts'

/** In which a basket can be paid now: what has to be approved is paid later. */
export async function readWays(
  { db, clock, payments }: Visited,
  { accountId }: Pick<Seen, 'accountId'>,
  { event, total }: Pick<Basket, 'event' | 'total'>,
): Promise<Method[]> {
  if (total === 0 || event.requires_approval) return []
  return db.read(tx => waysFor(tx, accountId, event, total, payments.processors, clock()))
}
