import * as v from 'valibot'
import { closedObject } from '#base/fields.ts'
import { toIso } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { mergeChoices } from '#product/programme/calls/choices.ts'
import { callFields, offered, presentCall } from '#product/programme/calls/schemas.ts'
import * as calls from '#product/programme/calls/store.ts'
import { presentRound, roundFields } from '#product/programme/reviews/round-schemas.ts'
import * as rounds from '#product/programme/reviews/round-store.ts'
import { type Planned, planRow } from './plan-row.ts'

/** The call for abstracts of an event, and how these are reviewed. Who submits and reviews is in no organization file. */
export const callSchema = closedObject({
  ...callFields,
  zone: v.nullish(callFields.zone, null),
  about: v.nullish(callFields.about, null),
})

export const reviewSchema = closedObject({
  ...roundFields,
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
  const topics = file.topics.map(name => ({ name }))
  return {
    ...file,
    event_id,
    sections: JSON.stringify(file.sections),
    topics: JSON.stringify(mergeChoices(was?.topics ?? [], topics)),
    kinds: JSON.stringify(mergeChoices(was?.kinds ?? [], file.kinds)),
  }
}

function roundRow(
  row: rounds.RoundRow | undefined,
  file: NonNullable<ProgrammeItems['review']>,
  event_id: string,
): RoundRow {
  const criteria = mergeChoices(row === undefined ? [] : presentRound(row).criteria, file.criteria)
  return { ...file, event_id, blind: Number(file.blind), criteria: JSON.stringify(criteria) }
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
export async function exportProgramme(tx: ReadTx, eventId: string): Promise<ExportedProgramme> {
  const { call, review } = await readProgramme(tx, eventId)
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
    kinds: offered(rest.kinds).map(({ name, minutes, poster }) => ({ name, minutes, poster })),
    ...{ file, max_file_mib },
  }
}

function exportReview(row: rounds.RoundRow): NonNullable<ExportedProgramme['review']> {
  const { blind, wanted, about, criteria } = presentRound(row)
  return {
    closes_at: toIso(row.closes_at),
    ...{ blind, wanted, about },
    criteria: offered(criteria).map(({ name, weight }) => ({ name, weight })),
  }
}
