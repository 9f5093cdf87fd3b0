import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { type Carried, changeEach, type LaterDate } from '#product/catalog/events/later-dates.ts'
import { findNamesakes, namesOf } from '#product/catalog/registration-types/later-types.ts'
import * as questions from './rules.ts'
import type { NewQuestion, Question } from './schemas.ts'

/**
 * Changes a question and, in the same way, the question of the same label on later dates of the series, by the rule of `update`. What
 * those who order are asked is never taken for what authors are asked. Types are those of the same names.
 *
 * @throws Problem those of `update` for the question itself; not_carried as in `changeEach`, also for a date that has no such question
 *   or several, or lacks a type
 */
export async function updateWithLater(
  tx: WriteTx,
  { eventId, id }: { eventId: string; id: string },
  changes: Partial<NewQuestion>,
  later: readonly LaterDate[],
): Promise<Carried<Question>> {
  const was = await questions.get(tx, eventId, id)
  const here = await questions.update(tx, eventId, id, changes)
  if (later.length === 0 || Object.keys(changes).length === 0) return { here, others: [] }
  const types = await namesOf(tx, eventId, changes.registration_type_ids)
  const others = await changeEach(tx, later, async date => {
    const there = await findSame(tx, date.id, was)
    return questions.update(tx, date.id, there.id, await withTypesOf(tx, changes, types, date))
  })
  return { here, others }
}

/**
 * Adds a question to an event and to later dates of the series, after their other questions.
 *
 * @throws Problem those of `create` for the event itself; not_carried as in `updateWithLater`
 */
export async function createWithLater(
  tx: WriteTx,
  eventId: string,
  input: NewQuestion,
  later: readonly LaterDate[],
): Promise<Carried<Question>> {
  const here = await questions.create(tx, eventId, input)
  if (later.length === 0) return { here, others: [] }
  const types = await namesOf(tx, eventId, input.registration_type_ids)
  const others = await changeEach(tx, later, async date =>
    questions.create(tx, date.id, await withTypesOf(tx, input, types, date)),
  )
  return { here, others }
}

async function withTypesOf<Given extends Partial<NewQuestion>>(
  tx: ReadTx,
  given: Given,
  types: readonly string[] | null | undefined,
  date: LaterDate,
): Promise<Given> {
  if (types === undefined) return given
  return { ...given, registration_type_ids: await findNamesakes(tx, types, date) }
}

/** Returns the question of a date with the label and at the place of another. One that is still asked is preferred, then the same key. */
async function findSame(tx: ReadTx, eventId: string, was: Question): Promise<Question> {
  const isOfAbstracts = was.asked_for === 'abstract'
  const all = isOfAbstracts ? await questions.listOfAbstracts(tx, eventId) : await questions.list(tx, eventId)
  const same = all.filter(({ label }) => label === was.label)
  const asked = same.filter(({ retired }) => !retired)
  const among = asked.length > 0 ? asked : same
  const found = among.find(({ key }) => key === was.key) ?? (among.length === 1 ? among[0] : undefined)
  if (found !== undefined) return found
  const reason = among.length === 0 ? 'no_such_question' : 'several_questions'
  throw new Problem('not_found', { details: { reason, label: was.label } })
}
