import { makeFault, tell } from '#base/faults.ts'
import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import { slugOf, withNumber } from '#product/catalog/events/slug.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { listAnswerKeys } from '#product/guests/registrations/answer-keys.ts'
import { hasChoices } from './kinds.ts'
import { MAX_KEY, type NewQuestion, presentQuestion, type Question } from './schemas.ts'
import * as store from './store.ts'

export { type ApplicableQuestions, findApplicable, type Parsed, parse, readTyped } from './answers.ts'

/** An event can ask at most this many questions. An order has room for their answers. */
export const MAX_QUESTIONS = 100
/** An event can have at most this many questions, including retired ones. */
const MAX_KEPT = 500

/**
 * Returns the questions that an event asks those who order, in their order, with the retired ones at the end.
 *
 * @throws Problem not_found
 */
export async function list(tx: ReadTx, eventId: string): Promise<Question[]> {
  return (await listAll(tx, eventId)).filter(question => !isOfAbstracts(question))
}

/** Returns those that it asks of each abstract, alike. No registration has answers to them. */
export async function listOfAbstracts(tx: ReadTx, eventId: string): Promise<Question[]> {
  const rows = (await listInOrder(tx, eventId)).filter(isOfAbstracts)
  return rows.map(row => presentQuestion(row, new Set()))
}

/** Returns all questions of an event. @throws Problem not_found */
export async function listAll(tx: ReadTx, eventId: string): Promise<Question[]> {
  const typeIds = await registrationTypes.listIds(tx, eventId)
  return (await listInOrder(tx, eventId)).map(row => presentQuestion(row, typeIds))
}

function isOfAbstracts({ asked_for }: Pick<Question, 'asked_for'>): boolean {
  return asked_for === 'abstract'
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, eventId: string, id: string): Promise<Question> {
  const found = (await listAll(tx, eventId)).find(question => question.id === id)
  if (found === undefined) throw new Problem('not_found')
  return found
}

/**
 * Adds a question after the others.
 *
 * @throws Problem not_found, with `param` for a type; already_taken for `key`; invalid_parameter for `choices` if the kind needs
 *   choices and has none; in_use with the reason too_many_questions
 */
export async function create(
  tx: WriteTx,
  eventId: string,
  { key, ...input }: NewQuestion,
): Promise<Question> {
  const { id: event_id } = await events.get(tx, eventId)
  const rows = await listInOrder(tx, event_id)
  refuseMore(rows)
  const row: store.QuestionRow = {
    ...toColumns(input),
    id: newUuid(),
    event_id,
    key: key ?? freeKey(input.label, rows),
    position: Math.max(0, ...rows.map(({ position }) => position)) + 1,
    retired_at: null,
    answered_at: null,
  }
  refuseConflicts(row, rows)
  await registrationTypes.refuseUnknown(tx, event_id, input.registration_type_ids)
  await store.insert(tx, row, await tx.now())
  return get(tx, event_id, row.id)
}

/**
 * Changes the fields that are given. The key and the kind of a question stay once it has answers, and so does who sees them: what
 * authors have told the organizer alone never comes to reviewers.
 *
 * @throws Problem those of `create`; in_use for these fields of a question with answers
 */
export async function update(
  tx: WriteTx,
  eventId: string,
  id: string,
  changes: Partial<NewQuestion>,
): Promise<Question> {
  const rows = await listInOrder(tx, eventId)
  const was = findAmong(rows, id)
  const { key, ...rest } = changes
  const row = { ...was, ...toColumns(rest, was), key: key ?? was.key }
  const param = findFixed(was, row)
  if (param !== undefined && (await isAnswered(tx, was)))
    throw new Problem('in_use', { param, details: { reason: 'question_answered' } })
  refuseConflicts(
    row,
    rows.filter(other => other !== was),
  )
  await registrationTypes.refuseUnknown(tx, eventId, changes.registration_type_ids)
  await store.update(tx, row, await tx.now())
  return get(tx, eventId, id)
}

/** Returns the first field of a change that a question with answers does not take. @returns undefined if there is none */
export function findFixed(
  was: store.QuestionRow,
  is: store.QuestionRow,
): 'key' | 'kind' | 'asked_for' | 'for_reviewers' | undefined {
  const plain = (['key', 'kind'] as const).find(param => was[param] !== is[param])
  if (plain !== undefined) return plain
  if (isOfAbstracts(was) !== isOfAbstracts(is)) return 'asked_for'
  return was.for_reviewers < is.for_reviewers ? 'for_reviewers' : undefined
}

/**
 * Moves a question before the one above it, or after the one below it, among those that the same people are asked.
 *
 * @throws Problem not_found
 */
export async function move(
  tx: WriteTx,
  eventId: string,
  id: string,
  direction: 'up' | 'down',
): Promise<void> {
  const rows = await listInOrder(tx, eventId)
  const moved = findAmong(rows, id)
  const active = rows.filter(row => row.retired_at === null && isOfAbstracts(row) === isOfAbstracts(moved))
  const from = active.indexOf(moved)
  if (from < 0) return
  active.splice(from, 1)
  active.splice(Math.max(0, from + (direction === 'up' ? -1 : 1)), 0, moved)
  const now = await tx.now()
  for (const [at, { id, position }] of active.entries()) {
    if (position !== at + 1) await store.place(tx, id, at + 1, now)
  }
}

/**
 * Retires a question and keeps its answers, or asks it again, after the others.
 *
 * @throws Problem not_found; in_use with the reason too_many_questions
 */
export async function setRetired(
  tx: WriteTx,
  eventId: string,
  id: string,
  retired: boolean,
): Promise<Question> {
  const rows = await listInOrder(tx, eventId)
  const row = findAmong(rows, id)
  const now = await tx.now()
  if (retired && row.retired_at === null) await store.update(tx, { ...row, retired_at: now }, now)
  if (!retired && row.retired_at !== null) {
    refuseMore(rows)
    const position = Math.max(0, ...rows.map(each => each.position)) + 1
    await store.update(tx, { ...row, position, retired_at: null }, now)
  }
  return get(tx, eventId, id)
}

/**
 * Deletes a question that nobody has answered.
 *
 * @throws Problem not_found; in_use with the reason question_answered
 */
export async function remove(tx: WriteTx, eventId: string, id: string): Promise<void> {
  const row = findAmong(await listInOrder(tx, eventId), id)
  if (await isAnswered(tx, row)) {
    throw new Problem('in_use', { details: { reason: 'question_answered' } })
  }
  await store.remove(tx, id)
}

/** Returns whether there are answers under the key of a question, wherever they came from. */
export async function isAnswered(
  tx: ReadTx,
  { id, event_id, key, asked_for }: Pick<Question, 'id' | 'event_id' | 'key' | 'asked_for'>,
): Promise<boolean> {
  if (!isOfAbstracts({ asked_for })) return (await listAnswerKeys(tx, event_id)).has(key)
  return findAmong(await listInOrder(tx, event_id), id).answered_at !== null
}

/** Notes which questions an abstract that is sent answers. @param keys of its answers */
export async function markAnswered(tx: WriteTx, eventId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  for (const row of await store.listByEvent(tx, eventId)) {
    if (!isOfAbstracts(row) || row.answered_at !== null || !keys.includes(row.key)) continue
    await store.markAnswered(tx, row.id, await tx.now())
  }
}

/**
 * Copies the questions of an event that are not retired to another event.
 *
 * @param typeOf the type of the copy, by the id of the original's type
 */
export async function copy(
  tx: WriteTx,
  from: string,
  to: string,
  typeOf: ReadonlyMap<string, string>,
): Promise<void> {
  const now = await tx.now()
  for (const row of await listInOrder(tx, from)) {
    if (row.retired_at !== null) continue
    const ids = row.registration_type_ids
    const copied = ids && JSON.stringify((JSON.parse(ids) as string[]).flatMap(id => typeOf.get(id) ?? []))
    const copy = { ...row, id: newUuid(), event_id: to, registration_type_ids: copied, answered_at: null }
    await store.insert(tx, copy, now)
  }
}

type Columns = Omit<store.QuestionRow, 'id' | 'event_id' | 'key' | 'position' | 'retired_at' | 'answered_at'>

/**
 * Turns the given fields into columns.
 *
 * @param was the row whose values are kept for fields that are not given
 */
function toColumns(given: Partial<NewQuestion>, was?: store.QuestionRow): Columns {
  const { choices, required, for_reviewers, registration_type_ids: ids, ...rest } = given
  const columns = { for_reviewers: 0, ...was, ...rest } as Columns
  if (choices !== undefined) columns.choices = JSON.stringify(choices)
  if (!hasChoices(columns.kind)) columns.choices = '[]'
  if (required !== undefined) columns.required = required ? 1 : 0
  if (ids !== undefined) columns.registration_type_ids = ids && JSON.stringify([...new Set(ids)].sort())
  if (for_reviewers !== undefined) columns.for_reviewers = for_reviewers ? 1 : 0
  if (isOfAbstracts(columns)) columns.registration_type_ids = null
  else columns.for_reviewers = 0
  return columns
}

function freeKey(label: string, others: readonly { key: string }[]): string {
  const taken = new Set(others.map(({ key }) => key))
  const key = slugOf(label)
    .slice(0, MAX_KEY)
    .replace(/-+$/, '')
    .replace(/^event$/, 'question')
  for (let number = 1; ; number++) {
    const free = number === 1 ? key : withNumber(key.slice(0, MAX_KEY - 5), number)
    if (!taken.has(free)) return free
  }
}

function refuseMore(rows: readonly store.QuestionRow[]): void {
  const active = rows.filter(({ retired_at }) => retired_at === null)
  if (active.length < MAX_QUESTIONS && rows.length < MAX_KEPT) return
  throw new Problem('in_use', { details: { reason: 'too_many_questions' } })
}

function refuseConflicts(row: store.QuestionRow, others: readonly store.QuestionRow[]): void {
  if (others.some(({ key }) => key === row.key)) throw new Problem('already_taken', { param: 'key' })
  if (hasChoices(row.kind) && row.choices === '[]') {
    const fault = makeFault('required')
    throw new Problem('invalid_parameter', {
      param: 'choices',
      message: tell('choices', fault),
      details: { fault },
    })
  }
}

async function listInOrder(tx: ReadTx, eventId: string): Promise<store.QuestionRow[]> {
  const rows = await store.listByEvent(tx, eventId)
  const isLast = ({ retired_at }: store.QuestionRow) => (retired_at === null ? 0 : 1)
  return rows.sort((one, other) => isLast(one) - isLast(other) || one.position - other.position)
}

function findAmong(rows: readonly store.QuestionRow[], id: string): store.QuestionRow {
  const found = rows.find(row => row.id === id)
  if (found === undefined) throw new Problem('not_found')
  return found
}
