import { newUuid } from '#base/ids.ts'
import { Problem, refuseBefore } from '#base/problem.ts'
import { type Listed, toListed } from '#base/resource.ts'
import type { Page } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { writeLayout } from './badge-layout.ts'
import { noteChange } from './date-place.ts'
import * as missingStore from './missing-store.ts'
import { endsReminder } from './reminders.ts'
import {
  type Event,
  type EventChanges,
  type EventDetails,
  type NewEvent,
  pageDefaults,
  presentDetails,
  presentEvent,
} from './schemas.ts'
import { makeFreeSlug, refuseTakenSlug } from './slugs.ts'
import * as store from './store.ts'

export { makeFreeSlug } from './slugs.ts'

/**
 * Returns an event of the account.
 *
 * @param param the field of the body that named the event, for the Problem
 * @throws Problem not_found
 */
export async function get(tx: ReadTx, id: string, param?: string): Promise<Event> {
  return presentEvent(await find(tx, id, param))
}

/**
 * Returns an event with the fields that the API does not show.
 *
 * @throws Problem not_found
 */
export async function getDetails(tx: ReadTx, id: string): Promise<EventDetails> {
  return presentDetails(await find(tx, id))
}

/** Returns the id if the account has an event with that id. */
export async function findId(tx: ReadTx, id: string): Promise<string | undefined> {
  return (await store.find(tx, id))?.id
}

/** Returns the id of the account's event with this slug, if there is one. */
export async function findIdBySlug(tx: ReadTx, slug: string): Promise<string | undefined> {
  return (await store.findBySlug(tx, slug))?.id
}

/** Returns the waitlist mode of an event. Every release of places looks it up. */
export async function findWaitlistMode(
  tx: ReadTx,
  id: string,
): Promise<EventDetails['waitlist_mode'] | undefined> {
  return (await store.findWaitlistMode(tx, id))?.waitlist_mode
}

/** Lists all events of the account, oldest first. */
export async function listAll(tx: ReadTx): Promise<Event[]> {
  return (await store.listByAccount(tx)).map(presentEvent)
}

/** Lists the events of the account, newest first. */
export async function list(tx: ReadTx, page: Page): Promise<Iterable<Listed<Event>>> {
  return toListed(await store.listPage(tx, page), presentEvent)
}

/**
 * Makes a draft. Without a slug it gets one from its title, with a number if another event has that slug.
 *
 * @throws Problem already_taken for `slug`; invalid_parameter for `ends_at` before `starts_at`
 */
export async function create(tx: WriteTx, input: NewEvent): Promise<EventDetails> {
  const {
    withdrawal_excluded: excluded,
    decision_mails: areMailed,
    takes_abstracts: areTaken,
    give_on: mayGiveOn,
    badge_layout: layout,
    ...stated
  } = { ...pageDefaults, ...input }
  const row: store.EventRow = {
    ...stated,
    id: newUuid(),
    account_id: tx.accountId,
    slug: input.slug ?? (await makeFreeSlug(tx, input.title)),
    status: 'draft',
    requires_approval: input.requires_approval ? 1 : 0,
    withdrawal_excluded: excluded ? 1 : 0,
    decision_mails: areMailed ? 1 : 0,
    takes_abstracts: areTaken ? 1 : 0,
    give_on: mayGiveOn ? 1 : 0,
    badge_layout: writeLayout(layout),
    archived_at: null,
    series_id: null,
    created_at: await tx.now(),
  }
  await refuseConflicts(tx, row)
  await store.insert(tx, row)
  return presentDetails(row)
}

/**
 * Changes the given fields.
 *
 * @throws Problem not_found; those of `create`; in_use for `currency` once there are registrations
 */
export async function update(tx: WriteTx, id: string, input: EventChanges): Promise<EventDetails> {
  const { requires_approval: approval, withdrawal_excluded: excluded, ...others } = input
  const { decision_mails: areMailed, takes_abstracts: areTaken, give_on: mayGiveOn, ...rest } = others
  const { badge_layout: layout, ...changes } = rest
  const was = await find(tx, id)
  const row: store.EventRow = { ...was, ...changes }
  if (approval !== undefined) row.requires_approval = approval ? 1 : 0
  if (excluded !== undefined) row.withdrawal_excluded = excluded ? 1 : 0
  if (areMailed !== undefined) row.decision_mails = areMailed ? 1 : 0
  if (areTaken !== undefined) row.takes_abstracts = areTaken ? 1 : 0
  if (mayGiveOn !== undefined) row.give_on = mayGiveOn ? 1 : 0
  if (layout !== undefined) row.badge_layout = writeLayout(layout)
  await refuseConflicts(tx, row)
  if (row.currency !== was.currency && (await store.hasRegistrations(tx, id))) {
    throw new Problem('in_use', { param: 'currency', details: { currency: was.currency } })
  }
  await save(tx, was, row)
  const is = presentDetails(row)
  await noteChange(tx, id, { was: presentDetails(was), is })
  return is
}

/** The statuses that can follow each status. An event that was cancelled or completed by mistake can go back. */
const TRANSITIONS: Readonly<Record<Event['status'], readonly Event['status'][]>> = {
  draft: ['published'],
  published: ['draft', 'cancelled', 'completed'],
  cancelled: ['published'],
  completed: ['published'],
}

/**
 * Changes the status of an event, such as publishing a draft. It does nothing if the event has the status already. The
 * registrations stay as they are.
 *
 * @throws Problem not_found; invalid_transition with `details.from` and `details.to`; event_incomplete for a draft that lacks a
 *   start, an active type, the slug of its account, or what the law asks about the seller, in `details.missing`; in_use if an
 *   event with registrations would become a draft
 */
export async function setStatus(tx: WriteTx, id: string, status: Event['status']): Promise<EventDetails> {
  const row = await find(tx, id)
  if (row.status === status) return presentDetails(row)
  if (!TRANSITIONS[row.status].includes(status)) {
    throw new Problem('invalid_transition', { details: { from: row.status, to: status } })
  }
  if (row.status === 'draft') await refuseIncomplete(tx, row)
  if (status === 'draft' && (await store.hasRegistrations(tx, id))) throw new Problem('in_use')
  const changed = { ...row, status }
  await save(tx, row, changed)
  return presentDetails(changed)
}

async function save(tx: WriteTx, was: store.EventRow, row: store.EventRow): Promise<void> {
  const now = await tx.now()
  await store.update(tx, row, now)
  // Reminder mails that still wait are then not sent. Without the mark, people are reminded again if the change is undone.
  if (endsReminder(was, row)) await store.setReminded(tx, row.id, null, now)
}

/** Returns an event with the terms that its buyers accept: its own, or else those of its account. */
export async function withTerms<Some extends Pick<EventDetails, 'terms'>>(
  tx: ReadTx,
  event: Some,
): Promise<Some> {
  return event.terms === null ? { ...event, terms: await accounts.findTerms(tx) } : event
}

async function find(tx: ReadTx, id: string, param?: string): Promise<store.EventRow> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found', param === undefined ? {} : { param })
  return row
}

async function refuseConflicts(tx: ReadTx, row: store.EventRow): Promise<void> {
  refuseBefore(row, 'ends_at', 'starts_at')
  await refuseTakenSlug(tx, row.slug, row.id)
}

async function refuseIncomplete(tx: ReadTx, row: store.EventRow): Promise<void> {
  const missing = await listMissing(tx, row)
  if (missing.length > 0) throw new Problem('event_incomplete', { details: { missing } })
}

/** What a draft lacks to be published, in the order in which people add it. */
export type Missing = 'starts_at' | 'registration_types' | 'slug' | 'seller'

/** @throws Problem not_found */
export async function findMissing(tx: ReadTx, id: string): Promise<Missing[]> {
  return listMissing(tx, await find(tx, id))
}

async function listMissing(tx: ReadTx, row: store.EventRow): Promise<Missing[]> {
  const missing: Missing[] = []
  if (row.starts_at === null) missing.push('starts_at')
  if (!(await missingStore.hasActiveType(tx, row.id))) missing.push('registration_types')
  const { slug, is_paid: isPaid, is_complete: isComplete } = await missingStore.readSeller(tx, row.id)
  if (slug === null) missing.push('slug')
  if (isPaid === 1 && isComplete === 0) missing.push('seller')
  return missing
}
