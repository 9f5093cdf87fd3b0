import * as v from 'valibot'
import { says } from '#base/faults.ts'
import * as fields from '#base/fields.ts'
import { DAY } from '#base/time.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'
import type { RoomRow } from './room-store.ts'
import type { SessionRow } from './session-store.ts'

/** The most of each that an event has. */
export const MAX_ROOMS = 50
export const MAX_SESSIONS = 500
export const MAX_SLOTS = 2_000
/** The most chairs of a session. */
export const MAX_CHAIRS = 10
/** The longest that a slot takes, in minutes. With 0 it has all of its session, as a poster does. */
export const MAX_SLOT_MINUTES = 1_440
/** The longest that a session takes, in milliseconds. */
export const MAX_SESSION = 7 * DAY
export const MAX_ABOUT = 5_000

export const roomFields = { name: fields.name(100) }
export type NewRoom = { name: string }

/** A chair of a session as the row of the session has them. */
export const chairSchema = v.strictObject({ name: v.string(), email: v.nullable(fields.email) })
export type Chair = v.InferOutput<typeof chairSchema>

const newChair = fields.closedObject({ name: fields.name(), email: v.nullable(fields.email) })

export const sessionFields = {
  title: fields.name(200),
  /** It is null as long as the session has no room. */
  room_id: v.nullable(fields.uuid),
  starts_at: fields.instant,
  ends_at: fields.instant,
  chairs: v.pipe(
    v.array(newChair, says('array')),
    v.maxLength(MAX_CHAIRS, says('list', { min: 0, max: MAX_CHAIRS })),
  ),
  about: v.nullable(fields.text(MAX_ABOUT)),
}
export type NewSession = { [Name in keyof typeof sessionFields]: v.InferOutput<(typeof sessionFields)[Name]> }

export const slotFields = {
  minutes: fields.integer(0, MAX_SLOT_MINUTES),
  title: fields.name(200),
}

export interface Room {
  id: string
  name: string
}

/** A session with what it says of itself. Instants are in milliseconds. */
export interface Session extends Omit<NewSession, 'chairs'> {
  id: string
  event_id: string
  chairs: readonly Chair[]
}

/** An abstract as it stands in a slot. */
export interface PlacedAbstract
  extends Pick<Abstract, 'id' | 'code' | 'title' | 'status' | 'authors' | 'contact'> {
  isWithdrawn: boolean
  /** Its authors were asked to confirm, and have not. */
  isUnconfirmed: boolean
  /** The dates on which nobody can present it. */
  unavailable: readonly string[]
  topic_id: string | null
  /** The kind that counts for the programme. */
  kind_id: string | null
}

/** A part of a session: an abstract, or a text such as a welcome. */
export interface Slot {
  id: string
  session_id: string
  minutes: number
  /** When it begins and ends, in milliseconds. */
  from: number
  to: number
  abstract: PlacedAbstract | null
  /** It is null for an abstract. */
  title: string | null
}

export interface TimedSession extends Session {
  slots: readonly Slot[]
}

/** The programme as chairs build it: rooms in their order, and sessions by their beginning. */
export interface Timetable {
  rooms: readonly Room[]
  sessions: readonly TimedSession[]
}

/** What an abstract is placed by. */
export type PlannedAbstract = Pick<PlacedAbstract, 'id' | 'title' | 'status' | 'kind_id' | 'isWithdrawn'>

/** The programme without people. It takes half the time to read. */
export interface Plan {
  rooms: readonly Room[]
  sessions: readonly (Session & {
    slots: readonly (Omit<Slot, 'abstract'> & { abstract: PlannedAbstract | null })[]
  })[]
}

export function presentRoom({ id, name }: RoomRow): Room {
  return { id, name }
}

export function presentSession(row: SessionRow): Session {
  const { id, event_id, room_id, title, about, starts_at, ends_at } = row
  return {
    ...{ id, event_id, room_id, title, about, starts_at, ends_at },
    chairs: JSON.parse(row.chairs) as Chair[],
  }
}

/** Returns the kind by which an abstract stands in the programme. */
export function kindIdOf({
  kind_id,
  decided_kind_id,
}: {
  kind_id: string | null
  decided_kind_id: string | null
}): string | null {
  return decided_kind_id ?? kind_id
}
