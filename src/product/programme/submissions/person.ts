import { emailKey } from '#base/fields.ts'
import { ERASED_NAME, erasedEmailOf } from '#base/words.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as removal from '#product/programme/files/removal.ts'
import * as personStore from './person-store.ts'
import * as rules from './rules.ts'
import type { Draft } from './schemas.ts'
import * as store from './store.ts'

/** One read looks at this many people, or drafts. A draft has 64 kB at most. */
const READ = 30

/** What a person has in one event, beside the abstracts themselves. */
export interface Share {
  drafts: number
  /** Files of abstracts, replaced ones too. */
  files: number
}

/** Finds what a person is in the events of an account: the ids of these, in batches. @param key of the e-mail */
export async function* findByPerson(
  reader: Reader,
  accountId: string,
  key: string,
): AsyncGenerator<string[]> {
  const batches = inBatches(reader, accountId, READ, (tx, last: { id: string } | undefined, size) =>
    personStore.listSubmitters(tx, key, last?.id ?? '', size),
  )
  for await (const rows of batches) yield rows.map(({ id }) => id)
}

/** Counts what a person has in an event. @param id of the submitter */
export async function readShare(tx: ReadTx, id: string): Promise<Share> {
  const share: Share = { drafts: 0, files: 0 }
  for (const { id: submission, event_id, draft } of await rules.listBySubmitter(tx, id)) {
    if (draft !== null) share.drafts++
    share.files += (await removal.listOfSubmission(tx, event_id, submission)).length
  }
  return share
}

/**
 * Makes a person who submits anonymous in an event: drafts go, and with them all that was never sent. The links lead nowhere, and
 * the files are attached to nothing.
 *
 * @param id of the submitter
 * @returns the ids of the files, whose pieces are still there
 */
export async function erase(tx: WriteTx, id: string): Promise<string[]> {
  const now = await tx.now()
  const files: string[] = []
  for (const { id: submission, event_id, draft, abstract_id } of await rules.listBySubmitter(tx, id)) {
    files.push(...(await removal.discardOfSubmission(tx, event_id, submission)))
    if (abstract_id === null) await store.remove(tx, submission)
    else if (draft !== null) await store.setDraft(tx, submission, null, now)
  }
  // In an event, no two people have the same e-mail.
  const email = erasedEmailOf(id)
  await store.eraseSubmitter(tx, id, { name: ERASED_NAME, email, email_key: emailKey(email) }, now)
  return files
}

export type DraftRow = personStore.DraftRow

/** Yields the drafts of others that name a person by e-mail, without that person, in batches. */
export async function* redactDrafts(
  reader: Reader,
  accountId: string,
  key: string,
): AsyncGenerator<DraftRow[]> {
  const batches = inBatches(reader, accountId, READ, (tx, last: DraftRow | undefined, size) =>
    personStore.listDrafts(tx, last, size),
  )
  for await (const rows of batches) {
    yield rows.flatMap(row => {
      const draft = withoutPerson(JSON.parse(row.draft) as Draft, key)
      return draft === undefined ? [] : [{ ...row, draft: JSON.stringify(draft) }]
    })
  }
}

/** Stores such a draft, unless its author has saved it meanwhile. */
export async function replaceDraft(tx: WriteTx, row: DraftRow): Promise<void> {
  await store.replaceDraft(tx, row, await tx.now())
}

/** Empties each row of a form that has the e-mail: all fields with the name up to the last dot. */
function withoutPerson(draft: Draft, key: string): Draft | undefined {
  const rowOf = (name: string) => name.slice(0, name.lastIndexOf('.') + 1)
  const own = new Set(
    Object.entries(draft.typed).flatMap(([name, values]) =>
      values.some(value => emailKey(value.trim()) === key) ? [rowOf(name) || name] : [],
    ),
  )
  if (own.size === 0) return undefined
  const typed = Object.entries(draft.typed).map(([name, values]) =>
    own.has(rowOf(name) || name) ? [name, values.map(() => '')] : [name, values],
  )
  return { ...draft, typed: Object.fromEntries(typed) as Draft['typed'] }
}
