import { Problem } from '#base/problem.ts'
import { type Clock, DAY, toIso } from '#base/time.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import { readProgress } from '#machinery/db/instance.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import type { CarriedLook } from '#product/catalog/looks/schemas.ts'
import { CHANGES_KEPT } from '#product/guests/attendees/door-changes.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import * as changes from './change-store.ts'
import { DoorFigures } from './figures.ts'
import { type Frame, readFrame } from './frame.ts'
import type { CallingDevice } from './rules.ts'
import * as store from './ticket-store.ts'
import { type DoorTicket, presentTicket, withEntries } from './tickets.ts'

/** One read takes this many registrations. Each has up to 100 tickets, and most have one or two. */
const REGISTRATIONS_A_READ = 200
/** A copy reports at most this many doubles, because a device that comes back to a list may have missed them. */
const MOST_CONFLICTS = 500
/** A copy names at most this many other events, also those that were over for so long, in milliseconds. */
const MOST_OTHERS = 200
const OTHERS_KEPT = 30 * DAY
/** One answer has at most this many changed tickets, except that those of one write stay together. */
const CHANGES_AN_ANSWER = 1_000

/**
 * Returns the list of a device's event as JSON, in pieces that are each read separately. Its cursor comes from before the first
 * piece, so that no change made meanwhile is missed. It names the account's other events with their keys, so that a ticket of one
 * of them is told from a forged one, and it has the logo in itself, which a phone without network shows too. Who is inside was
 * counted while the list was read: a device counts on by the changes, which bring no figures, as hundreds of devices ask for them
 * each second.
 */
export async function* copyOf(reader: Reader, device: CallingDevice, clock: Clock): AsyncGenerator<string> {
  const { account_id: accountId, event_id: eventId } = device
  const head = await reader.read(accountId, async tx => ({
    ...(await readFrame(tx, device, await readProgress(tx), clock())),
    other_events: await attendees.listTicketKeysOfOthers(tx, eventId, {
      from: clock() - OTHERS_KEPT,
      most: MOST_OTHERS,
    }),
    logo: presentLogo((await looks.carry(tx, eventId)).logo),
    notices: (await changes.listConflicts(tx, eventId, MOST_CONFLICTS))
      .filter(row => row.device_id === device.id || row.holder_id === device.id)
      .map(presentNotice),
  }))
  const figures = new DoorFigures(head, device.id, clock())
  yield `${JSON.stringify(head).slice(0, -1)},"tickets":[`
  let separator = ''
  const batches = inBatches(reader, accountId, REGISTRATIONS_A_READ, (tx, last: Position | undefined, size) =>
    store.listRegistrations(tx, eventId, last, size),
  )
  for await (const registrations of batches) {
    const [from] = registrations
    const to = registrations.at(-1)
    if (from === undefined || to === undefined) continue
    const rows = await reader.read(accountId, async tx =>
      withEntries(tx, await store.listBetween(tx, eventId, from, to)),
    )
    for (const row of rows) figures.add(row)
    const text = rows.map(row => JSON.stringify(presentTicket(row, device, device.search))).join()
    if (text === '') continue
    yield separator + text
    separator = ','
  }
  yield `],"figures":${JSON.stringify(figures.counted)}}`
}

function presentLogo(logo: CarriedLook['logo']): { png: string; width: number; height: number } | null {
  return logo && { png: logo.file.toString('base64'), width: logo.width, height: logo.height }
}

export interface Changes extends Frame {
  tickets: DoorTicket[]
  more: boolean
  notices: Notice[]
}

/** Says what a device hears about a scan. */
export interface Notice {
  scan_id: string
  outcome: string
  reason: string | null
  /** The id of the ticket. */
  ticket: string | null
  at: string
  door: string
  /** The admission that holds the check-in. */
  first: { at: string; door: string | null } | null
}

/**
 * Returns what has changed since a copy or since the last changes.
 *
 * @param cursor the cursor of one of them
 * @throws Problem copy_again if that is too long ago, or if the database is an older one
 */
export async function changesOf(
  tx: ReadTx,
  device: CallingDevice,
  cursor: number,
  now: number,
): Promise<Changes> {
  const { event_id: eventId } = device
  const progress = await readProgress(tx)
  const oldest = await changes.findOldest(tx, eventId)
  // Changes that were deleted while the clock was ahead stay deleted after it is set back.
  const latest = Math.max(now, progress.latest_write_at)
  const isForgotten =
    oldest !== undefined && oldest.created_at < latest - CHANGES_KEPT && cursor < oldest.number
  if (cursor > progress.write_number || isForgotten) throw new Problem('copy_again')
  const { ids, until, more } = await changedSince(tx, eventId, cursor, progress.write_number)
  if (ids.has('')) throw new Problem('copy_again')
  const rows = await withEntries(tx, await store.listByIds(tx, eventId, [...ids]))
  const notices = await changes.listNotices(tx, eventId, device.id, cursor, until)
  return {
    ...(await readFrame(tx, device, { ...progress, write_number: until }, now)),
    tickets: rows.map(row => presentTicket(row, device, device.search)),
    more,
    notices: notices.map(presentNotice),
  }
}

async function changedSince(
  tx: ReadTx,
  eventId: string,
  cursor: number,
  latest: number,
): Promise<{ ids: Set<string>; until: number; more: boolean }> {
  const found = await changes.listAfter(tx, eventId, cursor, CHANGES_AN_ANSWER + 1)
  const beyond = found[CHANGES_AN_ANSWER]?.number
  if (beyond === undefined) return { ids: idsOf(found), until: latest, more: false }
  const complete = found.filter(({ number }) => number < beyond)
  const until = complete.at(-1)?.number
  if (until !== undefined) return { ids: idsOf(complete), until, more: true }
  return { ids: idsOf(await changes.listOf(tx, eventId, beyond)), until: beyond, more: true }
}

function idsOf(rows: readonly { attendee_id: string }[]): Set<string> {
  return new Set(rows.map(({ attendee_id }) => attendee_id))
}

function presentNotice(row: changes.NoticeRow): Notice {
  const { id, outcome, reason, attendee_id, scanned_at, door, checked_in_at, holder } = row
  return {
    scan_id: id,
    outcome,
    reason,
    ticket: attendee_id,
    at: toIso(scanned_at),
    door,
    first: checked_in_at === null ? null : { at: toIso(checked_in_at), door: holder },
  }
}
