import type { Clock } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import { findNamed, forgetEvent } from '#product/data-care/forgetting/forget-event.ts'
import { tellOwners } from '#product/data-care/forgetting/mails.ts'
import * as store from '#product/data-care/forgetting/store.ts'

interface Place {
  accountId: string
  eventId: string
  otherId: string
}

/** Finds whom the guests of an event are, and forgets somebody who never waited for another, as the others still have to be there. */
export async function forgetGuests(db: Database, clock: Clock, place: Place): Promise<void> {
  const { accountId, eventId, otherId } = place
  await db.read(accountId, tx => store.listEnded(tx, clock(), undefined, 10))
  const named = await findNamed(db, accountId, eventId)
  await db.write(accountId, tx => tellOwners(tx, 'Spring Meeting'))
  const waiting = [{ id: eventId, email: 'nobody@example.org' }]
  const { signal } = new AbortController()
  const nobody = { ...named, guests: [], waiting }
  await forgetEvent(db, accountId, { eventId: otherId, days: 30, named: nobody, signal })
}
