import { emailKey } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { type Listed, toListed, type Written } from '#base/resource.ts'
import { ERASED_EMAIL, ERASED_NAME } from '#base/words.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { emit } from '#product/administration/webhooks/outbox.ts'
import { listDeleting } from '#product/catalog/events/deleting.ts'
import { type Abstract, type Decision, presentAbstract } from './schemas.ts'
import * as store from './store.ts'

/**
 * Returns an abstract of the account.
 *
 * @throws Problem not_found
 */
export async function get(tx: ReadTx, id: string): Promise<Abstract> {
  return presentAbstract(await find(tx, id))
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
  return { rows: toListed(rows, presentAbstract), cut, ends: end !== undefined, end }
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
  return emit(tx, 'abstract.decided', presentAbstract({ ...row, ...decided }))
}

/**
 * Finds the abstracts of which a person is an author or the contact, in batches.
 *
 * @param key the e-mail in the form that is compared
 */
export async function* findByPerson(
  reader: Reader,
  accountId: string,
  key: string,
): AsyncGenerator<string[]> {
  const batches = inBatches(reader, accountId, MAX_READ, (tx, last: store.PeopleRow | undefined, size) =>
    store.listPeople(tx, last, size),
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

/**
 * Makes a person anonymous in an abstract. The text and the other people stay. If the person is the contact, the file name and
 * the note to them go too.
 */
export async function erase(tx: WriteTx, id: string, key: string): Promise<void> {
  const row = await store.findStored(tx, id)
  if (row === undefined) return
  const { authors, contact, file_name, decision_note } = erasePeople(presentAbstract(row), key)
  const people = {
    id,
    authors: JSON.stringify(authors),
    contact: JSON.stringify(contact),
    file_name,
    decision_note,
  }
  await store.replacePeople(tx, people, await tx.now())
}

type Authors = Abstract['authors']
type Contact = Abstract['contact']

/** Returns an abstract without a person. An author without an e-mail is the same person if the name is that of the contact. */
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

async function find(tx: ReadTx, id: string): Promise<store.AbstractRow> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return row
}
