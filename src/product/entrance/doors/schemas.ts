import * as v from 'valibot'
import { closedObject, label, text, uuid } from '#base/fields.ts'
import { parseInstant, toIsoOrNull } from '#base/time.ts'
import { MAX_CODE_LENGTH } from '#product/guests/attendees/ticket-code.ts'
import type { DeviceRow } from './store.ts'

/** Lists the ways through a door. */
export const ways = ['in', 'out'] as const

/** Checks the name of a door. */
export const deviceName = label(60)

export const newDeviceSchema = v.object({
  event_id: uuid,
  name: deviceName,
  /** The types that it admits. Null means all. */
  registration_type_ids: v.nullable(v.array(uuid)),
  /** Whether it has the names of guests and admits by them. */
  search: v.boolean(),
  /** Whether, without a network, it admits a guest whose code is valid but who is not in its copy yet. */
  unlisted: v.boolean(),
  /** Whether guests come in there, or leave. Left out, they come in. */
  way: v.optional(v.picklist(ways)),
})

export type NewDevice = v.InferOutput<typeof newDeviceSchema>

/** Describes a device as the organizer sees it. */
export interface Device extends NewDevice {
  id: string
  way: (typeof ways)[number]
  /** ISO 8601, like all instants here. It is null if the device was never paired. */
  paired_at: string | null
  /** Accurate to a minute. */
  last_seen_at: string | null
  /** How many scans are only on the phone, as it last said. */
  waiting: number
  revoked_at: string | null
  /** Until when the secret that was made last can pair it. It is null if that was used. */
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
    way: row.way,
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

/** Describes the body of POST /door/pair. */
export const pairSchema = closedObject({ secret: text(100, 1) })

/** One request has at most this many scans. */
export const MAX_SCANS = 500
/** A phone may say that it has kept at most this many scans. The number is only for people to read. */
const MAX_WAITING = 1_000_000
/** A clock may be wrong by this many milliseconds, which is more than the life of any phone. */
const MAX_OFFSET = 100 * 365 * 86_400_000

/** Describes the body of POST /door/scans. Each of the scans is checked separately. */
export const scansSchema = closedObject({
  waiting: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_WAITING)),
  scans: v.array(v.unknown()),
})

/** Checks the id that a scanner gives a scan. */
const scanId = v.pipe(v.string(), v.maxLength(100), v.regex(/^[.:-]*\w[\w.:-]*$/))

const inInstant = v.pipe(v.string(), v.maxLength(40), v.transform(parseInstant), v.number())

const common = {
  scan_id: scanId,
  at: inInstant,
  offset: v.pipe(v.number(), v.integer(), v.minValue(-MAX_OFFSET), v.maxValue(MAX_OFFSET)),
  reason: v.optional(v.nullable(label(200)), null),
}

const ofTicket = {
  of: v.optional(v.null(), null),
  code: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(MAX_CODE_LENGTH))), null),
  ticket: v.optional(v.nullable(uuid), null),
}

/** Describes a scan as a scanner sends it, either of a code or of a ticket that was picked from the list. */
export const sentScanSchema = v.pipe(
  v.object({
    ...common,
    ...ofTicket,
    kind: v.literal('scan'),
    shown: v.optional(v.nullable(v.picklist(['admitted', 'refused'])), null),
  }),
  v.check(({ code, ticket }) => (code === null) !== (ticket === null)),
)

/** Describes the scan of a guest who leaves. */
export const sentExitSchema = v.pipe(
  v.object({ ...common, ...ofTicket, kind: v.literal('exit') }),
  v.check(({ code, ticket }) => (code === null) !== (ticket === null)),
)

/** Describes the item that takes a scan back. */
export const sentUndoSchema = v.object({ ...common, kind: v.literal('undo'), of: scanId })

export type SentScan = v.InferOutput<typeof sentScanSchema>
export type SentExit = v.InferOutput<typeof sentExitSchema>
export type SentUndo = v.InferOutput<typeof sentUndoSchema>
