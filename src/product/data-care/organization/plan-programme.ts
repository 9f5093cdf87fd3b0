import type { QuestionRow } from '#product/guests/questions/store.ts'
import type { CurrentEvent } from './current.ts'
import type { Places } from './places.ts'
import type { PlannedCodes } from './plan-codes.ts'
import { type PlannedItem, planItem } from './plan-item.ts'
import { type PlannedPeople, planPeople } from './plan-people.ts'
import type { Planned } from './plan-row.ts'
import { type PlannedTimetable, planTimetable } from './plan-timetable.ts'
import { choicesOf, type PlannedProgramme, planProgramme } from './programme-items.ts'
import type { Refusals } from './refusals.ts'
import type { OrganizationAbstract, OrganizationEvent } from './schema.ts'
import type { Uncertain } from './uncertain.ts'

interface Around {
  places: Places
  uncertain: Uncertain | undefined
  refusals: Refusals
}

/** Plans the call, the review, all that people have made for them, and the programme. */
export function planAllOfProgramme(
  current: CurrentEvent | undefined,
  file: OrganizationEvent,
  eventId: string,
  {
    questions,
    codeIds: codes,
  }: Pick<PlannedCodes, 'codeIds'> & { questions: readonly Planned<QuestionRow>[] },
  { places, uncertain, refusals }: Around,
): PlannedProgramme & PlannedPeople & { programme: PlannedTimetable | undefined } {
  const planned = planProgramme(current, file, eventId)
  const asked = [...questions.map(({ row }) => row), ...(current?.questions ?? [])]
  const choices = { ...choicesOf(planned, current, asked), codes }
  if (uncertain?.programme)
    return { ...planned, reviewers: [], abstracts: [], submitters: [], choices, programme: undefined }
  const abstracts = file.abstracts.map(item => planItem(item, current?.abstracts.get(item.code)))
  const around = {
    current: current?.people,
    programme: current,
    planned,
    choices,
    abstracts,
    places,
    refusals,
  }
  const abstractIds = idsOf(current, abstracts)
  const programme =
    file.programme &&
    planTimetable(file.programme, { current: current?.programme, abstractIds, places, refusals })
  return { ...planned, ...planPeople(file, around), programme }
}

/** Returns the ids of the abstracts that the event will have, by code. */
function idsOf(
  current: CurrentEvent | undefined,
  planned: readonly PlannedItem<OrganizationAbstract>[],
): Map<string, string> {
  const known = (current?.people.abstracts ?? []).map(({ code, id }) => [code, id] as const)
  return new Map([...known, ...planned.map(({ item, id }) => [item.code, id] as const)])
}
