import { emailKey } from '#base/fields.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import { inBatches } from '#machinery/db/batches.ts'
import type { Database, ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { emptyLinesOf } from '#product/data-care/erasure/copies.ts'
import * as scanLog from '#product/entrance/check-ins/scan-log.ts'
import * as person from '#product/guests/registrations/person.ts'
import { eraseBuyerOf } from '#product/selling/orders/erasing.ts'
import * as store from './store.ts'

/** One read looks at this many rows, and one write makes this many anonymous, so that no check-in waits for it. */
const READ = 500
const A_WRITE = 10

/** What of an event still names its guests. */
export interface Named {
  guests: readonly Pick<store.GuestRow, 'id' | 'order_id'>[]
  waiting: readonly { id: string; email: string }[]
  /** Registrations that still name their people since money of them is open. */
  spared: number
}

/** Finds the guests of an event who are still named, in short reads. Those whose money is open are spared. */
export async function findNamed(
  db: Pick<Database, 'read'>,
  accountId: string,
  eventId: string,
): Promise<Named> {
  const guests: Pick<store.GuestRow, 'id' | 'order_id'>[] = []
  const waiting: { id: string; email: string }[] = []
  let spared = 0
  const rows = inBatches(db, accountId, READ, (tx, last: store.GuestRow | undefined, size) =>
    store.listGuests(tx, eventId, last, size),
  )
  for await (const some of rows) {
    const named = some.filter(({ is_named }) => is_named === 1)
    if (named.length === 0) continue
    const open = await db.read(accountId, tx => listOpen(tx, named))
    guests.push(...named.filter(({ id }) => !open.has(id)).map(({ id, order_id }) => ({ id, order_id })))
    spared += open.size
  }
  const entries = inBatches(db, accountId, READ, (tx, last: store.WaitingRow | undefined, size) =>
    store.listWaiting(tx, eventId, last, size),
  )
  for await (const some of entries)
    waiting.push(...some.filter(one => one.is_named === 1).map(({ id, email }) => ({ id, email })))
  return { guests, waiting, spared }
}

async function listOpen(tx: ReadTx, guests: Named['guests']): Promise<Set<string>> {
  const open = new Set<string>()
  for (const guest of guests) if (await isOpen(tx, guest)) open.add(guest.id)
  return open
}

function isOpen(tx: ReadTx, { id, order_id }: Named['guests'][number]): Promise<boolean> {
  return order_id === null ? store.isRegistrationOpen(tx, id) : store.isOrderOpen(tx, order_id)
}

/**
 * Makes the guests of one event anonymous as `erasePerson` would, in short writes: buyers and holders with their answers and notes,
 * who waits, what was written about their tickets at the doors and in the log, the mails of this event to them, and the lines of
 * its imports. What the same people have in other events stays. It may be stopped and started again at any time.
 *
 * @param days of the setting, for the entry in the access log
 */
export async function forgetEvent(
  db: Pick<Database, 'read' | 'write'>,
  accountId: string,
  { eventId, days, named, signal }: { eventId: string; days: number; named: Named; signal: AbortSignal },
): Promise<void> {
  // The entry comes first, so that a forgetting that is cut off has one too.
  await db.write(accountId, tx =>
    accessLog.record(tx, {
      ...accessLog.SERVER,
      ...{ action: 'guests.forget', targetType: 'event', targetId: eventId },
      details: {
        ...{ days, registrations: named.guests.length, waitlist_entries: named.waiting.length },
        spared: named.spared,
      },
    }),
  )
  for (const some of chunks(named.guests)) {
    if (signal.aborted) return
    await db.write(accountId, async tx => {
      for (const guest of some) await forgetGuest(tx, eventId, guest)
    })
  }
  for (const some of chunks(named.waiting)) {
    if (signal.aborted) return
    await db.write(accountId, async tx => {
      for (const { id, email } of some) {
        await waitlist.erase(tx, id)
        await emails.forgetOfEvent(tx, eventId, emailKey(email))
      }
    })
  }
  if (!signal.aborted) await emptyLinesOf(db, accountId, eventId)
}

async function forgetGuest(tx: WriteTx, eventId: string, guest: Named['guests'][number]): Promise<void> {
  // Money may have come or gone since it was found.
  if (await isOpen(tx, guest)) return
  const was = await person.eraseAll(tx, guest.id)
  if (was === undefined) return
  for (const { id } of was.attendees) {
    await accessLog.eraseReasons(tx, id)
    await scanLog.eraseNotes(tx, id)
  }
  const addresses = [was.buyer.email, ...was.attendees.map(({ email }) => email)]
  for (const address of new Set(addresses))
    if (address !== null && address !== ERASED_EMAIL)
      await emails.forgetOfEvent(tx, eventId, emailKey(address))
  if (guest.order_id !== null) await eraseBuyerOf(tx, guest.order_id)
}

function* chunks<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += A_WRITE) yield items.slice(start, start + A_WRITE)
}
