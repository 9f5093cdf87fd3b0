import { Problem } from '#base/problem.ts'
import { type EventTitles, findTitles, listTitles } from '#faces/dashboard/catalog/event-titles.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { choiceField, choicesField } from '#machinery/web/forms/field.ts'
import type { ValuesOf } from '#machinery/web/forms/form.ts'
import { roles } from '#product/administration/users/roles.ts'
import type { Part } from '#product/administration/users/schemas.ts'

/** The form offers this many of the newest events, and those that the member has already. */
const OFFERED = 100

export async function loadOffered(tx: ReadTx, had: readonly string[] = []): Promise<EventTitles> {
  const newest = await listTitles(tx, OFFERED)
  return new Map([...newest, ...(await findTitles(tx, had))])
}

/** Returns the fields for what a member may do, and for which events. */
export function partFields(offered: EventTitles) {
  const ids = [...offered.keys()]
  return {
    role: choiceField(
      roles,
      texts => roles.map(value => ({ value, label: texts.team.whatRolesMay[value] })),
      { label: texts => texts.team.role },
      'radios',
    ),
    extent: choiceField(
      ['all', 'some'],
      texts => (['all', 'some'] as const).map(value => ({ value, label: texts.team.extents[value] })),
      { label: texts => texts.team.extent },
      'radios',
    ),
    event_ids: choicesField(ids, () => ids.map(value => ({ value, label: offered.get(value) ?? '' })), {
      label: texts => texts.team.eventIds,
      help: texts => texts.team.eventIdsHelp,
    }),
  }
}

export type PartValues = ValuesOf<ReturnType<typeof partFields>>

export function valuesOfPart({ role, event_ids }: Part): PartValues {
  return { role, extent: event_ids === null ? 'all' : 'some', event_ids: event_ids ?? [] }
}

/** @throws Problem invalid_parameter for `event_ids` if no event is ticked, since nobody wants that */
export function partOf({ role, extent, event_ids }: PartValues): Part {
  if (extent === 'some' && event_ids.length === 0) {
    throw new Problem('invalid_parameter', { param: 'event_ids', details: { reason: 'no_event_ticked' } })
  }
  return { role, event_ids: extent === 'all' ? null : [...event_ids] }
}
