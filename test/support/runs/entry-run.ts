import { MINUTE } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { exportScans } from '#product/entrance/check-ins/door-history.ts'
import { countEntries } from '#product/entrance/check-ins/entry-hours.ts'
import * as decisions from '#product/entrance/check-ins/scan-decisions.ts'
import * as scans from '#product/entrance/check-ins/scans.ts'
import { getTicket } from '#product/entrance/check-ins/tickets.ts'
import { listByIds } from '#product/entrance/doors/ticket-store.ts'
import { withEntries } from '#product/entrance/doors/tickets.ts'

interface Place {
  accountId: string
  eventId: string
  /** The ticket is not checked in. */
  ticketId: string
}

/** Lets a ticket come in, leave, come back and do it all again, and takes that back. Its type admits once before and after. */
export async function runEntries(db: Database, { accountId, eventId, ticketId }: Place): Promise<void> {
  const { registration_type_id: typeId } = await db.read(accountId, tx => getTicket(tx, eventId, ticketId))
  const allow = (entries: 'once' | 'each_day', reentry: boolean) =>
    db.write(accountId, tx => registrationTypes.update(tx, eventId, typeId, { entries, reentry }))
  await allow('each_day', true)
  const door = { deviceId: null, eventId, name: 'Door', typeIds: null, isRevoked: false }
  const items = [
    ...[['e-out', 'exit', 2] as const, ['e-in', 'scan', 1] as const, ['e-double', 'scan', 1] as const],
    ...[['e-back', 'scan', 3] as const, ['e-out-again', 'exit', 4] as const],
  ]
  await db.write(accountId, async tx => {
    for (const [id, kind, minutes] of items) {
      const at = tx.clock() - (10 - minutes) * MINUTE
      const shown = kind === 'scan' ? ('admitted' as const) : null
      const common = { deviceAt: at, offset: 0, at, note: null }
      await scans.receive(tx, door, { id, kind, ticketId, signedFor: eventId, shown, ...common })
    }
  })
  await db.read(accountId, async tx => withEntries(tx, await listByIds(tx, eventId, [ticketId])))
  await countEntries(db, accountId, { id: eventId, timezone: 'UTC' }, Date.now())
  for await (const _ of exportScans(db, accountId, 0));
  await db.write(accountId, async tx => {
    for (const id of ['e-out', 'e-out-again', 'e-in', 'e-back', 'e-double']) {
      await decisions.undo(tx, { id, eventId }, 'R').catch(() => undefined)
    }
  })
  await allow('once', false)
}
