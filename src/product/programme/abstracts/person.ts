import { emailKey } from '#base/fields.ts'
import { ERASED_EMAIL, ERASED_NAME } from '#base/words.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { eraseVersion, namesPerson, type Version } from './person-version.ts'
import * as proposalStore from './proposal-store.ts'
import * as revisionStore from './revision-store.ts'
import { type Abstract, readAuthors } from './schemas.ts'
import * as store from './store.ts'

/** One read looks at this many abstracts. Each can have 400 kB. */
const READ = 30

/**
 * Finds the abstracts of which a person is an author or the contact, or was an author in a version before, in batches.
 *
 * @param key the e-mail in the form that is compared
 */
export async function* findByPerson(
  reader: Reader,
  accountId: string,
  key: string,
): AsyncGenerator<string[]> {
  const batches = inBatches(reader, accountId, READ, (tx, last: store.PeopleRow | undefined, size) =>
    store.listPeople(tx, last, size),
  )
  for await (const rows of batches) {
    const own: string[] = []
    for (const row of rows) {
      // Few abstracts have versions before the one that they show.
      const isRevised = row.revision > 1
      if (isNamed(row, key) || (isRevised && (await reader.read(accountId, tx => wasNamed(tx, row, key)))))
        own.push(row.id)
    }
    if (own.length > 0) yield own
  }
}

type Authors = Abstract['authors']
type Contact = Abstract['contact']

function isNamed({ authors, contact }: store.PeopleRow, key: string): boolean {
  const people = [JSON.parse(contact) as Contact, ...(JSON.parse(authors) as Authors)]
  return people.some(({ email }) => email !== null && emailKey(email) === key)
}

/** The newest version has the authors that the abstract has, so it is not read. */
async function wasNamed(tx: ReadTx, { id, revision }: store.PeopleRow, key: string): Promise<boolean> {
  for (let number = 1; number < revision; number++) {
    const row = await revisionStore.findRevision(tx, id, number)
    if (row !== undefined && namesPerson(JSON.parse(row.content) as Version, key)) return true
  }
  return false
}

/**
 * Makes a person anonymous in an abstract and in each version of it. The text and the other people stay. If the person is the
 * contact, the file name and the note to them go too.
 */
export async function erase(tx: WriteTx, id: string, key: string): Promise<void> {
  const row = await store.findStored(tx, id)
  if (row === undefined) return
  const { file_name: name, decision_note: note } = row
  const was = {
    ...{ authors: readAuthors(row), contact: JSON.parse(row.contact) as Contact },
    ...{ file_name: name, decision_note: note },
  }
  const { authors, contact, file_name, decision_note } = erasePeople(was, key)
  const people = {
    id,
    authors: JSON.stringify(authors),
    contact: JSON.stringify(contact),
    file_name,
    decision_note,
  }
  const now = await tx.now()
  await store.replacePeople(tx, people, now)
  const isContact = emailKey(was.contact.email) === key
  if (isContact) await proposalStore.eraseNote(tx, id, now)
  const presents = was.authors.some(
    ({ presenting, email }) => presenting && email !== null && emailKey(email) === key,
  )
  // These days tell when somebody cannot come.
  if (isContact || presents) await store.setUnavailable(tx, id, null, now)
  for (let number = 1; number <= row.revision; number++) {
    const version = await revisionStore.findRevision(tx, id, number)
    if (version === undefined) continue
    const content = JSON.stringify(eraseVersion(JSON.parse(version.content) as Version, { key, isContact }))
    if (content !== version.content) await revisionStore.replaceRevision(tx, id, { number, content }, now)
  }
}

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
      isOwn(author)
        ? { ...author, name: ERASED_NAME, email: null, affiliation: null, orcid: null, affiliations: [] }
        : author,
    ),
    contact: isContact ? { name: ERASED_NAME, email: ERASED_EMAIL, phone: null } : contact,
    file_name: isContact ? null : abstract.file_name,
    decision_note: isContact ? null : abstract.decision_note,
  }
}
