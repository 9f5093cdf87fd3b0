/** What the server and the page say to each other, below `/door/`. Instants are ISO 8601 with milliseconds. */

import type { TicketState } from '../../checkins/validity.ts'

/** A ticket of the copy. Names are missing where the door may not search. */
export type TicketRow = [
  id: string,
  type: string,
  state: TicketState,
  name: string | null,
  seat: string | null,
  owes: boolean,
  usedAt: string | null,
  usedBy: string | null,
]

export interface TypeRow {
  id: string
  name: string
  valid_from: string | null
  valid_until: string | null
  admitted_here: boolean
}

export interface KeyRow {
  /** 4 bytes in hex. */
  id: string
  /** Base64url. */
  public_key: string
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
  /** Whether the copy has names, and a ticket may be admitted by its name. */
  search: boolean
  /** Whether a ticket that verifies and is not in the copy is admitted without the server. */
  unlisted: boolean
  /** As told when it was paired. */
  event_id?: string
  /** What it admits, as told when it was paired; null: every type. */
  registration_type_ids?: string[] | null
}

export interface Paired {
  token: string
  device: DeviceRow
  epoch: string
  now: string
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
  /** As of changes: all that stands. */
  notices?: Notice[]
}

export interface ChangesAnswer extends CopyAnswer {
  more: boolean
  notices: Notice[]
}

/** A scan whose outcome has changed, or one of another door that is a conflict with one of ours. */
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

export type Outcome = 'admitted' | 'refused' | 'conflict' | 'undone' | 'held' | 'invalid'
export type Shown = 'admitted' | 'refused'

/** The check-in that stands. */
export interface First {
  at: string
  door: string | null
}

export interface ScanItem {
  scan_id: string
  kind: 'scan' | 'undo'
  /** Of an undo: the scan that it takes back. */
  of?: string
  code?: string
  ticket?: string
  at: string
  /** Milliseconds to add to `at`. */
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
}

export interface ScansAnswer {
  epoch: string
  now: string
  results: ScanResult[]
}

/** Scans of one request, at the most. */
export const MAX_BATCH = 500
