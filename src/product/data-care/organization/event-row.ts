import { newUuid } from '#base/ids.ts'
import type { StoredAccount } from '#product/administration/accounts/store.ts'
import { writeLayout } from '#product/catalog/events/badge-layout.ts'
import { pageDefaults, pageFields } from '#product/catalog/events/schemas.ts'
import type { EventRow } from '#product/catalog/events/store.ts'
import type { OrganizationEvent } from './schema.ts'
import { type PlannedSeries, seriesIdOf } from './series-items.ts'

/**
 * Returns the row of an event as the file has it.
 *
 * @param series those that its field may name
 * @param now milliseconds
 */
export function eventRow(
  current: EventRow | undefined,
  file: OrganizationEvent,
  account: StoredAccount,
  series: readonly PlannedSeries[],
  now: number,
): EventRow {
  return {
    id: current?.id ?? newUuid(),
    account_id: account.id,
    slug: file.slug,
    title: file.title,
    starts_at: file.starts_at,
    ends_at: file.ends_at,
    timezone: file.timezone ?? account.timezone,
    venue: file.venue,
    city: file.city,
    currency: file.currency ?? account.currency,
    status: file.status,
    visibility: file.visibility,
    requires_approval: file.requires_approval ? 1 : 0,
    description: file.description === undefined ? (current?.description ?? null) : file.description,
    ...pageOf(current, bringsAbstracts(file) ? { ...file, takes_abstracts: true } : file),
    archived_at: file.archived_at === undefined ? (current?.archived_at ?? null) : file.archived_at,
    series_id: seriesIdOf(current?.series_id, file.series, series),
    created_at: current?.created_at ?? now,
  }
}

/** An event whose abstracts come with the file shows them, unless the file says otherwise. */
function bringsAbstracts({ takes_abstracts, abstracts }: OrganizationEvent): boolean {
  return takes_abstracts === undefined && abstracts.length > 0
}

/** Returns the fields of the event page. What the file leaves out stays as it is. */
function pageOf(
  current: EventRow | undefined,
  file: OrganizationEvent,
): Pick<EventRow, keyof typeof pageFields> {
  const was = current ?? pageDefaults
  const names = Object.keys(pageFields) as (keyof typeof pageFields)[]
  const values = names.map(name => {
    const value = file[name] === undefined ? was[name] : file[name]
    if (typeof value === 'object') return [name, writeLayout(value)]
    return [name, typeof value === 'boolean' ? Number(value) : value]
  })
  return Object.fromEntries(values)
}
