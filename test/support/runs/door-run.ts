import assert from 'node:assert/strict'
import { listByName } from '../../src/checkins/printed-list.ts'
import * as checkIns from '../../src/checkins/rules.ts'
import { getTicket, listTickets } from '../../src/checkins/tickets.ts'
import type { Database } from '../../src/db/port.ts'
import { InsideCounts } from '../../src/figures/inside.ts'
import * as waitlist from '../../src/waitlist/rules.ts'
import { runScans } from './decision-run.ts'

interface Door {
  accountId: string
  eventId: string
  /** Who waits for it is taken off the waitlist. */
  typeId: string
  /** That is checked in. */
  ticketId: string
}

/** Does what is done at a door and with a waitlist, each once, that the API does not do. */
export async function runDoor(db: Database, { accountId, eventId, typeId, ticketId }: Door): Promise<void> {
  await db.read(tx => getTicket(tx, accountId, eventId, ticketId))
  await new InsideCounts().count(db, accountId, eventId, 0)
  for (const checked_in of [undefined, true, false]) {
    const { next } = await listTickets(db, accountId, eventId, { checked_in }, { limit: 1 })
    await listTickets(db, accountId, eventId, { checked_in }, { limit: 1, after: next })
  }
  for await (const tickets of listByName(db, accountId, eventId, 1)) assert.ok(tickets.length > 0)
  await db.read(async tx => {
    for (const type of [undefined, typeId]) {
      const [first] = await waitlist.list(tx, accountId, eventId, type, { limit: 1 })
      await waitlist.list(tx, accountId, eventId, type, { limit: 1, after: first?.position })
    }
  })
  await db.write(accountId, async tx => {
    await checkIns.create(tx, accountId, { attendee_id: ticketId })
    await checkIns.undo(tx, accountId, ticketId, { event_id: eventId })
    const [entry] = await waitlist.list(tx, accountId, eventId, typeId, { limit: 1 })
    await waitlist.remove(tx, accountId, eventId, entry?.resource.id as string)
  })
  await runScans(db, { accountId, eventId, ticketId })
}
