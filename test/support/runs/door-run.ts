import assert from 'node:assert/strict'
import type { Database } from '#machinery/db/port.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { listByName } from '#product/entrance/check-ins/printed-list.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { getTicket, listTickets } from '#product/entrance/check-ins/tickets.ts'
import { InsideCounts } from '#product/reporting/figures/inside.ts'
import { runBadges } from './badge-run.ts'
import { runScans } from './decision-run.ts'
import { runEntries } from './entry-run.ts'

interface Door {
  accountId: string
  eventId: string
  /** The people who wait for this type are taken off the waitlist. */
  typeId: string
  /** The ticket is checked in. */
  ticketId: string
}

/** Does what is done at a door and with a waitlist, each once, that the API does not do. */
export async function runDoor(db: Database, { accountId, eventId, typeId, ticketId }: Door): Promise<void> {
  await db.read(accountId, tx => getTicket(tx, eventId, ticketId))
  await new InsideCounts().count(db, accountId, eventId, 0)
  for (const checked_in of [undefined, true, false]) {
    const { next } = await listTickets(db, accountId, eventId, { checked_in }, { limit: 1 })
    await listTickets(db, accountId, eventId, { checked_in }, { limit: 1, after: next })
  }
  for await (const tickets of listByName(db, accountId, eventId, 1)) assert.ok(tickets.length > 0)
  await db.read(accountId, async tx => {
    for (const type of [undefined, typeId]) {
      const [first] = await waitlist.list(tx, eventId, type, { limit: 1 })
      await waitlist.list(tx, eventId, type, { limit: 1, after: first?.position })
    }
  })
  await db.write(accountId, async tx => {
    await checkIns.create(tx, { attendee_id: ticketId })
    await checkIns.undo(tx, ticketId, { event_id: eventId })
    const [entry] = await waitlist.list(tx, eventId, typeId, { limit: 1 })
    await waitlist.remove(tx, eventId, entry?.resource.id as string)
  })
  await runBadges(db, accountId, eventId)
  await runScans(db, { accountId, eventId, ticketId })
  await runEntries(db, { accountId, eventId, ticketId })
}
