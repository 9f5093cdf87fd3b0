import { inBatches, type Reader } from '../db/batches.ts'
import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import { Problem } from '../problem.ts'
import { type Listed, toListed, type Written } from '../resource.ts'
import { emit } from '../webhooks/outbox.ts'
import { ERASED_EMAIL, ERASED_NAME } from '../words.ts'
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

/** The abstracts that a person is an author or the contact of, in batches. @param key as e-mails are compared */
export async function* findByPerson(
  reader: Reader,
  accountId: string,
  key: string,
): AsyncGenerator<string[]> {
  const batches = inBatches<store.PeopleRow>(reader, MAX_READ, (tx, last, size) =>
    store.listPeople(tx, accountId, last, size),
  )
  for await (const rows of batches) {
    const own = rows.filter(({ authors, contact }) =>
      isNamed(JSON.parse(authors) as Authors, JSON.parse(contact) as Contact, key),
    )
    if (own.length > 0) yield own.map(({ id }) => id)
  }
}

function isNamed(authors: Authors, contact: Contact, key: string): boolean {
  return [contact, ...authors].some(({ email }) => email !== null && emailKey(email) === key)
}

/** Makes a person anonymous in an abstract. Its text stays, as do the other people; with the contact goes what is written to it. */
export async function erase(tx: WriteTx, accountId: string, id: string, key: string): Promise<void> {
  const row = await find(tx, accountId, id)
  const { authors, contact, file_name, decision_note } = erasePeople(presentAbstract(row), key)
  const people = {
    id,
    authors: JSON.stringify(authors),
    contact: JSON.stringify(contact),
    file_name,
    decision_note,
  }
  await store.replacePeople(tx, accountId, people, await tx.now())
}

type Authors = Abstract['authors']
type Contact = Abstract['contact']

/** An abstract as it is without a person: an author without an e-mail is this one too where the name is that of the contact. */
export function erasePeople<Of extends Pick<Abstract, 'authors' | 'contact' | 'file_name' | 'decision_note'>>(
  abstract: Of,
  key: string,
): Of {
  const { authors, contact } = abstract
  const isContact = emailKey(contact.email) === key
  const isOwn = ({ name, email }: Authors[number]) =>
    email === null ? isContact && name === contact.name : emailKey(email) === key
  return {
    ...abstract,
    authors: authors.map(author =>
      isOwn(author) ? { ...author, name: ERASED_NAME, email: null, affiliation: null } : author,
    ),
    contact: isContact ? { name: ERASED_NAME, email: ERASED_EMAIL, phone: null } : contact,
    file_name: isContact ? null : abstract.file_name,
    decision_note: isContact ? null : abstract.decision_note,
  }
}

async function find(tx: ReadTx, accountId: string, id: string): Promise<store.AbstractRow> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found')
  return row
}
