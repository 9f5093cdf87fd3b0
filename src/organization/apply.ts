import { isDeepStrictEqual } from 'node:util'
import * as abstracts from '../abstracts/store.ts'
import * as accessLog from '../access-log/rules.ts'
import * as accounts from '../accounts/store.ts'
import * as attendees from '../attendees/rules.ts'
import * as checkins from '../checkins/store.ts'
import type { Database, WriteTx } from '../db/port.ts'
import * as events from '../events/store.ts'
import { emailKey } from '../fields.ts'
import { newOrderedId } from '../ids.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import * as registrationTypeStore from '../registration-types/store.ts'
import { registerAnswerKeys } from '../registrations/answer-keys.ts'
import * as registrations from '../registrations/store.ts'
import type { Clock } from '../time.ts'
import * as waitlist from '../waitlist/store.ts'
import { ping } from '../webhooks/rules.ts'
import * as webhooks from '../webhooks/store.ts'
import { type Current, NOTHING, readCurrent } from './current.ts'
import { makePlan, type Plan } from './plan.ts'
import type { PlannedEvent } from './plan-event.ts'
import { validateOrganization } from './read.ts'
import { describePlan, type Report } from './report.ts'
import { abstractRow, registrationRow, ticketsOf, waitlistRow } from './rows.ts'
import type { Organization } from './schema.ts'

/**
 * Brings the database to an organization file, all or nothing.
 *
 * @throws Problem invalid_parameter with the path of what is refused
 */
export function applyOrganization(
  db: Database,
  input: unknown,
  { clock }: { clock: Clock },
): Promise<Report> {
  return bringOrganization(db, validateOrganization(input), clock)
}

/**
 * The same for a file that was read already. In one write, and what costs time is done before it: a server beside it
 * waits for the write.
 *
 * @throws Problem invalid_parameter
 */
export async function bringOrganization(db: Database, file: Organization, clock: Clock): Promise<Report> {
  const current = await db.read(tx => readCurrent(tx, file))
  const preview = makePlan(current, file, clock())
  const report = describePlan(preview, asPlanned)
  if (report.created + report.updated === 0) return report

  const signed = signTickets(current, preview)
  return db.write(async tx => {
    const now = await tx.now()
    const latest = await readCurrent(tx, file)
    // Another process may have written since.
    const isPlanned = isDeepStrictEqual(latest, current)
    const plan = isPlanned ? preview : makePlan(latest, file, now)
    await carryOut(tx, plan, signed, now)
    const result = isPlanned ? report : describePlan(plan, asPlanned)
    await recordApply(tx, plan.account.row.id, result)
    return result
  })
}

/**
 * Says what `bringOrganization` would do, and writes nothing.
 *
 * @param db undefined where there is no database yet
 * @throws Problem invalid_parameter
 */
export async function previewOrganization(
  db: Database | undefined,
  file: Organization,
  clock: Clock,
): Promise<Report<string | null>> {
  const current = db === undefined ? NOTHING : await db.read(tx => readCurrent(tx, file))
  return describePlan(makePlan(current, file, clock()), (change, value) =>
    change === 'created' ? null : value,
  )
}

async function recordApply(
  tx: WriteTx,
  accountId: string,
  { created, updated, kept }: Report,
): Promise<void> {
  if (created + updated === 0) return
  const details = { created, updated, kept }
  await accessLog.recordCommand(tx, accountId, 'organization.apply', 'account', accountId, details)
}

function asPlanned(_: unknown, value: string): string {
  return value
}

/** Tickets that were signed before the write, each batch with the key that it was signed with. */
type SignedTickets = Map<
  string,
  { key: attendees.TicketKey; byReference: Map<string, attendees.SignedTicket[]> }
>

function signTickets(current: Current, plan: Plan): SignedTickets {
  const signed: SignedTickets = new Map()
  for (const event of plan.events) {
    if (event.brought.length === 0) continue
    const key = current.events.get(event.row.slug)?.ticketKey ?? attendees.newTicketKey()
    const byReference = new Map(
      event.brought.map(({ item }) => [item.reference, attendees.sign(key, ticketsOf(item))]),
    )
    signed.set(event.row.slug, { key, byReference })
  }
  return signed
}

async function carryOut(tx: WriteTx, plan: Plan, signed: SignedTickets, now: number): Promise<void> {
  const { change, row } = plan.account
  const accountRow = { ...row, email_key: emailKey(row.email) }
  if (change === 'created') await accounts.insert(tx, { ...accountRow, created_at: now })
  if (change === 'updated') await accounts.update(tx, accountRow, now)
  for (const event of plan.events) await carryOutEvent(tx, event, signed, now)
  for (const webhook of plan.webhooks) {
    if (webhook.change === 'created') {
      await webhooks.insertEndpoint(tx, { ...webhook.row, created_at: now })
      if (webhook.row.enabled === 1) await ping(tx, webhook.row.id)
    }
    if (webhook.change === 'updated') await webhooks.updateEndpoint(tx, webhook.row, now)
  }
}

async function carryOutEvent(
  tx: WriteTx,
  event: PlannedEvent,
  signed: SignedTickets,
  now: number,
): Promise<void> {
  const { account_id: accountId, id: eventId } = event.row
  if (event.change === 'created') await events.insert(tx, { ...event.row, created_at: now })
  if (event.change === 'updated') await events.update(tx, event.row, now)
  for (const { change, row, taken } of event.types.values()) {
    if (change === 'created') await registrationTypeStore.insert(tx, accountId, row, now)
    if (change === 'updated') await registrationTypeStore.update(tx, accountId, row, now)
    if (taken > 0) await registrationTypes.reserve(tx, accountId, row, taken)
  }
  await registerAnswerKeys(tx, accountId, eventId, event.answerKeys)
  if (event.brought.length > 0) await bringRegistrations(tx, event, signed, now)
  for (const entry of event.waitlist) {
    if (entry.change === 'created')
      await waitlist.insert(tx, accountId, eventId, waitlistRow(entry, now), now)
  }
  for (const abstract of event.abstracts) {
    if (abstract.change === 'created')
      await abstracts.insert(tx, accountId, abstractRow(abstract, eventId, now), now)
  }
}

async function bringRegistrations(
  tx: WriteTx,
  event: PlannedEvent,
  signed: SignedTickets,
  now: number,
): Promise<void> {
  const { account_id: accountId, id: eventId, slug } = event.row
  const ready = signed.get(slug)
  const key = await attendees.ensureTicketKey(tx, accountId, eventId, ready?.key)
  const byReference = key.public_key === ready?.key.public_key ? ready.byReference : undefined
  for (const registration of event.brought) {
    const { id, item } = registration
    await registrations.insert(tx, accountId, registrationRow(registration, event.row, now), now)
    const holders = ticketsOf(item)
    const tickets = byReference?.get(item.reference) ?? attendees.sign(key, holders)
    await attendees.issueSigned(tx, id, tickets)
    for (const [position, { checkedInAt }] of holders.entries()) {
      if (checkedInAt === null) continue
      await checkins.insert(tx, accountId, {
        id: newOrderedId('chk_'),
        event_id: eventId,
        attendee_id: (tickets[position] as attendees.SignedTicket).id,
        source: 'scanner',
        created_at: checkedInAt,
      })
    }
  }
}
