import { emailKey } from '#base/fields.ts'
import { fold } from '#base/fold.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'
import type { Reviewer } from './reviewer-schemas.ts'

/** Providers whose domain says nothing of where somebody works. */
const FREE_HOSTS =
  /^(?:(?:google|g)mail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|mac|aol|gmx|web|mail|proton(?:mail)?|pm|yandex|qq|163|126|sina|naver|daum|hanmail|zoho|fastmail|posteo|mailbox|t-online|freenet|orange|free|laposte|libero|wp|o2|seznam|terra|uol|bol|rediffmail|hey|tutanota|tuta)\.(?:co\.|com\.)?[a-z]{2,3}$/

/** Who has written an abstract, in the form in which they are compared. */
export interface Writers {
  emails: ReadonlySet<string>
  domains: ReadonlySet<string>
  names: ReadonlySet<string>
  affiliations: ReadonlySet<string>
  /** Names and affiliations as words with a space around each. */
  words: readonly string[]
}

/** @param submitter the e-mail of the person who has sent it, if that is known */
export function writersOf(
  { authors, contact }: Pick<Abstract, 'authors' | 'contact'>,
  submitter?: string,
): Writers {
  const emails = emailsOf({ authors, contact }, submitter)
  const names = [contact.name, ...authors.map(({ name }) => name)].map(fold)
  const affiliations = authors.flatMap(({ affiliation }) => affiliation?.split('; ').map(fold) ?? [])
  return {
    ...{ emails: new Set(emails), domains: new Set(emails.flatMap(domainOf)) },
    ...{ names: new Set(names), affiliations: new Set(affiliations) },
    words: [...new Set([...names, ...affiliations])].map(wordsIn),
  }
}

/** Returns the e-mails behind an abstract, in the form in which they are compared. */
export function emailsOf(
  { authors, contact }: Pick<Abstract, 'authors' | 'contact'>,
  submitter?: string,
): string[] {
  return [contact.email, submitter, ...authors.map(({ email }) => email)]
    .filter(email => email != null)
    .map(emailKey)
}

function wordsIn(text: string): string {
  return ` ${text
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')} `
}

function domainOf(email: string): string[] {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return FREE_HOSTS.test(domain) ? [] : [domain]
}

/** Why a reviewer does not get an abstract. */
export type Conflict = 'person' | 'domain' | 'affiliation' | 'told'

/** A reviewer, in the form in which writers are compared with them. */
export interface Known {
  email: string
  domains: readonly string[]
  name: string
  affiliation: string | undefined
  told: readonly string[]
}

export function knownOf({
  email,
  name,
  affiliation,
  conflicts,
}: Pick<Reviewer, 'email' | 'name' | 'affiliation' | 'conflicts'>): Known {
  const key = emailKey(email)
  return {
    ...{ email: key, domains: domainOf(key), name: fold(name) },
    affiliation: affiliation === null ? undefined : fold(affiliation),
    told: conflicts.map(fold),
  }
}

/**
 * Returns why somebody cannot review an abstract: they are among its writers, work where these work, or have said so.
 *
 * @returns undefined if nothing is known against it
 */
export function findConflict(writers: Writers, known: Known): Conflict | undefined {
  if (writers.emails.has(known.email) || writers.names.has(known.name)) return 'person'
  if (known.domains.some(domain => writers.domains.has(domain))) return 'domain'
  if (known.affiliation !== undefined && writers.affiliations.has(known.affiliation)) return 'affiliation'
  return known.told.some(told => isAmong(told, writers)) ? 'told' : undefined
}

/** Returns whether what a reviewer has named is the e-mail of a writer, a part of it, or stands in a name or affiliation. */
function isAmong(told: string, { emails, words }: Writers): boolean {
  if (told.includes('@')) return [...emails].some(email => email.includes(told))
  const named = wordsIn(told)
  return named.trim() !== '' && words.some(text => text.includes(named))
}
