import * as v from 'valibot'
import { MAX_CODE_LENGTH } from '../attendees/ticket-code.ts'
import { closedObject, label, text, uuid } from '../fields.ts'
import { parseInstant, toIsoOrNull } from '../time.ts'
import type { DeviceRow } from './store.ts'

/** The name of a door. */
export const deviceName = label(60)

export const newDeviceSchema = v.object({
  event_id: uuid,
  name: deviceName,
  /** Whom it admits; null for all. */
  registration_type_ids: v.nullable(v.array(uuid)),
  /** Whether it has the names of guests, and admits by them. */
  search: v.boolean(),
  /** Whether it admits without a network whose code is good, and who is not in its copy yet. */
  unlisted: v.boolean(),
})

export type NewDevice = v.InferOutput<typeof newDeviceSchema>

/** A device as the organizer sees it. */
export interface Device extends NewDevice {
  id: string
  /** ISO 8601, as all of these; null where it was never paired. */
  paired_at: string | null
  /** Within a minute. */
  last_seen_at: string | null
  /** Scans that are on the phone alone, as it said last. */
  waiting: number
  revoked_at: string | null
  /** Until when it can be paired by the secret that was made last; null where that was used. */
  pairing_expires_at: string | null
  created_at: string
}

export function presentDevice(row: DeviceRow): Device {
  return {
    id: row.id,
    event_id: row.event_id,
    name: row.name,
    registration_type_ids: typeIdsOf(row),
    search: row.search === 1,
    unlisted: row.unlisted === 1,
    paired_at: toIsoOrNull(row.paired_at),
    last_seen_at: toIsoOrNull(row.last_seen_at),
    waiting: row.waiting,
    revoked_at: toIsoOrNull(row.revoked_at),
    pairing_expires_at: toIsoOrNull(row.pairing_expires_at),
    created_at: toIsoOrNull(row.created_at) as string,
  }
}

export function typeIdsOf({
  registration_type_ids: ids,
}: Pick<DeviceRow, 'registration_type_ids'>): string[] | null {
  return ids === null ? null : (JSON.parse(ids) as string[])
}

/** The body of POST /door/pair. */
export const pairSchema = closedObject({ secret: text(100, 1) })

/** The most of one request. */
export const MAX_SCANS = 500
/** Scans that a phone may have kept: what it says is for people to read. */
const MAX_WAITING = 1_000_000
/** Milliseconds that a clock may be wrong by: more than the life of any phone. */
const MAX_OFFSET = 100 * 365 * 86_400_000

/** The body of POST /door/scans; each of the scans is looked at for itself. */
export const scansSchema = closedObject({
  waiting: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_WAITING)),
  scans: v.array(v.unknown()),
})

/** That a scanner gives its scans. */
const scanId = v.pipe(v.string(), v.maxLength(100), v.regex(/^[.:-]*\w[\w.:-]*$/))

const inInstant = v.pipe(v.string(), v.maxLength(40), v.transform(parseInstant), v.number())

const common = {
  scan_id: scanId,
  at: inInstant,
  offset: v.pipe(v.number(), v.integer(), v.minValue(-MAX_OFFSET), v.maxValue(MAX_OFFSET)),
  reason: v.optional(v.nullable(label(200)), null),
}

/** A scan as a scanner sends it: of a code, or of a ticket that was picked from the list. */
export const sentScanSchema = v.pipe(
  v.object({
    ...common,
    kind: v.literal('scan'),
    of: v.optional(v.null(), null),
    code: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(MAX_CODE_LENGTH))), null),
    ticket: v.optional(v.nullable(uuid), null),
    shown: v.optional(v.nullable(v.picklist(['admitted', 'refused'])), null),
  }),
  v.check(({ code, ticket }) => (code === null) !== (ticket === null)),
)

/** What takes a scan back. */
export const sentUndoSchema = v.object({ ...common, kind: v.literal('undo'), of: scanId })

export type SentScan = v.InferOutput<typeof sentScanSchema>
export type SentUndo = v.InferOutput<typeof sentUndoSchema>
