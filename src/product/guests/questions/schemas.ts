import * as v from 'valibot'
import { says } from '../faults.ts'
import * as fields from '../fields.ts'
import { askedFor, CHOICE_SEPARATOR, questionKinds } from './kinds.ts'
import type { QuestionRow } from './store.ts'

export const MAX_KEY = 64
const MAX_CHOICES = 100
export const MAX_POSITION = 1_000_000

const choices = v.pipe(
  v.array(fields.name(), says('array')),
  v.check(
    list =>
      list.length <= MAX_CHOICES &&
      new Set(list).size === list.length &&
      list.every(choice => !choice.includes(CHOICE_SEPARATOR)),
    says('choices', { max: MAX_CHOICES }),
  ),
)

/** What an organizer says of a question. */
export const questionFields = {
  /** What its answers stand under, in reports and in the API. */
  key: fields.label(MAX_KEY),
  label: fields.name(),
  help: v.nullable(fields.text(1000)),
  kind: fields.oneOf(questionKinds),
  /** Of a kind that has some. */
  choices,
  required: fields.yesOrNo,
  asked_for: fields.oneOf(askedFor),
  /** Of which types; null for all, those to come too. */
  registration_type_ids: v.nullable(v.array(fields.uuid)),
}

type Said = { [Name in keyof typeof questionFields]: v.InferOutput<(typeof questionFields)[Name]> }

/** Without a key it gets one of its label. */
export type NewQuestion = Omit<Said, 'key'> & { key?: string | null }

export interface Question extends Said {
  id: string
  event_id: string
  retired: boolean
}

/** @param typeIds the types that the event has: others were removed */
export function presentQuestion(row: QuestionRow, typeIds: ReadonlySet<string>): Question {
  const { id, event_id, key, label, help, kind, asked_for } = row
  return {
    ...{ id, event_id, key, label, help, kind },
    choices: JSON.parse(row.choices) as string[],
    required: row.required === 1,
    asked_for,
    registration_type_ids: readTypeIds(row.registration_type_ids, typeIds),
    retired: row.retired_at !== null,
  }
}

function readTypeIds(text: string | null, known: ReadonlySet<string>): string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]).filter(id => known.has(id))
}
