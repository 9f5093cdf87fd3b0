import { Problem } from '#base/problem.ts'
import { type Listed, toListed } from '#base/resource.ts'
import { toIso } from '#base/time.ts'
import type { Page } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as store from './scan-case-store.ts'
import { get as getScan, type LoggedScan } from './scan-log.ts'

/**
 * Describes a case for somebody to look at, with the scans of one ticket at one door, however many they are. Instants are ISO
 * 8601.
 */
export interface ScanCase {
  id: string
  event_id: string
  outcome: store.CaseRow['outcome']
  /** Null if another server has brought the scans. */
  device_id: string | null
  door: string | null
  /** How many scans nobody has looked at yet. */
  scans: number
  first_scanned_at: string
  last_scanned_at: string
  /** The first of the scans. */
  scan: LoggedScan
}

/**
 * Lists the cases of an event, newest first. A case is as old as the first scan that opened it.
 *
 * @throws Problem not_found
 */
export async function list(
  tx: ReadTx,
  eventId: string,
  outcome: store.CaseRow['outcome'],
  page: Page,
): Promise<Listed<ScanCase>[]> {
  await events.get(tx, eventId)
  const rows = await store.listPage(tx, eventId, outcome, page)
  const cases = new Map<string, ScanCase>()
  for (const row of rows) cases.set(row.id, await present(tx, row))
  return [...toListed(rows, ({ id }) => cases.get(id) as ScanCase)]
}

/**
 * @param eventId the event that it must belong to
 * @throws Problem not_found, also once somebody has looked at all of it
 */
export async function get(tx: ReadTx, id: string, eventId: string): Promise<ScanCase> {
  const row = await store.find(tx, id)
  if (row === undefined || row.event_id !== eventId) throw new Problem('not_found', { subject: id })
  return present(tx, row)
}

/** Counts the cases that somebody has to look at, up to `most` of either kind. */
export async function count(
  tx: ReadTx,
  eventId: string,
  most: number,
): Promise<{ conflicts: number; held: number }> {
  return {
    conflicts: await store.countByEvent(tx, eventId, 'conflict', most),
    held: await store.countByEvent(tx, eventId, 'held', most),
  }
}

/**
 * Counts the cases of an account by event. Those of archived events do not count.
 *
 * @param eventIds the events that count; null for all
 * @param most the most cases to look at in all
 */
export async function countByEvent(
  tx: ReadTx,
  eventIds: readonly string[] | null,
  most: number,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { event_id: id } of await store.listEvents(tx, most)) {
    if (eventIds === null || eventIds.includes(id)) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

/** Lists the doors of an event that have cases, by their names. */
export async function listDoors(
  tx: ReadTx,
  eventId: string,
  outcome: store.CaseRow['outcome'],
): Promise<{ id: string; name: string }[]> {
  const rows = await store.listDoors(tx, eventId, outcome)
  const doors = rows.map(({ device_id: id, door: name }) => ({ id, name }))
  return doors.sort((one, other) => one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1))
}

async function present(tx: ReadTx, row: store.CaseRow): Promise<ScanCase> {
  const { id, event_id, outcome, device_id, door, scans } = row
  const ends = await store.findEnds(tx, id)
  if (ends === undefined) throw new Error(`The case ${id} has no scan.`)
  return {
    ...{ id, event_id, outcome, scans },
    device_id: device_id === '' ? null : device_id,
    door: door === '' ? null : door,
    first_scanned_at: toIso(ends.first),
    last_scanned_at: toIso(ends.last),
    scan: await getScan(tx, ends.id, event_id),
  }
}
