import { emailKey } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { may, type Role } from '#product/administration/users/roles.ts'
import * as members from '#product/administration/users/rules.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'
import { emailsOf, type Writers, writersOf } from './conflicts.ts'
import * as store from './review-store.ts'

/** Returns whether somebody is behind an abstract: one of its authors, its contact, or whoever has sent it. */
export async function isWriter(tx: ReadTx, abstractId: string, email: string): Promise<boolean> {
  const row = await store.findWriters(tx, abstractId)
  return row !== undefined && isBehind(row, email)
}

/** Does the same with who is behind an abstract at hand. */
export function isBehind(row: store.Behind, email: string): boolean {
  return isOneOf(peopleOf(row), row.submitter_email, email)
}

/** Does the same with an abstract as it is presented. */
export function isOneOf(
  people: Pick<Abstract, 'authors' | 'contact'>,
  submitterEmail: string | null,
  email: string,
): boolean {
  return emailsOf(people, submitterEmail ?? undefined).includes(emailKey(email))
}

export function toWriters(row: store.Behind): Writers {
  return writersOf(peopleOf(row), row.submitter_email ?? undefined)
}

function peopleOf({ authors, contact }: store.Behind): Pick<Abstract, 'authors' | 'contact'> {
  return {
    authors: JSON.parse(authors) as Abstract['authors'],
    contact: JSON.parse(contact) as Abstract['contact'],
  }
}

/**
 * Refuses a decision about one's own abstract, but to an owner where nobody else could decide it.
 *
 * @returns whether it is their own
 * @throws Problem own_abstract
 */
export async function refuseOwnDecision(
  tx: ReadTx,
  { id, event_id }: { id: string; event_id: string },
  { email, role }: { email: string; role: Role },
): Promise<boolean> {
  const row = await store.findWriters(tx, id)
  const behind = row === undefined ? new Set() : toWriters(row).emails
  if (!behind.has(emailKey(email))) return false
  const others = (await members.list(tx)).filter(
    member =>
      may(member.role, 'abstracts') &&
      (member.event_ids === null || member.event_ids.includes(event_id)) &&
      !behind.has(emailKey(member.user.email)),
  )
  if (role !== 'owner' || others.length > 0) throw new Problem('own_abstract')
  return true
}

/** Refuses whoever is behind an abstract. @throws Problem own_abstract */
export async function refuseOwn(tx: ReadTx, abstractId: string, email: string): Promise<void> {
  if (await isWriter(tx, abstractId, email)) throw new Problem('own_abstract')
}

/** Returns whether somebody may decide an abstract that they are behind. */
export async function mayDecideOwn(
  tx: ReadTx,
  abstract: { id: string; event_id: string },
  who: { email: string; role: Role },
): Promise<boolean> {
  try {
    return await refuseOwnDecision(tx, abstract, who)
  } catch (error) {
    if (error instanceof Problem && error.code === 'own_abstract') return false
    throw error
  }
}
