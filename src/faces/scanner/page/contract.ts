/** The server and the page exchange these messages below `/door/`. Instants are in ISO 8601 with milliseconds. */

import type { TicketState } from '#product/entrance/check-ins/validity.ts'

/** The copy has such a row for each ticket. The row has no name if the door may not search. */
export type TicketRow = [
  id: string,
  type: string,
  state: TicketState,
  name: string | null,
  seat: string | null,
  owes: boolean,
  usedAt: string | null,
  usedBy: string | null,
  /** The last entry, if the type allows more than one. */
  slot?: SlotRow | null,
  /** The order, or an imported ticket, if that has extras: all that have the same one belong together. */
  order?: string,
]

/** The last entry of a ticket. */
export type SlotRow = [
  /** `2026-11-27`, or `-` where days do not count. */
  day: string,
  /** The exits of that day. */
  exits: number,
  isInside: boolean,
  enteredAt: string,
  /** The last exit of that day. */
  leftAt: string | null,
  enteredBy: string | null,
]

export interface TypeRow {
  id: string
  name: string
  valid_from: string | null
  valid_until: string | null
  admitted_here: boolean
  /** It is handed out beside a ticket, and admits nobody to the event. */
  extra?: true
  /** How often a ticket admits, and whether again after an exit. A list from before may not say it. */
  entries?: 'once' | 'each_day'
  reentry?: boolean
}

export interface KeyRow {
  /** The id is 4 bytes in hex. */
  id: string
  /** In Base64url. */
  public_key: string
}

/** The key of another event of the organization. */
export interface OtherEventRow extends KeyRow {
  title: string
}

export interface EventRow {
  id: string
  title: string
  timezone: string
  starts_at: string | null
  ends_at: string | null
}

export interface DeviceRow {
  id: string
  name: string
  /** Whether the copy has names, and the door may admit a ticket by its name. */
  search: boolean
  /** Whether the door admits a valid ticket that is not in the copy without asking the server. */
  unlisted: boolean
  /** Whether guests come in here, or leave. */
  way?: 'in' | 'out'
  /** The server sends it when the phone is paired. */
  event_id?: string
  /** The door admits these types, or every ticket if it is null. The server sends it when the phone is paired. */
  registration_type_ids?: string[] | null
}

export interface Paired {
  token: string
  device: DeviceRow
  epoch: string
  now: string
}

/** The logo of the organizer, a PNG in Base64. The width and height are in pixels. */
export interface LogoRow {
  png: string
  width: number
  height: number
}

export interface CopyAnswer {
  epoch: string
  cursor: string
  now: string
  event: EventRow
  device?: DeviceRow
  keys: KeyRow[]
  types: TypeRow[]
  tickets: TicketRow[]
  /** Who is in, as the list was read. Only a whole copy has it, and the page counts by itself. */
  figures?: { inside: number; expected: number; here: number }
  /** Only a whole copy has them. A list from before may have no logo. */
  other_events?: OtherEventRow[]
  logo?: LogoRow | null
  /** All notices that still stand, in the form that changes have. */
  notices?: Notice[]
}

export interface ChangesAnswer extends CopyAnswer {
  more: boolean
  notices: Notice[]
}

/** A notice is about a scan whose outcome has changed, or about a scan of another door that conflicts with one of this door. */
export interface Notice {
  scan_id: string
  outcome: Outcome
  reason?: string | null
  /** The id of the ticket. */
  ticket?: string | null
  at?: string | null
  door?: string | null
  first?: First | null
}

export type Outcome = 'admitted' | 'refused' | 'conflict' | 'undone' | 'held' | 'invalid' | 'left'
export type Shown = 'admitted' | 'refused'

/** This is the check-in that counts. */
export interface First {
  at: string
  door: string | null
}

export interface ScanItem {
  scan_id: string
  kind: 'scan' | 'undo' | 'exit'
  /** An undo takes back the scan with this id. */
  of?: string
  code?: string
  ticket?: string
  at: string
  /** The milliseconds to add to `at`. */
  offset: number
  shown: Shown | null
  reason: string | null
}

export interface ScanResult {
  scan_id: string
  outcome: Outcome
  reason: string | null
  check_in_id: string | null
  first: First | null
  ticket?: TicketRow | null
  /** What its order has beside tickets, and was not handed out yet. */
  extras?: readonly (readonly [name: string, count: number])[]
}

export interface ScansAnswer {
  epoch: string
  now: string
  results: ScanResult[]
}

/** One request has at most this many scans. */
export const MAX_BATCH = 500
