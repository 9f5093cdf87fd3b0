import * as v from 'valibot'
import { newUuid } from '#base/ids.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as abstracts from '#product/programme/abstracts/submitted.ts'
import type { Language } from '#texts/languages.ts'
import { authorsOf, type Content, contentSchema, keywordsOf, textOf } from './content.ts'
import { findByAbstract, type Submitted, takeSubmitter } from './rules.ts'
import * as store from './store.ts'
import { isErased } from './submitters.ts'

/**
 * Returns the submission of an abstract, with its person. For an abstract that a file has brought, its contact becomes that person, so
 * that somebody can confirm it, and what the file says of it becomes its first version.
 *
 * @param language in which mails to a new person are
 * @returns undefined if the person was made anonymous, or if nobody could send the abstract as it is, such as one without a text
 */
export async function adopt(tx: WriteTx, id: string, language: Language): Promise<Submitted | undefined> {
  const known = await findByAbstract(tx, id)
  if (known !== undefined) return isErased(known.submitter) ? undefined : known
  const abstract = await abstracts.getSubmitted(tx, id)
  const { contact, event_id } = abstract
  if (contact.email === ERASED_EMAIL) return undefined
  const content = toContent(abstract)
  if (content === undefined) return undefined
  await abstracts.keepFirst(tx, abstract, content)
  const { id: submitter_id } = await takeSubmitter(tx, event_id, { ...contact, language })
  const now = await tx.now()
  // No form has this id: whoever sends a form that is known is led to what it began.
  const form_id = newUuid()
  const row = { id: newUuid(), event_id, submitter_id, form_id, draft: null, confirmed_at: null }
  await store.insert(tx, row, now)
  await store.setAbstract(tx, row.id, id, now)
  return findByAbstract(tx, id)
}

/** @returns undefined if it would say something else */
function toContent(abstract: abstracts.SubmittedAbstract): Content | undefined {
  const { title, topic_id, kind_id, contact, keywords } = abstract
  const affiliations = [...new Set(abstract.authors.flatMap(({ affiliations: some }) => some))]
  const parsed = v.safeParse(contentSchema, {
    ...{ title, topic_id, kind_id, affiliations },
    sections: [{ heading: '', text: abstract.abstract }],
    keywords: keywords === null ? [] : keywords.split(', '),
    language: abstract.language ?? '',
    contact: { name: contact.name, phone: contact.phone },
    authors: abstract.authors.map(({ name, email, orcid, presenting, affiliations: some }) => ({
      ...{ given: null, family: name, email, orcid, presenting },
      affiliations: some.map(each => affiliations.indexOf(each)),
    })),
  })
  if (!parsed.success) return undefined
  const content = parsed.output
  const isSame =
    content.title === title &&
    textOf(content.sections) === abstract.abstract &&
    keywordsOf(content) === keywords &&
    authorsOf(content).every(({ name }, at) => name === abstract.authors[at]?.name)
  return isSame ? content : undefined
}
