import { pageDefaults, pageFields } from '../events/schemas.ts'
import type { EventRow } from '../events/store.ts'
import type { OrganizationEvent } from './schema.ts'

/** What the file leaves out stays as it is. */
export function pageOf(
  current: EventRow | undefined,
  file: OrganizationEvent,
): Pick<EventRow, keyof typeof pageFields> {
  const { withdrawal_excluded: excluded, ...defaults } = pageDefaults
  const was = current ?? { ...defaults, withdrawal_excluded: excluded ? 1 : 0 }
  const names = Object.keys(pageFields) as (keyof typeof pageFields)[]
  const values = names.map(name => {
    const value = file[name] === undefined ? was[name] : file[name]
    return [name, typeof value === 'boolean' ? Number(value) : value]
  })
  return Object.fromEntries(values)
}
