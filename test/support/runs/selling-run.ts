import * as codes from '../../src/codes/rules.ts'
import type { Database } from '../../src/db/port.ts'
import * as eventPages from '../../src/event-pages/rules.ts'
import * as events from '../../src/events/rules.ts'
import * as questions from '../../src/questions/rules.ts'
import type { NewQuestion } from '../../src/questions/schemas.ts'
import * as waitlist from '../../src/waitlist/rules.ts'

/** What is done with the questions and codes of an event, its calendar and those who wait for it, each of it once. */
export async function prepareSelling(
  db: Database,
  { accountId, eventId, typeId }: { accountId: string; eventId: string; typeId: string },
): Promise<void> {
  const ask = (label: string): NewQuestion => ({
    ...{ label, help: null, kind: 'text', choices: [], required: false, asked_for: 'order' },
    registration_type_ids: null,
  })
  await db.write(accountId, async tx => {
    const first = await questions.create(tx, accountId, eventId, ask('Hotel?'))
    await questions.create(tx, accountId, eventId, ask('Train?'))
    await questions.update(tx, accountId, eventId, first.id, { label: 'Which hotel?' })
    await questions.move(tx, accountId, eventId, first.id, 'down')
    await questions.remove(tx, accountId, eventId, first.id)
  })
  await db.write(accountId, async tx => {
    const code = await codes.create(tx, accountId, eventId, {
      ...{ code: 'FRIENDS', note: null, percent: 100, amount: null, registration_type_ids: null },
      ...{ valid_from: null, valid_until: null, max_tickets: 9, active: true },
    })
    await codes.update(tx, accountId, eventId, code.id, { note: 'For friends' })
    await codes.isUsed(tx, accountId, code)
    const lines = [{ type: { id: typeId, price: 0 }, quantity: 2 }]
    await codes.reserve(tx, accountId, eventId, ' friends', lines)
    await codes.release(tx, accountId, code.id, 2)
    await codes.recount(tx, accountId, eventId)
    await codes.remove(tx, accountId, eventId, code.id)
  })
  await db.write(accountId, async tx => {
    const lin = { name: 'Lin', email: 'waits@example.org' }
    await waitlist.join(tx, accountId, eventId, { ...lin, typeId, quantity: 1, language: 'en' })
  })
  await db.read(async tx => {
    const event = await events.getDetails(tx, accountId, eventId)
    await eventPages.readCalendar(tx, accountId, event, 'https://example.org')
  })
}
