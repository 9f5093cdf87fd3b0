import { DAY } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { updateWithLater as updateCodes } from '#product/catalog/codes/later-codes.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import { findOtherDates, findSeries, hasPage } from '#product/catalog/event-pages/series-pages.ts'
import * as eventPages from '#product/catalog/event-pages/store.ts'
import { listLater, updateWithLater } from '#product/catalog/events/later-dates.ts'
import { listPart } from '#product/catalog/events/lists.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as series from '#product/catalog/events/series.ts'
import { setColourWithLater } from '#product/catalog/looks/later-looks.ts'
import { updateWithLater as updateTypes } from '#product/catalog/registration-types/later-types.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { ALWAYS_PAYABLE } from '#product/catalog/registration-types/sellability.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import { updateWithLater as updateQuestions } from '#product/guests/questions/later-questions.ts'
import * as questions from '#product/guests/questions/rules.ts'

const findPayable = async () => () => ALWAYS_PAYABLE

/** Repeats an event, looks at the series and changes it, and dissolves it again. */
export async function repeatEvents(db: Database, accountId: string, eventId: string): Promise<void> {
  const made = await db.write(accountId, async tx => {
    const start = Date.parse((await events.getDetails(tx, eventId)).starts_at ?? '')
    const starts = [start + 400 * DAY, start + 401 * DAY]
    const repeated = await repeatEvent(tx, eventId, { name: 'Meetings', starts })
    await series.update(tx, repeated.series.id, { name: 'All meetings' })
    const later = await listLater(tx, await events.getDetails(tx, eventId), null)
    await updateWithLater(tx, eventId, { payment_days: 8 }, later)
    const [type] = await registrationTypes.listDetails(tx, eventId)
    if (type !== undefined) {
      await updateTypes(tx, { eventId, id: type.id }, { description: 'On each of the dates' }, later)
    }
    const [code] = await codes.listAll(tx, eventId)
    if (code !== undefined) await updateCodes(tx, { eventId, id: code.id }, { note: 'Of all dates' }, later)
    const [question] = await questions.list(tx, eventId)
    if (question !== undefined) {
      await updateQuestions(tx, { eventId, id: question.id }, { help: 'On each of the dates' }, later)
    }
    await setColourWithLater(tx, eventId, '#008800', later)
    return repeated
  })
  await db.read(accountId, async tx => {
    await series.listAll(tx)
    await series.findBySlug(tx, made.series.slug)
    await series.findOfEvent(tx, eventId)
    await series.listDates(tx, made.series.id)
    await listPart(tx, 'drafts', 0, { limit: 10 })
    await hasPage(tx, made.series.slug)
    await eventPages.feedOf(tx, made.series.id, 0, 10)
    await findOtherDates(tx, await events.getDetails(tx, eventId), 0, findPayable)
  })
  const { slug } = await db.read(accountId, accounts.getDetails)
  await db.read(INSTANCE, tx => findSeries(tx, slug ?? '', made.series.slug, 0, findPayable))
  await db.write(accountId, async tx => {
    for (const id of [eventId, ...made.made.map(event => event.id)]) await series.setSeries(tx, id, null)
  })
}
