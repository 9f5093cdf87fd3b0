import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { type Listed, toListed, type Written } from '../resource.ts'
import { emit } from '../webhooks/outbox.ts'
import { type Abstract, type Decision, presentAbstract } from './schemas.ts'
import * as store from './store.ts'

/**
 * An abstract of the account.
 *
 * @throws Problem not_found
 */
export async function get(tx: ReadTx, accountId: string, id: string): Promise<Abstract> {
  return presentAbstract(await find(tx, accountId, id))
}

/** Abstracts that are read at a time: each can have 400 kB. */
const MAX_READ = 30

/** Newest first; a page of more than `MAX_READ` is cut. */
export async function list(
  tx: ReadTx,
  accountId: string,
  filters: store.AbstractFilters,
  page: Page,
): Promise<{ rows: Iterable<Listed<Abstract>>; cut: boolean }> {
  const limit = Math.min(page.limit, MAX_READ)
  const rows = await store.listPage(tx, accountId, filters, { ...page, limit })
  return { rows: toListed(rows, presentAbstract), cut: limit < page.limit && rows.length === limit }
}

/**
 * Decides an abstract, from any state and as often as the organizer likes: the decision becomes its status. Accepting and
 * rejecting set `decided_at`; taking it back into review clears it. The note is that of the latest decision.
 *
 * @throws Problem not_found
 */
export async function decide(
  tx: WriteTx,
  accountId: string,
  id: string,
  { decision, note }: Decision,
): Promise<Written<Abstract>> {
  const row = await find(tx, accountId, id)
  const now = await tx.now()
  const decided = {
    status: decision,
    decision_note: note ?? null,
    decided_at: decision === 'in_review' ? null : now,
  }
  await store.decide(tx, accountId, row.id, decided, now)
  return emit(tx, accountId, 'abstract.decided', presentAbstract({ ...row, ...decided }))
}

async function find(tx: ReadTx, accountId: string, id: string): Promise<store.AbstractRow> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found')
  return row
}
