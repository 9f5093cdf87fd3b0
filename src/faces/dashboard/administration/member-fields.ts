import type { ReadTx } from '../../db/port.ts'
import { Problem } from '../../problem.ts'
import { roles } from '../../users/roles.ts'
import type { Part } from '../../users/schemas.ts'
import { choiceField, choicesField } from '../../web/forms/field.ts'
import type { ValuesOf } from '../../web/forms/form.ts'
import { type EventTitles, findTitles, listTitles } from '../event-titles.ts'

/** Events to tick: the newest, and those that somebody has already. */
const OFFERED = 100

export async function loadOffered(
  tx: ReadTx,
  accountId: string,
  had: readonly string[] = [],
): Promise<EventTitles> {
  const newest = await listTitles(tx, accountId, OFFERED)
  return new Map([...newest, ...(await findTitles(tx, accountId, had))])
}

/** What somebody may do, and of which events. */
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

/** @throws Problem invalid_parameter for `event_ids` where none is ticked: nobody means that by it */
export function partOf({ role, extent, event_ids }: PartValues): Part {
  if (extent === 'some' && event_ids.length === 0) {
    throw new Problem('invalid_parameter', { param: 'event_ids', details: { reason: 'no_event_ticked' } })
  }
  return { role, event_ids: extent === 'all' ? null : [...event_ids] }
}
