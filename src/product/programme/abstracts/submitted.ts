import { randomInt } from 'node:crypto'
import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { toIso } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { presentUnplaced } from './choices.ts'
import type { Version } from './person-version.ts'
import * as proposalStore from './proposal-store.ts'
import * as revisionStore from './revision-store.ts'
import type { Abstract } from './schemas.ts'
import * as store from './store.ts'

/** How often an abstract may be changed after it was sent, in all. */
export const MOST_REVISIONS = 50
/** Codes are drawn from these. They do not tell in which order abstracts came. */
const [FIRST_CODE, LAST_CODE] = [1_000, 9_999]
/** After so many draws that met a code in use, codes have a digit more. */
const DRAWS = 50

/** What somebody submits, as the API has it. */
export type Sent = Pick<Abstract, 'title' | 'abstract' | 'keywords' | 'language' | 'authors' | 'contact'> & {
  topic_id: string | null
  kind_id: string | null
  /** All of it, as the next revision keeps it. */
  content: Version
  /** What was made of its formulas, as JSON. */
  formulas: string | null
}

/** An abstract with what the API does not show. Its place in the programme is looked up where it is shown. */
export interface SubmittedAbstract extends Omit<Abstract, 'session'> {
  topic_id: string | null
  kind_id: string | null
  /** The number of its newest revision. */
  revision: number
  /** Rises with each decision that says something else than the one before. */
  decision_number: number
  /** The kind that it was accepted as. It is null for the one that its authors asked for. */
  decided_kind_id: string | null
}

/** @throws Problem not_found */
export async function getSubmitted(tx: ReadTx, id: string): Promise<SubmittedAbstract> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  const { topic_id, kind_id, revision, decision_number, decided_kind_id } = row
  return {
    ...(await presentUnplaced(tx, row)),
    topic_id,
    kind_id,
    revision,
    decision_number,
    decided_kind_id,
  }
}

/** Returns what a revision of an abstract says, the newest if none is named. @throws Problem not_found */
export async function readRevision(
  tx: ReadTx,
  { id, revision }: Pick<SubmittedAbstract, 'id' | 'revision'>,
): Promise<{ content: unknown; formulas: string | null }> {
  const row = await revisionStore.findRevision(tx, id, revision)
  if (row === undefined) throw new Problem('not_found')
  return { content: JSON.parse(row.content), formulas: row.formulas }
}

/** When a version of an abstract was made, and by whom. */
export interface Revision {
  number: number
  at: string
  /** The name of the access log. It is null for its author. */
  by: string | null
}

/** Lists when an abstract was sent and changed, the newest first. */
export async function listRevisions(tx: ReadTx, id: string): Promise<Revision[]> {
  return (await revisionStore.listRevisions(tx, id)).map(({ number, changed_by: by, created_at }) => ({
    ...{ number, by },
    at: toIso(created_at),
  }))
}

/** Adds an abstract to an event, with a code of its own. @param fileName what its person calls the file beside it */
export async function add(
  tx: WriteTx,
  eventId: string,
  sent: Sent,
  fileName: string | null,
): Promise<SubmittedAbstract> {
  const id = newUuid()
  const now = await tx.now()
  const row = { ...toRow(id, eventId, sent), code: await drawCode(tx, eventId), file_name: fileName }
  await store.insertSubmitted(tx, row, now)
  await revisionStore.insertRevision(tx, row, { number: 1, ...keep(sent), changed_by: null }, now)
  return getSubmitted(tx, id)
}

/**
 * Makes the next revision of an abstract. What says the same as before makes none.
 *
 * @param by who changes it in place of its author, as the access log names them
 * @param isLate whether it may be decided already
 * @throws Problem not_found; abstract_withdrawn; abstract_decided; too_many_revisions
 */
export async function change(
  tx: WriteTx,
  id: string,
  sent: Sent,
  by: string | null = null,
  isLate = by !== null,
): Promise<SubmittedAbstract> {
  const { event_id, revision, withdrawn_at } = await getSubmitted(tx, id)
  if (!isLate) await refuseEnded(tx, id)
  else if (withdrawn_at !== null) throw new Problem('abstract_withdrawn')
  const kept = keep(sent)
  const newest = await revisionStore.findRevision(tx, id, revision)
  if (newest?.content === kept.content) return getSubmitted(tx, id)
  if (revision >= MOST_REVISIONS) throw new Problem('too_many_revisions')
  const now = await tx.now()
  const row = toRow(id, event_id, sent)
  await store.revise(tx, row, revision + 1, now)
  await revisionStore.insertRevision(tx, row, { number: revision + 1, ...kept, changed_by: by }, now)
  return getSubmitted(tx, id)
}

/** Keeps what a file has brought as the first version of an abstract, which stays as it is. */
export async function keepFirst(
  tx: WriteTx,
  { id, event_id }: Pick<SubmittedAbstract, 'id' | 'event_id'>,
  content: Version,
): Promise<void> {
  const now = await tx.now()
  const first = { number: 1, content: JSON.stringify(content), formulas: null, changed_by: 'system' }
  await revisionStore.insertRevision(tx, { id, event_id }, first, now)
  await store.setRevision(tx, id, 1, now)
}

/** Writes to the contact of an abstract at another e-mail from now on. @throws Problem not_found */
export async function redirectContact(tx: WriteTx, id: string, email: string): Promise<void> {
  const { contact } = await getSubmitted(tx, id)
  await store.setContact(tx, id, JSON.stringify({ ...contact, email }), await tx.now())
}

/** Names the file that stands beside an abstract from now on. */
export async function nameFile(tx: WriteTx, id: string, name: string | null): Promise<void> {
  await store.setFileName(tx, id, name, await tx.now())
}

/**
 * Refuses to go on with an abstract that its authors cannot change any more.
 *
 * @throws Problem not_found; abstract_withdrawn; abstract_decided
 */
export async function refuseEnded(tx: ReadTx, id: string): Promise<void> {
  const { withdrawn_at, status } = await getSubmitted(tx, id)
  if (withdrawn_at !== null) throw new Problem('abstract_withdrawn')
  if (isDecided(status)) throw new Problem('abstract_decided')
}

/** Returns whether its authors cannot change an abstract any more. */
export function isEnded({
  withdrawn_at,
  status,
}: Pick<SubmittedAbstract, 'withdrawn_at' | 'status'>): boolean {
  return withdrawn_at !== null || isDecided(status)
}

export function isDecided(status: SubmittedAbstract['status']): boolean {
  return status === 'accepted' || status === 'rejected'
}

/** Withdraws an abstract. It stays in the file, lists leave it out, and nothing is proposed for it. @throws Problem not_found */
export async function withdraw(tx: WriteTx, id: string): Promise<SubmittedAbstract> {
  const { withdrawn_at } = await getSubmitted(tx, id)
  const now = await tx.now()
  if (withdrawn_at === null) await store.setWithdrawn(tx, id, now, now)
  await proposalStore.remove(tx, id)
  return getSubmitted(tx, id)
}

function keep({ content, formulas }: Sent): Pick<revisionStore.RevisionRow, 'content' | 'formulas'> {
  return { content: JSON.stringify(content), formulas }
}

/** Takes back the withdrawal of an abstract, which stands again as it was. @throws Problem not_found */
export async function reopen(tx: WriteTx, id: string): Promise<SubmittedAbstract> {
  await store.setWithdrawn(tx, id, null, await tx.now())
  return getSubmitted(tx, id)
}

function toRow(id: string, event_id: string, sent: Sent): store.SubmittedRow {
  const { title, abstract, keywords, language, topic_id, kind_id } = sent
  return {
    ...{ id, event_id, title, abstract, keywords, language, topic_id, kind_id },
    authors: JSON.stringify(sent.authors),
    contact: JSON.stringify(sent.contact),
  }
}

async function drawCode(tx: ReadTx, eventId: string): Promise<string> {
  for (let draw = 0; ; draw++) {
    const wider = draw < DRAWS ? 1 : 10
    const code = String(randomInt(FIRST_CODE * wider, (LAST_CODE + 1) * wider))
    if (!(await store.hasCode(tx, eventId, code))) return code
  }
}
