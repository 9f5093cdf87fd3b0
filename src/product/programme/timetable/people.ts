import { emailKey } from '#base/fields.ts'
import { fold } from '#base/fold.ts'
import type { Chair, PlacedAbstract } from './schemas.ts'

/** Somebody who has to be somewhere, in the form in which people are compared. */
export interface Person {
  name: string
  orcid: string | null
  /** In the form that is compared. */
  email: string | null
  folded: string
  /** The first, folded. It is undefined where nobody has asked for it, as of chairs. */
  affiliation: string | null | undefined
}

/** Returns whether two are the same person: by ORCID iDs, else by e-mails, else by name and first affiliation. */
export function isSame(one: Person, other: Person): boolean {
  if (one.orcid !== null && other.orcid !== null) return one.orcid === other.orcid
  if (one.email !== null && other.email !== null) return one.email === other.email
  if (one.folded !== other.folded) return false
  if (one.affiliation === undefined || other.affiliation === undefined) return true
  return one.affiliation === other.affiliation
}

/** Returns what people may be found by who are the same: each of these that they have. */
export function keysOf({ orcid, email, folded }: Person): string[] {
  return [
    `name ${folded}`,
    ...(email === null ? [] : [`mail ${email}`]),
    ...(orcid === null ? [] : [`orcid ${orcid}`]),
  ]
}

export function toPerson({ name, email }: Chair): Person {
  return {
    ...{ name, orcid: null, folded: fold(name), affiliation: undefined },
    email: email === null ? null : emailKey(email),
  }
}

/**
 * Returns who presents an abstract: those who are named for it, or the first author. A presenter without an e-mail has that of the
 * contact of the same name.
 */
export function presentersOf({ authors, contact }: Pick<PlacedAbstract, 'authors' | 'contact'>): Person[] {
  const named = authors.filter(({ presenting }) => presenting)
  return (named.length > 0 ? named : authors.slice(0, 1)).map(({ name, email, orcid, affiliations }) => {
    const folded = fold(name)
    const known = email ?? (fold(contact.name) === folded ? contact.email : null)
    return {
      ...{ name, orcid, folded, affiliation: affiliations[0] === undefined ? null : fold(affiliations[0]) },
      email: known === null ? null : emailKey(known),
    }
  })
}
