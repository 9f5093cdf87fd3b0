import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import { Problem, refuseBefore } from '../problem.ts'
import { type Listed, toListed } from '../resource.ts'
import { noteChange } from './date-place.ts'
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
import { slugOf, withNumber } from './slug.ts'
import * as store from './store.ts'

/**
 * An event of the account.
 *
 * @param param the field of the body that named the event, for the Problem
 * @throws Problem not_found
 */
export async function get(tx: ReadTx, accountId: string, id: string, param?: string): Promise<Event> {
  return presentEvent(await find(tx, accountId, id, param))
}

/**
 * An event with what the API does not tell of it.
 *
 * @throws Problem not_found
 */
export async function getDetails(tx: ReadTx, accountId: string, id: string): Promise<EventDetails> {
  return presentDetails(await find(tx, accountId, id))
}

/** The id of the account's event, if it has one of that id. */
export async function findId(tx: ReadTx, accountId: string, id: string): Promise<string | undefined> {
  return (await store.find(tx, accountId, id))?.id
}

/** The id of the account's event with this slug, if it has one. */
export async function findIdBySlug(tx: ReadTx, accountId: string, slug: string): Promise<string | undefined> {
  return (await store.findBySlug(tx, accountId, slug))?.id
}

/** What an event does for those who wait: a look-up for every release of places. */
export async function findWaitlistMode(
  tx: ReadTx,
  accountId: string,
  id: string,
): Promise<EventDetails['waitlist_mode'] | undefined> {
  return (await store.findWaitlistMode(tx, accountId, id))?.waitlist_mode
}

/** All of them, oldest first. */
export async function listAll(tx: ReadTx, accountId: string): Promise<Event[]> {
  return (await store.listByAccount(tx, accountId)).map(presentEvent)
}

/** Newest first. */
export async function list(tx: ReadTx, accountId: string, page: Page): Promise<Iterable<Listed<Event>>> {
  return toListed(await store.listPage(tx, accountId, page), presentEvent)
}

/**
 * Makes a draft. Without a slug it gets that of its title, with a number where another event has it.
 *
 * @throws Problem already_taken for `slug`; invalid_parameter for `ends_at` before `starts_at`
 */
export async function create(tx: WriteTx, accountId: string, input: NewEvent): Promise<EventDetails> {
  const { withdrawal_excluded: excluded, ...said } = { ...pageDefaults, ...input }
  const row: store.EventRow = {
    ...said,
    id: newUuid(),
    account_id: accountId,
    slug: input.slug ?? (await makeSlug(tx, accountId, input.title)),
    status: 'draft',
    requires_approval: input.requires_approval ? 1 : 0,
    withdrawal_excluded: excluded ? 1 : 0,
    created_at: await tx.now(),
  }
  await refuseConflicts(tx, row)
  await store.insert(tx, row)
  return presentDetails(row)
}

/**
 * Changes the fields that are given.
 *
 * @throws Problem not_found; those of `create`; in_use for `currency`, once there are registrations
 */
export async function update(
  tx: WriteTx,
  accountId: string,
  id: string,
  { requires_approval: approval, withdrawal_excluded: excluded, ...changes }: EventChanges,
): Promise<EventDetails> {
  const was = await find(tx, accountId, id)
  const row: store.EventRow = { ...was, ...changes }
  if (approval !== undefined) row.requires_approval = approval ? 1 : 0
  if (excluded !== undefined) row.withdrawal_excluded = excluded ? 1 : 0
  await refuseConflicts(tx, row)
  if (row.currency !== was.currency && (await store.hasRegistrations(tx, accountId, id))) {
    throw new Problem('in_use', { param: 'currency', details: { currency: was.currency } })
  }
  await save(tx, was, row)
  const is = presentDetails(row)
  await noteChange(tx, accountId, id, { was: presentDetails(was), is })
  return is
}

/** Where an event may go from each status: what is cancelled or completed by mistake goes back. */
const TRANSITIONS: Readonly<Record<Event['status'], readonly Event['status'][]>> = {
  draft: ['published'],
  published: ['draft', 'cancelled', 'completed'],
  cancelled: ['published'],
  completed: ['published'],
}

/**
 * Publishes a draft, and so on; nothing happens to an event that has the status already. Its registrations stay as they are.
 *
 * @throws Problem not_found; invalid_transition with `details.from` and `details.to`; event_incomplete for a draft without a
 *   start, an active type, the slug of its account, or what the law asks of who sells, in `details.missing`; in_use for an event with registrations that would be a draft
 */
export async function setStatus(
  tx: WriteTx,
  accountId: string,
  id: string,
  status: Event['status'],
): Promise<EventDetails> {
  const row = await find(tx, accountId, id)
  if (row.status === status) return presentDetails(row)
  if (!TRANSITIONS[row.status].includes(status)) {
    throw new Problem('invalid_transition', { details: { from: row.status, to: status } })
  }
  if (row.status === 'draft') await refuseIncomplete(tx, row)
  if (status === 'draft' && (await store.hasRegistrations(tx, accountId, id))) throw new Problem('in_use')
  const changed = { ...row, status }
  await save(tx, row, changed)
  return presentDetails(changed)
}

async function save(tx: WriteTx, was: store.EventRow, row: store.EventRow): Promise<void> {
  const now = await tx.now()
  await store.update(tx, row, now)
  // Those whose mails wait are not reminded then: they are, once it was a mistake.
  if (endsReminder(was, row)) await store.setReminded(tx, row.account_id, row.id, null, now)
}

async function find(tx: ReadTx, accountId: string, id: string, param?: string): Promise<store.EventRow> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found', param === undefined ? {} : { param })
  return row
}

async function makeSlug(tx: ReadTx, accountId: string, title: string): Promise<string> {
  const slug = slugOf(title)
  let free = slug
  for (let number = 2; (await store.findBySlug(tx, accountId, free)) !== undefined; number++) {
    free = withNumber(slug, number)
  }
  return free
}

async function refuseConflicts(tx: ReadTx, row: store.EventRow): Promise<void> {
  refuseBefore(row, 'ends_at', 'starts_at')
  const other = await store.findBySlug(tx, row.account_id, row.slug)
  if (other !== undefined && other.id !== row.id) throw new Problem('already_taken', { param: 'slug' })
}

async function refuseIncomplete(tx: ReadTx, row: store.EventRow): Promise<void> {
  const missing = await listMissing(tx, row)
  if (missing.length > 0) throw new Problem('event_incomplete', { details: { missing } })
}

/** What a draft lacks to be published, in the order in which people see to it. */
export type Missing = 'starts_at' | 'registration_types' | 'slug' | 'seller'

/** @throws Problem not_found */
export async function findMissing(tx: ReadTx, accountId: string, id: string): Promise<Missing[]> {
  return listMissing(tx, await find(tx, accountId, id))
}

async function listMissing(tx: ReadTx, row: store.EventRow): Promise<Missing[]> {
  const missing: Missing[] = []
  if (row.starts_at === null) missing.push('starts_at')
  if (!(await store.hasActiveType(tx, row.account_id, row.id))) missing.push('registration_types')
  const { slug, is_paid: isPaid, ...seller } = await store.readSeller(tx, row.account_id, row.id)
  if (slug === null) missing.push('slug')
  if (isPaid === 1 && Object.values(seller).includes(null)) missing.push('seller')
  return missing
}
