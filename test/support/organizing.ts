import * as accounts from '../../src/accounts/rules.ts'
import type { Database, ReadTx } from '../../src/db/port.ts'
import { duplicateEvent } from '../../src/duplication/rules.ts'
import * as eventPages from '../../src/event-pages/rules.ts'
import * as pictures from '../../src/events/pictures.ts'
import * as events from '../../src/events/rules.ts'
import * as registrationTypes from '../../src/registration-types/rules.ts'
import { forecastCancel, forecastMany } from '../../src/registrations/forecast.ts'
import * as registrations from '../../src/registrations/rules.ts'
import * as waitlist from '../../src/waitlist/rules.ts'
import { newEvent, newType } from './organizer.ts'
import { png } from './pictures.ts'

/** What an organizer does by rules, each of them once. */
export async function organize(db: Database, accountId: string): Promise<void> {
  const chosen = await db.write(accountId, async tx => {
    await accounts.update(tx, accountId, { slug: 'ada' })
    const event = await events.create(tx, accountId, newEvent())
    const typeOf = (name: string) => registrationTypes.create(tx, accountId, event.id, newType(name))
    const [one, other] = [await typeOf('One'), await typeOf('Other')]
    await registrationTypes.move(tx, accountId, event.id, other.id, 'up')
    const ids = [one.id, other.id]
    const room = { name: 'room', capacity: 9, registration_type_ids: ids }
    const pool = await registrationTypes.createPool(tx, accountId, event.id, room)
    await registrationTypes.updatePool(tx, accountId, event.id, pool.id, { capacity: 8 })
    await pictures.put(tx, accountId, event.id, pictures.examine(png()))
    await events.findMissing(tx, accountId, event.id)
    await events.setStatus(tx, accountId, event.id, 'published')
    await lookAsVisitor(tx, accountId, event.slug)
    const { resource } = await registrations.create(tx, accountId, {
      event_id: event.id,
      registration_type_id: one.id,
      buyer: { name: 'Grace', email: 'grace@example.org' },
    })
    await forecastCancel(tx, accountId, resource.id, tx.clock())
    await registrations.cancel(tx, accountId, resource.id)
    await registrationTypes.update(tx, accountId, event.id, one.id, { name: 'First', capacity: 20 })
    await pictures.remove(tx, accountId, event.id)
    await duplicateEvent(tx, accountId, event.id, { title: 'Again', starts_at: 0 })
    await registrationTypes.remove(tx, accountId, event.id, other.id)
    await registrationTypes.removePool(tx, accountId, event.id, pool.id)
    await events.update(tx, accountId, event.id, { currency: event.currency, title: 'Over' })
    await registrationTypes.listDetails(tx, accountId, event.id)
    return { event_id: event.id, ids: [resource.id] }
  })
  const filters = { event_id: chosen.event_id }
  for (const choice of [chosen, filters, { ...filters, text: 'grace' }])
    await forecastMany(db, accountId, choice)
  await db.read(tx => waitlist.countWaiting(tx, accountId, chosen.ids, 10))
}

/** Looks at all that visitors see of an organizer. */
async function lookAsVisitor(tx: ReadTx, accountId: string, slug: string): Promise<void> {
  const found = await eventPages.find(tx, 'ada', slug, 0)
  await eventPages.findOpen(tx, 'ada', slug, 0)
  await eventPages.findByCode(tx, { account: 'ada', slug, entered: 'x' }, 0, () => true)
  const { eventId = '', page } = found ?? {}
  await pictures.readContent(tx, accountId, eventId, page?.shown.picture?.hash ?? '')
  await eventPages.listOfAccount(tx, 'ada', 0)
  await eventPages.listOfAll(tx, 0)
  await eventPages.findEntrance(tx)
}
