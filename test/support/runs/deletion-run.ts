import assert from 'node:assert/strict'
import * as links from '#product/administration/users/links.ts'
import { setArchived } from '#product/catalog/events/archive.ts'
import { isDeleting, markDeleting } from '#product/catalog/events/deleting.ts'
import { countLists, eventLists, listPart, sortAmong } from '#product/catalog/events/lists.ts'
import * as events from '#product/catalog/events/rules.ts'
import { deleteEvent } from '#product/data-care/deletion/rules.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { newRegistration } from '../requests.ts'
import type { startWithOrganization } from '../server.ts'

/** Lists the events in every way, archives one and takes it back, and deletes one with a registration and an invitation. */
export async function deleteAnEvent({
  applied,
  client,
  clock,
  db,
}: Awaited<ReturnType<typeof startWithOrganization>>): Promise<void> {
  const { account_id: accountId } = applied
  const winter = applied.events.winter as { id: string }
  const { id: eventId } = winter
  await db.read(accountId, async tx => {
    await countLists(tx, clock())
    await sortAmong(tx, [eventId], clock())
    const after = { created_at: clock(), id: eventId }
    for (const list of eventLists)
      for (const page of [{ limit: 2 }, { limit: 2, after }]) await listPart(tx, list, clock(), page)
  })
  const types = await db.write(accountId, async tx => {
    await setArchived(tx, eventId, true)
    await setArchived(tx, eventId, false)
    await links.invite(tx, { email: 'wim@example.org', role: 'door', event_ids: [eventId] })
    const now = await tx.now()
    await tx.run(
      `INSERT INTO registration_types (id, account_id, event_id, name, price, capacity, sold, active, created_at, updated_at)
       VALUES ('0197a0b4-4b10-7c55-b1a0-0d1e2f3a4b5d', $1, $2, 'Standard', 0, 9, 0, 1, $3, $3)`,
      [accountId, eventId, now],
    )
    return { Standard: '0197a0b4-4b10-7c55-b1a0-0d1e2f3a4b5d' }
  })
  const made = await client.post('/registrations', newRegistration({ eventId, types }))
  assert.equal(made.status, 201)
  await db.write(accountId, async tx => {
    // What is asked only while a large event goes.
    await markDeleting(tx, eventId)
    assert.ok(await isDeleting(tx, eventId))
    for (const list of [registrations.list, abstracts.list]) await list(tx, {}, { limit: 2 })
    await checkIns.list(tx, undefined, { limit: 2 })
    await tx.run('UPDATE events SET deleting_at = NULL WHERE account_id = $1 AND id = $2', [
      accountId,
      eventId,
    ])
  })
  await db.write(accountId, async tx => {
    const { title } = await events.setStatus(tx, eventId, 'cancelled')
    await deleteEvent(tx, eventId, { typed: title, by: 'cli' })
  })
}
