import type { Database, InstanceReadTx, ReadTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { readFeed } from '#product/catalog/event-pages/feeds.ts'
import * as eventPages from '#product/catalog/event-pages/rules.ts'
import * as siteMap from '#product/catalog/event-pages/site-map.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { duplicateEvent } from '#product/data-care/duplication/rules.ts'
import { forecastCancel, forecastMany } from '#product/guests/registrations/forecast.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { payableWith } from '#product/selling/payments/methods.ts'
import { asInstance } from '#test/support/as-instance.ts'
import { newEvent, newType } from './people/organizer.ts'
import { png } from './pictures.ts'

/** Does by rules what an organizer does, each of it once. */
export async function organize(db: Database, accountId: string): Promise<void> {
  const chosen = await db.write(accountId, async tx => {
    await accounts.update(tx, { slug: 'ada' })
    const event = await events.create(tx, newEvent())
    const typeOf = (name: string) => registrationTypes.create(tx, event.id, newType(name))
    const [one, other] = [await typeOf('One'), await typeOf('Other')]
    await registrationTypes.move(tx, event.id, other.id, 'up')
    const ids = [one.id, other.id]
    const room = { name: 'room', capacity: 9, registration_type_ids: ids }
    const pool = await registrationTypes.createPool(tx, event.id, room)
    await registrationTypes.updatePool(tx, event.id, pool.id, { capacity: 8 })
    await pictures.put(tx, event.id, pictures.examine(png()))
    await events.findMissing(tx, event.id)
    await events.setStatus(tx, event.id, 'published')
    await lookAsVisitor(asInstance(tx), event.slug)
    const { resource } = await registrations.create(tx, {
      event_id: event.id,
      registration_type_id: one.id,
      buyer: { name: 'Grace', email: 'grace@example.org' },
    })
    await forecastCancel(tx, resource.id, tx.clock())
    await registrations.cancel(tx, resource.id)
    await registrationTypes.update(tx, event.id, one.id, { name: 'First', capacity: 20 })
    await pictures.remove(tx, event.id)
    await duplicateEvent(tx, event.id, { title: 'Again', starts_at: 0 })
    await registrationTypes.remove(tx, event.id, other.id)
    await registrationTypes.removePool(tx, event.id, pool.id)
    await events.update(tx, event.id, { currency: event.currency, title: 'Over' })
    await registrationTypes.listDetails(tx, event.id)
    return { event_id: event.id, ids: [resource.id] }
  })
  const filters = { event_id: chosen.event_id }
  for (const choice of [chosen, filters, { ...filters, text: 'grace' }])
    await forecastMany(db, accountId, choice)
  await db.read(accountId, tx => waitlist.countWaiting(tx, chosen.ids, 10))
}

const findPayable = payableWith(new Map())

/** Looks at all that visitors see of an organizer. */
async function lookAsVisitor(tx: ReadTx & InstanceReadTx, slug: string): Promise<void> {
  const found = await eventPages.find(tx, 'ada', slug, 0, findPayable)
  await eventPages.findOpen(tx, 'ada', slug, 0, findPayable)
  await eventPages.findByCode(tx, { account: 'ada', slug, entered: 'x' }, 0, () => true, findPayable)
  const { eventId = '', page } = found ?? {}
  await pictures.readContent(tx, eventId, page?.shown.picture?.hash ?? '')
  await eventPages.listOfAccount(tx, 'ada', 0)
  await siteMap.readSiteMap(tx, 0)
  await readFeed(tx, { slug: 'ada' }, 0)
  for (const part of ['lists', 'dated-1', 'undated-1']) await siteMap.readPart(tx, part, 0)
  await eventPages.listOfAll(tx, 0)
  await eventPages.findEntrance(tx)
}
