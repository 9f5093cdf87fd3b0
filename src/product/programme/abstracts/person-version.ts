import { emailKey } from '#base/fields.ts'
import { ERASED_NAME } from '#base/words.ts'

/** The people of a version of an abstract, and the affiliations that they refer to by place. */
export interface Version {
  contact: { name: string; phone: string | null }
  authors: readonly VersionAuthor[]
  affiliations: readonly string[]
  answers: Readonly<Record<string, string>>
}

interface VersionAuthor {
  given: string | null
  family: string | null
  email: string | null
  orcid: string | null
  affiliations: readonly number[]
}

/** Returns whether a person is an author by e-mail. @param key the e-mail in the form that is compared */
export function namesPerson({ authors }: Version, key: string): boolean {
  return authors.some(({ email }) => email !== null && emailKey(email) === key)
}

/**
 * Returns a version without a person. Affiliations that nobody else has go too, and answers go with the contact, who gave them. An author without an e-mail is the same person if the
 * name is that of the contact.
 *
 * @param isContact whether the person is the contact
 */
export function eraseVersion<Of extends Version>(
  version: Of,
  { key, isContact }: { key: string; isContact: boolean },
): Of {
  const { contact, authors } = version
  const isOwn = ({ given, family, email }: VersionAuthor) =>
    email === null
      ? isContact && [given, family].filter(Boolean).join(' ') === contact.name
      : emailKey(email) === key
  const erased = authors.map(author =>
    isOwn(author)
      ? { ...author, given: null, family: ERASED_NAME, email: null, orcid: null, affiliations: [] }
      : author,
  )
  const left = new Set(erased.flatMap(({ affiliations }) => affiliations))
  const gone = new Set(authors.flatMap(({ affiliations }) => affiliations).filter(place => !left.has(place)))
  const kept = version.affiliations.map((_, place) => place).filter(place => !gone.has(place))
  return {
    ...version,
    contact: isContact ? { ...contact, name: ERASED_NAME, phone: null } : contact,
    answers: isContact ? {} : version.answers,
    authors: erased.map(author => ({
      ...author,
      affiliations: author.affiliations.map(place => kept.indexOf(place)),
    })),
    affiliations: kept.map(place => version.affiliations[place]),
  }
}
