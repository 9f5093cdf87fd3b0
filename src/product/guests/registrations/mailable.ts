import { emailKey } from '#base/fields.ts'
import { toIsoOrNull } from '#base/time.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Language } from '#texts/languages.ts'
import * as store from './mailable-store.ts'

/**
 * The reasons for which a ticket is mailed to nobody: it admits nobody, it is an extra, which has no mail of its own, there is no
 * address, or its order is not verified, so that a stranger may have named the address.
 */
export const unmailable = ['not_valid', 'extra', 'no_address', 'unverified'] as const
export type Unmailable = (typeof unmailable)[number]

/** Says to whom a ticket is mailed. */
export interface Mailable {
  id: string
  registrationId: string
  eventId: string
  /** The name that the mail greets. */
  name: string
  /** The e-mail of the ticket, or else of its buyer. */
  address: string
  language: Language
  /** When a mail with it was written to this address, as ISO 8601. It is null if none was. */
  mailedAt: string | null
  /** Undefined if it can be mailed. */
  refusal: Unmailable | undefined
}

/** Returns the tickets of these registrations in the order of these ids, each registration's in its own order. */
export async function listMailable(tx: ReadTx, registrationIds: readonly string[]): Promise<Mailable[]> {
  const rows = await store.listOfRegistrations(tx, registrationIds)
  const places = new Map(registrationIds.map((id, at) => [id, at]))
  const placeOf = (row: store.MailableRow) => places.get(row.registration_id) ?? 0
  return rows
    .sort((one, other) => placeOf(one) - placeOf(other) || one.position - other.position)
    .map(present)
}

/** Returns those of these tickets that there are, in the order of these ids. */
export async function findMailable(tx: ReadTx, ids: readonly string[]): Promise<Mailable[]> {
  const rows = new Map((await store.listTickets(tx, ids)).map(row => [row.id, row]))
  return [...new Set(ids)].flatMap(id => {
    const row = rows.get(id)
    return row === undefined ? [] : [present(row)]
  })
}

function present(row: store.MailableRow): Mailable {
  const { id, registration_id, event_id, name, email, buyer_name, buyer_email, language, mailed_at } = row
  return {
    ...{ id, registrationId: registration_id, eventId: event_id, language },
    name: name ?? buyer_name,
    address: email ?? buyer_email,
    mailedAt: toIsoOrNull(mailed_at),
    refusal: refusalOf(row),
  }
}

function refusalOf({
  status,
  voided,
  email,
  buyer_email,
  is_unverified,
  is_extra,
}: store.MailableRow): Unmailable | undefined {
  if (status !== 'confirmed' || voided === 1) return 'not_valid'
  if (is_extra === 1) return 'extra'
  if ((email ?? buyer_email) === ERASED_EMAIL) return 'no_address'
  const isOther = email !== null && emailKey(email) !== emailKey(buyer_email)
  return is_unverified === 1 && isOther ? 'unverified' : undefined
}
