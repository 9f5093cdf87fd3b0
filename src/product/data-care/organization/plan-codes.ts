import { newUuid } from '#base/ids.ts'
import { MAX_CODES } from '#product/catalog/codes/rules.ts'
import { codeKey } from '#product/catalog/codes/schemas.ts'
import type { CodeRow } from '#product/catalog/codes/store.ts'
import { holdsPlaces } from '#product/guests/registrations/placement.ts'
import type { CurrentEvent } from './current.ts'
import { exchangedTickets } from './exchanged-tickets.ts'
import type { Completion } from './history.ts'
import { type AroundTypes, typeIdsOf } from './plan-questions.ts'
import { type Planned, planRow } from './plan-row.ts'
import type { OrganizationEvent, OrganizationRegistration } from './schema.ts'

type Row = Omit<CodeRow, 'created_at'>

export interface PlannedCodes {
  /** The codes of the file. */
  codes: Planned<Row>[]
  /** The ids of all codes that the event will have, by the form in which codes are compared. */
  codeIds: ReadonlyMap<string, string>
}

interface Coming {
  change: 'created' | 'updated' | 'kept'
  item: OrganizationRegistration
  completion: Pick<Completion, 'released' | 'was'> | undefined
}

/** Plans the codes of the file. Those that only the database has stay as they are. */
export function planCodes(
  current: Pick<CurrentEvent, 'codes'> | undefined,
  file: OrganizationEvent,
  registrations: readonly Coming[],
  around: AroundTypes,
): PlannedCodes {
  const { places, refusals } = around
  const existing = new Map(
    current?.codes.map(({ created_at: _, ...row }): [string, Row] => [row.code_key, row]),
  )
  const rows = new Map(existing)
  const codes = file.codes.map(code => {
    const was = existing.get(codeKey(code.code))
    const planned = planRow(was, codeRow(was, code, around))
    rows.set(planned.row.code_key, planned.row)
    return planned
  })
  if (rows.size > MAX_CODES) {
    refusals.add(`${places.path}.codes`, `are too many: an event has at most ${MAX_CODES}`)
  }
  const taken = countTaken(registrations, rows, around)
  for (const { code_key, code, max_tickets: most, used } of rows.values()) {
    const tickets = used + (taken.get(code_key) ?? 0)
    if (most === null || tickets <= most) continue
    const item = file.codes.find(each => codeKey(each.code) === code_key)
    const [path, verb] =
      item === undefined
        ? [`${places.path}.registrations`, 'are too many']
        : [`${places.of('codes', item)}.max_tickets`, 'is too small']
    refusals.add(path, `${verb}: "${code}" is good for ${most} tickets, and ${tickets} have it`)
  }
  return { codes, codeIds: new Map([...rows].map(([key, { id }]) => [key, id])) }
}

function codeRow(was: Row | undefined, item: OrganizationEvent['codes'][number], around: AroundTypes): Row {
  const { code, percent, amount, valid_from, valid_until, max_tickets, active, note } = item
  return {
    ...{ id: was?.id ?? newUuid(), event_id: around.eventId, code, code_key: codeKey(code), percent, amount },
    registration_type_ids: typeIdsOf(item.registration_types, around.places.of('codes', item), around),
    ...{ valid_from, valid_until, max_tickets, used: was?.used ?? 0, active: active ? 1 : 0, note },
  }
}

/**
 * Counts how many more tickets have each code, by the form in which codes are compared. It subtracts the tickets that the file
 * finds refunded.
 */
function countTaken(
  registrations: readonly Coming[],
  rows: ReadonlyMap<string, Row>,
  { places, uncertain, refusals }: AroundTypes,
): Map<string, number> {
  const taken = new Map<string, number>()
  const exchanged = exchangedTickets(registrations.map(({ item }) => item))
  for (const { change, item, completion } of registrations) {
    for (const [at, { code }] of item.attendees?.entries() ?? []) {
      if (code === null) continue
      const key = codeKey(code)
      const isNew = change === 'created'
      if (isNew && !rows.has(key) && !uncertain?.codes) {
        const path = `${places.of('registrations', item)}.attendees.${at}.code`
        refusals.add(path, `is "${code}", and the event has no such code`)
      }
      const isGood = holdsPlaces(item.status) && exchanged.get(item.reference)?.has(at) !== true
      const more = isNew && isGood ? 1 : 0
      const less = completion !== undefined && completion.released > 0 && !completion.was.voided.includes(at)
      taken.set(key, (taken.get(key) ?? 0) + more - (less ? 1 : 0))
    }
  }
  return taken
}
