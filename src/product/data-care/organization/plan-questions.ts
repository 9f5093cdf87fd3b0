import { newUuid } from '#base/ids.ts'
import { hasChoices } from '#product/guests/questions/kinds.ts'
import { findFixed, MAX_QUESTIONS } from '#product/guests/questions/rules.ts'
import type { QuestionRow } from '#product/guests/questions/store.ts'
import type { CurrentEvent } from './current.ts'
import type { Places } from './places.ts'
import { type Planned, type PlannedType, planRow } from './plan-row.ts'
import type { Refusals } from './refusals.ts'
import type { OrganizationEvent } from './schema.ts'
import { mayBeDescribed, type Uncertain } from './uncertain.ts'

/** Holds what the plans of questions and codes are made with. */
export interface AroundTypes {
  /** Where the file has the event and its items. */
  places: Places
  uncertain: Uncertain | undefined
  eventId: string
  types: ReadonlyMap<string, PlannedType>
  /** Milliseconds. */
  now: number
  /** Collects everything that is impossible. */
  refusals: Refusals
}

/** Plans the questions of the file. Those that only the database has stay as they are. */
export function planQuestions(
  current: Pick<CurrentEvent, 'questions' | 'answerKeys'> | undefined,
  file: OrganizationEvent,
  around: AroundTypes,
): Planned<QuestionRow>[] {
  const { places, refusals } = around
  const existing = new Map(current?.questions.map(row => [row.key, row]))
  const last = Math.max(0, ...[...existing.values()].map(({ position }) => position))
  const planned = file.questions.map((question, at) => {
    const was = existing.get(question.key)
    const row = questionRow(was, question, last + at + 1, around)
    const fixed = was && findFixed(was, row)
    if (fixed !== undefined && (was?.answered_at !== null || current?.answerKeys.has(row.key))) {
      refusals.add(`${places.of('questions', question)}.${fixed}`, 'cannot change: the question has answers')
    }
    existing.delete(question.key)
    return planRow(was, row)
  })
  const active = [...existing.values(), ...planned.map(({ row }) => row)].filter(
    row => row.retired_at === null,
  )
  if (active.length > MAX_QUESTIONS) {
    refusals.add(`${places.path}.questions`, `are too many: an event asks at most ${MAX_QUESTIONS}`)
  }
  return planned
}

function questionRow(
  was: QuestionRow | undefined,
  question: OrganizationEvent['questions'][number],
  next: number,
  around: AroundTypes,
): QuestionRow {
  const { key, label, help, kind, choices, required, asked_for, retired } = question
  const path = around.places.of('questions', question)
  return {
    ...{ id: was?.id ?? newUuid(), event_id: around.eventId, key, label, help, kind, asked_for },
    choices: JSON.stringify(hasChoices(kind) ? choices : []),
    required: required ? 1 : 0,
    for_reviewers: question.for_reviewers ? 1 : 0,
    answered_at: was?.answered_at ?? null,
    registration_type_ids: typeIdsOf(question.registration_types, path, around),
    position: question.position ?? was?.position ?? next,
    retired_at: retired ? (was?.retired_at ?? around.now) : null,
  }
}

/** Returns the ids of these types as a JSON array, or null for all. */
export function typeIdsOf(
  names: readonly string[] | null,
  path: string,
  { types, uncertain, refusals }: AroundTypes,
): string | null {
  if (names === null) return null
  const ids = names.flatMap((name, at) => {
    const type = types.get(name)
    if (type === undefined && !mayBeDescribed(name, uncertain)) {
      refusals.add(`${path}.registration_types.${at}`, `is "${name}", and the event has no type of that name`)
    }
    return type === undefined ? [] : [type.row.id]
  })
  return JSON.stringify(ids.sort())
}
