import { emailKey } from '#base/fields.ts'
import { ERASED_NAME, erasedEmailOf } from '#base/words.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as reviewStore from './review-store.ts'
import * as store from './reviewer-store.ts'

const READ = 30

/** Finds what a person is among the reviewers of an account: the ids, in batches. @param key of the e-mail */
export async function* findByPerson(
  reader: Reader,
  accountId: string,
  key: string,
): AsyncGenerator<string[]> {
  const batches = inBatches(reader, accountId, READ, (tx, last: { id: string } | undefined, size) =>
    store.listByKey(tx, key, last?.id ?? '', size),
  )
  for await (const rows of batches) yield rows.map(({ id }) => id)
}

/** Makes a reviewer anonymous, who leaves with it. What they have done stays, as others were decided by it. */
export async function erase(tx: WriteTx, id: string): Promise<void> {
  const email = erasedEmailOf(id)
  await store.erase(tx, id, { name: ERASED_NAME, email, email_key: emailKey(email) }, await tx.now())
  await reviewStore.removeUndone(tx, id)
}

/** Yields the reviewers who have named a person by e-mail as a conflict, without that, in batches. */
export async function* redactConflicts(
  reader: Reader,
  accountId: string,
  key: string,
): AsyncGenerator<store.ConflictsRow[]> {
  const batches = inBatches(reader, accountId, READ, (tx, last: store.ConflictsRow | undefined, size) =>
    store.listConflicts(tx, last, size),
  )
  for await (const rows of batches) {
    yield rows.flatMap(row => {
      const named = JSON.parse(row.conflicts) as string[]
      const kept = named.filter(text => !text.toLowerCase().includes(key))
      return kept.length === named.length ? [] : [{ ...row, conflicts: JSON.stringify(kept) }]
    })
  }
}

export async function replaceConflicts(tx: WriteTx, row: store.ConflictsRow): Promise<void> {
  await store.setConflicts(tx, row, await tx.now())
}
