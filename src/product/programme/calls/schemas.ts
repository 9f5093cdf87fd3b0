import * as v from 'valibot'
import { says } from '#base/faults.ts'
import * as fields from '#base/fields.ts'
import { toIso } from '#base/time.ts'
import type { Question } from '#product/guests/questions/schemas.ts'
import { fileModes } from './states.ts'
import type { CallRow } from './store.ts'

export const MAX_SECTIONS = 8
/** The longest heading of a section. */
export const MAX_HEADING = 100
export const MAX_TOPICS = 50
export const MAX_KINDS = 10
export const MAX_WORDS = 2_000
export const MAX_PER_PERSON = 50
export const MAX_FILE_MIB = 10
/** The longest that a talk takes, in minutes. */
export const MAX_MINUTES = 1_440

/** The zone in which a day ends last of all on earth: it is over nowhere before it is over there. */
export const ANYWHERE_ON_EARTH = 'Etc/GMT+12'

/** Accepts a list of at most `max` different names. */
function names(max: number, longest: number) {
  return v.pipe(
    v.array(fields.name(longest), says('array')),
    v.check(list => list.length <= max && areDifferent(list), says('choices', { max })),
  )
}

const kinds = v.pipe(
  v.array(
    fields.closedObject({
      name: fields.name(100),
      /** How long it takes, in minutes. It is null where that is open, or for a poster. */
      minutes: v.nullable(fields.integer(1, MAX_MINUTES)),
      poster: fields.yesOrNo,
    }),
    says('array'),
  ),
  v.check(
    list => list.length <= MAX_KINDS && areDifferent(list.map(({ name }) => name)),
    says('choices', { max: MAX_KINDS }),
  ),
)

function areDifferent(list: readonly string[]): boolean {
  return new Set(list.map(name => name.toLowerCase())).size === list.length
}

/** The fields of a call that an organizer sets. After parsing, instants are in milliseconds. */
export const callFields = {
  opens_at: fields.instant,
  /** The last minute in which abstracts are taken. */
  closes_at: fields.instant,
  /** The zone in which people read the deadline. It is null for that of the event. */
  zone: v.nullable(fields.timezone),
  /** What is asked for, in Markdown. */
  about: v.nullable(fields.text(20_000)),
  /** The headings of the parts of a text, each of which has to be filled. Without any, the text is one. */
  sections: names(MAX_SECTIONS, MAX_HEADING),
  /** How many words the text may have, all sections together. */
  max_words: fields.integer(1, MAX_WORDS),
  /** How many abstracts one person may send. */
  per_person: fields.integer(1, MAX_PER_PERSON),
  /** What an abstract may be about. Without any, nobody is asked. */
  topics: names(MAX_TOPICS, 200),
  /** The kinds of contributions. Without any, nobody is asked. */
  kinds,
  file: fields.oneOf(fileModes),
  /** The largest file, in MiB. */
  max_file_mib: fields.integer(1, MAX_FILE_MIB),
}

export type NewCall = { [Name in keyof typeof callFields]: v.InferOutput<(typeof callFields)[Name]> }

/** Something to choose from. It is never removed, as abstracts may have it: it retires. */
export const topicSchema = v.strictObject({
  id: fields.uuid,
  name: v.string(),
  retired: v.optional(v.literal(true)),
})

export const kindSchema = v.strictObject({
  ...topicSchema.entries,
  minutes: v.nullable(v.number()),
  poster: v.boolean(),
})

export type Topic = v.InferOutput<typeof topicSchema>
export type Kind = v.InferOutput<typeof kindSchema>

export interface Call extends Omit<NewCall, 'opens_at' | 'closes_at' | 'topics' | 'kinds'> {
  event_id: string
  opens_at: string
  closes_at: string
  /** Those that can be chosen, in their order, and then the retired ones. */
  topics: readonly Topic[]
  kinds: readonly Kind[]
  /** What is asked beside the text, in order, and then what is asked no more. */
  questions: readonly Question[]
  updated_at: string
}

export function presentCall(row: CallRow, questions: readonly Question[] = []): Call {
  const { event_id, zone, about, max_words, per_person, file, max_file_mib } = row
  return {
    ...{ event_id, zone, about, max_words, per_person, file, max_file_mib },
    opens_at: toIso(row.opens_at),
    closes_at: toIso(row.closes_at),
    sections: JSON.parse(row.sections) as string[],
    topics: JSON.parse(row.topics) as Topic[],
    kinds: JSON.parse(row.kinds) as Kind[],
    questions,
    updated_at: toIso(row.updated_at),
  }
}

/** Returns those that can be chosen. */
export function offered<Of extends Topic>(choices: readonly Of[]): Of[] {
  return choices.filter(({ retired }) => retired === undefined)
}
