import { createHash } from 'node:crypto'
import { emailKey } from '#base/fields.ts'
import { fold } from '#base/fold.ts'
import type { Verdict } from '#product/programme/versions/schemas.ts'
import type { PlacedAbstract } from './schemas.ts'

/** Somebody who has to be somewhere, in the form in which people are compared. */
export interface Person {
  name: string
  orcid: string | null
  /** In the form that is compared. */
  email: string | null
  folded: string
  /** The first, folded. It is undefined where nobody has asked for it, as of chairs. */
  affiliation: string | null | undefined
  /** What tells the person from all others, as they have said it themselves. */
  known: string
}

/** Compares people: by what chairs have said of them, else by ORCID iDs, else by e-mails, else by name and first affiliation. */
export class People {
  readonly #verdicts: ReadonlyMap<string, boolean>

  constructor(verdicts: readonly Verdict[]) {
    this.#verdicts = new Map(verdicts.map(({ one, other, same }) => [pairOf(one, other), same]))
  }

  /** Returns what chairs have said of two people. @returns undefined if they have said nothing */
  verdictOn(one: Person, other: Person): boolean | undefined {
    if (this.#verdicts.size === 0) return undefined
    return this.#verdicts.get(pairOf(fingerprintOf(one), fingerprintOf(other)))
  }

  areOne(one: Person, other: Person): boolean {
    return this.verdictOn(one, other) ?? seemOne(one, other)
  }
}

function seemOne(one: Person, other: Person): boolean {
  if (one.orcid !== null && other.orcid !== null) return one.orcid === other.orcid
  if (one.email !== null && other.email !== null) return one.email === other.email
  if (one.folded !== other.folded) return false
  if (one.affiliation === undefined || other.affiliation === undefined) return true
  return one.affiliation === other.affiliation
}

function pairOf(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`
}

/** Returns a hash of what somebody is known by, so that what chairs have said of people keeps no name and no e-mail of theirs. */
export function fingerprintOf({ known }: Pick<Person, 'known'>): string {
  return createHash('sha256').update(known).digest('base64url').slice(0, 22)
}

/** Returns what people may be found by who are the same: each of these that they have. */
export function keysOf({ orcid, email, folded }: Person): string[] {
  return [
    `name ${folded}`,
    ...(email === null ? [] : [`mail ${email}`]),
    ...(orcid === null ? [] : [`orcid ${orcid}`]),
  ]
}

/** Returns somebody in the form in which people are compared. @param affiliation undefined where nobody has asked for it */
export function toPerson(
  { name, email, orcid = null }: { name: string; email: string | null; orcid?: string | null },
  affiliation?: string | null,
): Person {
  const folded = fold(name)
  const key = email === null ? null : emailKey(email)
  const place = affiliation === null || affiliation === undefined ? affiliation : fold(affiliation)
  return {
    ...{ name, orcid, folded, email: key, affiliation: place },
    known: orcid ?? `${folded}\n${key ?? place ?? ''}`,
  }
}

/** Returns the authors who are named to present, or the first of all. */
export function presentingOf<Of extends { presenting: boolean }>(authors: readonly Of[]): readonly Of[] {
  const named = authors.filter(({ presenting }) => presenting)
  return named.length > 0 ? named : authors.slice(0, 1)
}

/**
 * Returns who presents an abstract: those who are named for it, or the first author. A presenter without an e-mail has that of the
 * contact of the same name.
 */
export function presentersOf({ authors, contact }: Pick<PlacedAbstract, 'authors' | 'contact'>): Person[] {
  return presentingOf(authors).map(author => {
    const person = toPerson(author, author.affiliations[0] ?? null)
    const isContact = person.email === null && fold(contact.name) === person.folded
    return isContact && contact.email !== null ? { ...person, email: emailKey(contact.email) } : person
  })
}
