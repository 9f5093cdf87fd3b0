import type { AccountRow } from '../accounts/rules.ts'
import * as accounts from '../accounts/store.ts'
import * as attendees from '../attendees/rules.ts'
import type { ReadTx } from '../db/port.ts'
import type { EventRow } from '../events/rules.ts'
import * as events from '../events/store.ts'
import { emailKey } from '../fields.ts'
import type { RegistrationTypeRow } from '../registration-types/rules.ts'
import * as registrationTypes from '../registration-types/store.ts'
import { listAnswerKeys } from '../registrations/answer-keys.ts'
import * as registrations from '../registrations/store.ts'
import * as webhooks from '../webhooks/store.ts'
import type { Organization, OrganizationEvent } from './schema.ts'
import { findIds } from './store.ts'

/** What the database has of what a file names. */
export interface Current {
  account: AccountRow | undefined
  /** By slug. */
  events: ReadonlyMap<string, CurrentEvent>
  /** By URL. */
  webhooks: ReadonlyMap<string, webhooks.EndpointRow>
}

export interface CurrentEvent {
  row: EventRow
  /** All types of the event, by name. */
  types: ReadonlyMap<string, RegistrationTypeRow>
  /** Ids by reference or code, of those that the file names. */
  registrations: ReadonlyMap<string, string>
  waitlist: ReadonlyMap<string, string>
  abstracts: ReadonlyMap<string, string>
  hasRegistrations: boolean
  ticketKey: attendees.TicketKey | undefined
  answerKeys: ReadonlySet<string>
}

/** A database without the account. */
export const NOTHING: Current = { account: undefined, events: new Map(), webhooks: new Map() }

export async function readCurrent(tx: ReadTx, file: Organization): Promise<Current> {
  const account = await accounts.findByEmailKey(tx, emailKey(file.account.email))
  if (account === undefined) return NOTHING
  const found = new Map<string, CurrentEvent>()
  for (const event of file.events) {
    const row = await events.findBySlug(tx, account.id, event.slug)
    if (row !== undefined) found.set(event.slug, await readEvent(tx, row, event))
  }
  const endpoints = await webhooks.listEndpoints(tx, account.id)
  return { account, events: found, webhooks: new Map(endpoints.map(endpoint => [endpoint.url, endpoint])) }
}

async function readEvent(tx: ReadTx, row: EventRow, file: OrganizationEvent): Promise<CurrentEvent> {
  const { account_id: accountId, id } = row
  const types = await registrationTypes.listByEventOldestFirst(tx, accountId, id)
  const references = file.registrations.map(({ reference }) => reference)
  const waiting = file.waitlist.map(({ reference }) => reference)
  const codes = file.abstracts.map(({ code }) => code)
  return {
    row,
    types: new Map(types.map(type => [type.name, type])),
    registrations: await findIds(tx, 'registrations', accountId, id, references),
    waitlist: await findIds(tx, 'waitlist_entries', accountId, id, waiting),
    abstracts: await findIds(tx, 'abstracts', accountId, id, codes),
    hasRegistrations: await registrations.isAnyOfEvent(tx, accountId, id),
    ticketKey: await attendees.findTicketKey(tx, accountId, id),
    answerKeys: new Set(await listAnswerKeys(tx, accountId, id)),
  }
}
