import * as v from 'valibot'
import { closedObject, integer, name, yesOrNo } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import { toIso } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { QuestionRow } from '#product/guests/questions/store.ts'
import { mergeChoices } from '#product/programme/calls/choices.ts'
import {
  callFields,
  type Kind,
  MAX_MINUTES,
  offered,
  presentCall,
  type Topic,
} from '#product/programme/calls/schemas.ts'
import * as calls from '#product/programme/calls/store.ts'
import {
  type Criterion,
  MAX_WEIGHT,
  presentRound,
  roundFields,
} from '#product/programme/reviews/round-schemas.ts'
import * as rounds from '#product/programme/reviews/round-store.ts'
import { listUpTo } from './array-of.ts'
import { type Planned, planRow } from './plan-row.ts'

/** The most choices that have retired. */
const MAX_RETIRED = 500

/** The call for abstracts of an event. What was taken out of its lists is there too, as abstracts may have it. */
export const callSchema = closedObject({
  ...callFields,
  retired_topics: v.optional(listUpTo(name(), MAX_RETIRED), () => []),
  retired_kinds: v.optional(
    listUpTo(
      closedObject({
        name: name(100),
        minutes: v.nullable(integer(1, MAX_MINUTES)),
        poster: yesOrNo,
      }),
      MAX_RETIRED,
    ),
    () => [],
  ),
  zone: v.nullish(callFields.zone, null),
  about: v.nullish(callFields.about, null),
})

/** How they are reviewed. */
export const reviewSchema = closedObject({
  ...roundFields,
  retired_criteria: v.optional(
    listUpTo(closedObject({ name: name(100), weight: integer(1, MAX_WEIGHT) }), MAX_RETIRED),
    () => [],
  ),
  about: v.nullish(roundFields.about, null),
})

/** What a file brings of them. */
interface ProgrammeItems {
  call?: v.InferOutput<typeof callSchema> | undefined
  review?: v.InferOutput<typeof reviewSchema> | undefined
}

/** What a file says of them. */
interface ExportedProgramme {
  call?: v.InferInput<typeof callSchema>
  review?: v.InferInput<typeof reviewSchema>
}

type CallRow = Omit<calls.CallRow, 'updated_at'>
type RoundRow = Omit<rounds.RoundRow, 'updated_at'>

/** What an event has of its programme. */
export interface CurrentProgramme {
  call: calls.CallRow | undefined
  review: rounds.RoundRow | undefined
}

export interface PlannedProgramme {
  /** Each is undefined if the file says nothing of it: it then stays as it is. */
  call: Planned<CallRow> | undefined
  review: Planned<RoundRow> | undefined
}

export async function readProgramme(tx: ReadTx, eventId: string): Promise<CurrentProgramme> {
  return { call: await calls.find(tx, eventId), review: await rounds.find(tx, eventId) }
}

/** Plans the call and the review of an event. Topics, kinds and criteria that are left out retire, as in the dashboard. */
export function planProgramme(
  current: CurrentProgramme | undefined,
  file: ProgrammeItems,
  eventId: string,
): PlannedProgramme {
  return {
    call: file.call && planRow<CallRow>(current?.call, callRow(current?.call, file.call, eventId)),
    review:
      file.review && planRow<RoundRow>(current?.review, roundRow(current?.review, file.review, eventId)),
  }
}

function callRow(
  row: calls.CallRow | undefined,
  file: NonNullable<ProgrammeItems['call']>,
  event_id: string,
): CallRow {
  const was = row && presentCall(row)
  const { retired_topics, retired_kinds, ...stated } = file
  const topics = mergeChoices(was?.topics ?? [], toChoices(file.topics))
  const kinds = mergeChoices(was?.kinds ?? [], file.kinds)
  return {
    ...stated,
    event_id,
    sections: JSON.stringify(file.sections),
    topics: JSON.stringify(withRetired(topics, toChoices(retired_topics))),
    kinds: JSON.stringify(withRetired(kinds, retired_kinds)),
  }
}

function roundRow(
  row: rounds.RoundRow | undefined,
  file: NonNullable<ProgrammeItems['review']>,
  event_id: string,
): RoundRow {
  const { retired_criteria, ...stated } = file
  const criteria = mergeChoices(row === undefined ? [] : presentRound(row).criteria, file.criteria)
  return {
    ...stated,
    event_id,
    blind: Number(file.blind),
    criteria: JSON.stringify(withRetired(criteria, retired_criteria)),
  }
}

function toChoices(names: readonly string[]): { name: string }[] {
  return names.map(name => ({ name }))
}

/** Adds what has retired elsewhere, unless it is known. */
function withRetired<Of extends Topic>(
  choices: readonly Of[],
  retired: readonly Omit<Of, 'id' | 'retired'>[],
): Of[] {
  const known = new Set(choices.map(({ name }) => name.toLowerCase()))
  const added = retired.flatMap(choice => {
    const key = choice.name.toLowerCase()
    if (known.has(key)) return []
    known.add(key)
    return [{ ...choice, id: newUuid(), retired: true as const } as unknown as Of]
  })
  return [...choices, ...added]
}

/** Returns what choices are named by, with their ids. One that is offered comes before one of that name that has retired. */
function idsOf(choices: readonly Topic[]): Map<string, string> {
  return new Map([...choices].reverse().map(({ id, name }) => [name, id]))
}

/** The ids of what an event lets choose, by name, also of what has retired, and of its codes. */
export interface ChoiceIds {
  /** By the key that compares codes. */
  codes: ReadonlyMap<string, string>
  topics: ReadonlyMap<string, string>
  kinds: ReadonlyMap<string, string>
  criteria: ReadonlyMap<string, string>
  /** The keys of what is asked of abstracts. */
  questions: ReadonlySet<string>
}

/** Returns the choices of an event as they will be. */
export function choicesOf(
  { call, review }: PlannedProgramme,
  current: CurrentProgramme | undefined,
  asked: readonly Pick<QuestionRow, 'key' | 'asked_for'>[],
): Omit<ChoiceIds, 'codes'> {
  const stated = call?.row ?? current?.call
  const round = review?.row ?? current?.review
  return {
    topics: idsOf(stated === undefined ? [] : (JSON.parse(stated.topics) as Topic[])),
    kinds: idsOf(stated === undefined ? [] : (JSON.parse(stated.kinds) as Topic[])),
    criteria: idsOf(round === undefined ? [] : (JSON.parse(round.criteria) as Topic[])),
    questions: new Set(asked.filter(({ asked_for }) => asked_for === 'abstract').map(({ key }) => key)),
  }
}

/** Writes what was planned. Nobody is told of another deadline: the file says what is so, not what has changed. */
export async function applyProgramme(
  tx: WriteTx,
  { call, review }: PlannedProgramme,
  now: number,
): Promise<void> {
  if (call !== undefined && call.change !== 'kept') await calls.put(tx, call.row, now)
  if (review !== undefined && review.change !== 'kept') await rounds.put(tx, review.row, now)
}

/** Returns what a file says of the call and the review of an event: nothing of what there is not. */
export function exportProgramme({ call, review }: CurrentProgramme): ExportedProgramme {
  return {
    ...(call === undefined ? {} : { call: exportCall(call) }),
    ...(review === undefined ? {} : { review: exportReview(review) }),
  }
}

function exportCall(row: calls.CallRow): NonNullable<ExportedProgramme['call']> {
  const { opens_at, closes_at, zone, about, sections, max_words, per_person, file, max_file_mib, ...rest } =
    presentCall(row)
  return {
    ...{ opens_at, closes_at, zone, about, sections, max_words, per_person },
    topics: offered(rest.topics).map(({ name }) => name),
    kinds: offered(rest.kinds).map(toKind),
    ...{ file, max_file_mib },
    ...unlessEmpty({
      retired_topics: retiredOf(rest.topics).map(({ name }) => name),
      retired_kinds: retiredOf(rest.kinds).map(toKind),
    }),
  }
}

function exportReview(row: rounds.RoundRow): NonNullable<ExportedProgramme['review']> {
  const { blind, wanted, about, criteria } = presentRound(row)
  return {
    closes_at: toIso(row.closes_at),
    ...{ blind, wanted, about },
    criteria: offered(criteria).map(toCriterion),
    ...unlessEmpty({ retired_criteria: retiredOf(criteria).map(toCriterion) }),
  }
}

function toKind({ name, minutes, poster }: Kind) {
  return { name, minutes, poster }
}

function toCriterion({ name, weight }: Criterion) {
  return { name, weight }
}

function retiredOf<Of extends Topic>(choices: readonly Of[]): Of[] {
  return choices.filter(({ retired }) => retired)
}

function unlessEmpty<Lists extends Record<string, readonly unknown[]>>(lists: Lists): Partial<Lists> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Lists>
}
