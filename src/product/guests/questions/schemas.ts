import * as v from 'valibot'
import { says } from '#base/faults.ts'
import * as fields from '#base/fields.ts'
import { CHOICE_SEPARATOR, questionKinds, questionScopes } from './kinds.ts'
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

/** Lists the fields of a question that an organizer sets. */
export const questionFields = {
  /** Reports and the API list the answers under this key. */
  key: fields.label(MAX_KEY),
  label: fields.name(),
  help: v.nullable(fields.text(1000)),
  kind: fields.oneOf(questionKinds),
  /** Only some kinds of questions have choices. */
  choices,
  required: fields.yesOrNo,
  asked_for: fields.oneOf(questionScopes),
  /** Whether those who review an abstract see the answer. */
  for_reviewers: fields.yesOrNo,
  /** The types whose tickets are asked. It is null for all types, including later ones. */
  registration_type_ids: v.nullable(v.array(fields.uuid)),
}

type Stated = { [Name in keyof typeof questionFields]: v.InferOutput<(typeof questionFields)[Name]> }

/** A question without a key gets one made from its label. Only what is asked of abstracts is for reviewers. */
export type NewQuestion = Omit<Stated, 'key' | 'for_reviewers'> & {
  key?: string | null
  for_reviewers?: boolean
}

export interface Question extends Stated {
  id: string
  event_id: string
  retired: boolean
}

/** @param typeIds the types that the event has; others were removed */
export function presentQuestion(row: QuestionRow, typeIds: ReadonlySet<string>): Question {
  const { id, event_id, key, label, help, kind, asked_for } = row
  return {
    ...{ id, event_id, key, label, help, kind },
    choices: JSON.parse(row.choices) as string[],
    required: row.required === 1,
    asked_for,
    for_reviewers: row.for_reviewers === 1,
    registration_type_ids: readTypeIds(row.registration_type_ids, typeIds),
    retired: row.retired_at !== null,
  }
}

function readTypeIds(text: string | null, existing: ReadonlySet<string>): string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]).filter(id => existing.has(id))
}
