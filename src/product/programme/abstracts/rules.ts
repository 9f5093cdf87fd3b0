import { Problem } from '#base/problem.ts'
import { type Listed, toListed, type Written } from '#base/resource.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { emit } from '#product/administration/webhooks/outbox.ts'
import { listDeleting } from '#product/catalog/events/deleting.ts'
import { present, presenterOf } from './choices.ts'
import * as proposalStore from './proposal-store.ts'
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

/** A decision. Without a kind it is accepted as the one that its authors asked for. */
export type Decided = Pick<Decision, 'decision' | 'note'> & { kind_id?: string | null | undefined }

/** What became of a decision. */
export interface Outcome extends Written<Abstract> {
  /** Rises with each decision that says something else than the one before. Whoever is told is told once of each number. */
  number: number
  /** Whether it says something else than the one before. */
  isNew: boolean
}

/**
 * Decides an abstract, from any state and as often as the organizer likes. The decision becomes its status. Accepting and
 * rejecting set `decided_at`, and taking it back into review clears it. The note and the kind are those of the latest decision. What
 * was proposed for it goes: the decision stands. What its authors have confirmed, and until when they are asked to, stands as long as
 * it stays accepted as that kind.
 *
 * @param input its kind is one of the call, which may have retired since it was proposed
 * @throws Problem not_found; abstract_withdrawn
 */
export async function decide(tx: WriteTx, id: string, input: Decided): Promise<Outcome> {
  const { decision, note = null, kind_id = null } = input
  const row = await find(tx, id)
  if (row.withdrawn_at !== null) throw new Problem('abstract_withdrawn')
  const decided_kind_id = decision === 'accepted' ? kind_id : null
  const isSame = decision === row.status && decided_kind_id === row.decided_kind_id
  const isNew = !isSame || note !== row.decision_note
  const now = await tx.now()
  const decided = {
    ...{ status: decision, decision_note: note, decided_kind_id },
    decided_at: decision === 'in_review' ? null : now,
    decision_number: row.decision_number + (isNew ? 1 : 0),
    confirmed_at: isSame ? row.confirmed_at : null,
  }
  await store.decide(tx, row.id, decided, isSame, now)
  await proposalStore.remove(tx, row.id)
  const written = await emit(tx, 'abstract.decided', await present(tx, { ...row, ...decided }))
  return { ...written, number: decided.decision_number, isNew }
}

async function find(tx: ReadTx, id: string): Promise<store.AbstractRow> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return row
}
