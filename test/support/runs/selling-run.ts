import type { Database } from '#machinery/db/port.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as eventPages from '#product/catalog/event-pages/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import * as questions from '#product/guests/questions/rules.ts'
import type { NewQuestion } from '#product/guests/questions/schemas.ts'

/** Does everything with the questions and codes of an event, its calendar and its waitlist, each of it once. */
export async function prepareSelling(
  db: Database,
  { accountId, eventId, typeId }: { accountId: string; eventId: string; typeId: string },
): Promise<void> {
  const ask = (label: string): NewQuestion => ({
    ...{ label, help: null, kind: 'text', choices: [], required: false, asked_for: 'order' },
    registration_type_ids: null,
  })
  await db.write(accountId, async tx => {
    const first = await questions.create(tx, eventId, ask('Hotel?'))
    await questions.create(tx, eventId, ask('Train?'))
    await questions.update(tx, eventId, first.id, { label: 'Which hotel?' })
    await questions.move(tx, eventId, first.id, 'down')
    await questions.remove(tx, eventId, first.id)
  })
  await db.write(accountId, async tx => {
    const code = await codes.create(tx, eventId, {
      ...{ code: 'FRIENDS', note: null, percent: 100, amount: null, registration_type_ids: null },
      ...{ valid_from: null, valid_until: null, max_tickets: 9, active: true },
    })
    await codes.update(tx, eventId, code.id, { note: 'For friends' })
    await codes.isUsed(tx, code)
    const lines = [{ type: { id: typeId, price: 0 }, quantity: 2 }]
    await codes.reserve(tx, eventId, ' friends', lines)
    await codes.release(tx, code.id, 2)
    await codes.recount(tx, eventId)
    await codes.remove(tx, eventId, code.id)
  })
  await db.write(accountId, async tx => {
    const lin = { name: 'Lin', email: 'waits@example.org' }
    await waitlist.join(tx, eventId, { ...lin, typeId, quantity: 1, language: 'en' })
  })
  await db.read(accountId, async tx => {
    const event = await events.getDetails(tx, eventId)
    await eventPages.readCalendar(tx, event, 'https://example.org')
    await registrationTypes.listPriced(tx, 0, 1_000)
    await registrationTypes.sumPlaces(tx)
  })
}
