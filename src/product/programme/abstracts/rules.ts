import { Problem } from '#base/problem.ts'
import { type Listed, toListed, type Written } from '#base/resource.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { emit } from '#product/administration/webhooks/outbox.ts'
import { listDeleting } from '#product/catalog/events/deleting.ts'
import { present, presenterOf } from './choices.ts'
import type { Abstract, Decision } from './schemas.ts'
import * as store from './store.ts'

/**
 * Returns an abstract of the account.
 *
 * @throws Problem not_found
 */
export async function get(tx: ReadTx, id: string): Promise<Abstract> {
  return present(tx, await find(tx, id))
}

/** The most abstracts that one read gets. Each can have 400 kB. */
const MAX_READ = 30

/** Lists abstracts, newest first. It cuts a page of more than `MAX_READ`. */
export async function list(
  tx: ReadTx,
  filters: store.AbstractFilters,
  page: Page,
): Promise<{ rows: Iterable<Listed<Abstract>>; cut: boolean; ends?: boolean; end?: Position | undefined }> {
  const limit = Math.min(page.limit, MAX_READ)
  const deleting = await listDeleting(tx)
  if (deleting.some(id => id === filters.event_id)) return { rows: [], cut: false }
  const isAmongDeleting = deleting.length > 0 && filters.event_id === undefined
  const { rows, end } = isAmongDeleting
    ? await store.listKeptPage(tx, filters, { ...page, limit })
    : { rows: await store.listPage(tx, filters, { ...page, limit }), end: undefined }
  const cut = limit < page.limit && rows.length === limit
  return { rows: toListed(rows, await presenterOf(tx, rows)), cut, ends: end !== undefined, end }
}

/**
 * Decides an abstract, from any state and as often as the organizer likes. The decision becomes its status. Accepting and
 * rejecting set `decided_at`, and taking it back into review clears it. The note is the one of the latest decision.
 *
 * @throws Problem not_found; abstract_withdrawn
 */
export async function decide(
  tx: WriteTx,
  id: string,
  { decision, note }: Decision,
): Promise<Written<Abstract>> {
  const row = await find(tx, id)
  if (row.withdrawn_at !== null) throw new Problem('abstract_withdrawn')
  const now = await tx.now()
  const decided = {
    status: decision,
    decision_note: note ?? null,
    decided_at: decision === 'in_review' ? null : now,
  }
  await store.decide(tx, row.id, decided, now)
  return emit(tx, 'abstract.decided', await present(tx, { ...row, ...decided }))
}

async function find(tx: ReadTx, id: string): Promise<store.AbstractRow> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return row
}
