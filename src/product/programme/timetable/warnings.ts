import { LocalDays, MINUTE } from '#base/time.ts'
import type { Verdict } from '#product/programme/versions/schemas.ts'
import { keysOf, People, type Person, presentersOf, toPerson } from './people.ts'
import type { Slot, TimedSession, Timetable } from './schemas.ts'

/** Nobody walks from one room to another in less, in milliseconds. */
const WALK = 10 * MINUTE
/** More warnings are not listed: whoever has so many begins with these. */
export const MOST_WARNINGS = 1_000

/** Where a warning stands: a session, or a slot of it. */
export interface Spot {
  session_id: string
  slot_id: string | null
}

/** What a programme is warned of. Nothing of it is forbidden. */
export type Warning = Spot &
  (
    | {
        /** Somebody is in two places at once, or has less than ten minutes from one room to another. */
        kind: 'person' | 'walk'
        who: string
        other: Spot
      }
    /** Two sessions are in one room at once. */
    | { kind: 'room'; room: string; other: Spot }
    /** The slots take so many minutes more than the session has. */
    | { kind: 'long'; minutes: number }
    | { kind: 'withdrawn' | 'not_accepted' | 'unconfirmed' }
    /** Nobody can present it on the day of its slot. */
    | { kind: 'unavailable'; date: string }
    /** A presenter has no ticket. */
    | { kind: 'unregistered'; who: string }
  )

export type WarningKind = Warning['kind']

/** What warnings are worked out from, beside the programme itself. */
export interface Known {
  /** The e-mails, in the form that is compared, of presenters who have no ticket for the event. */
  unregistered: ReadonlySet<string>
  /** What chairs have said of people who may be one. */
  verdicts: readonly Verdict[]
  /** In which the days of the event begin and end. */
  timezone: string
}

/** Returns whether a warning is about where and when something is. That somebody has no ticket yet moves nothing. */
export function isOfPlace({ kind }: Warning): boolean {
  return kind !== 'unregistered'
}

/**
 * Returns what is wrong with a programme, in the order of its sessions: at most `MOST_WARNINGS`. Those without a ticket come last:
 * before tickets are sold that is everybody, and would hide the rest.
 */
export function findWarnings(timetable: Timetable, known: Known): Warning[] {
  const days = new LocalDays(known.timezone)
  const warnings = [
    ...timetable.sessions.flatMap(session => [
      ...findLong(session),
      ...session.slots.flatMap(slot => findOfSlot(slot, known, days)),
    ]),
    ...findRooms(timetable),
    ...findPeople(timetable, new People(known.verdicts)),
  ]
  const order = new Map(timetable.sessions.map(({ id }, at) => [id, at]))
  const placeOf = (warning: Warning) =>
    (order.get(warning.session_id) ?? 0) + (isOfPlace(warning) ? 0 : order.size)
  return warnings.sort((one, other) => placeOf(one) - placeOf(other)).slice(0, MOST_WARNINGS)
}

/** Returns the e-mails of all who present something, in the form that is compared. */
export function listPresenters({ sessions }: Timetable): Set<string> {
  const slots = sessions.flatMap(each => each.slots)
  return new Set(
    slots.flatMap(({ abstract }) =>
      abstract === null ? [] : presentersOf(abstract).flatMap(({ email }) => email ?? []),
    ),
  )
}

function findLong({ id, starts_at, ends_at, slots }: TimedSession): Warning[] {
  const over = slots.reduce((sum, { minutes }) => sum + minutes, 0) - (ends_at - starts_at) / MINUTE
  return over > 0 ? [{ kind: 'long', session_id: id, slot_id: null, minutes: Math.ceil(over) }] : []
}

function findOfSlot(
  { id, session_id, abstract, from, to }: Slot,
  { unregistered }: Known,
  days: LocalDays,
): Warning[] {
  if (abstract === null) return []
  const spot = { session_id, slot_id: id }
  if (abstract.isWithdrawn) return [{ kind: 'withdrawn', ...spot }]
  if (abstract.status !== 'accepted') return [{ kind: 'not_accepted', ...spot }]
  const isOn = (date: string) => date >= days.of(from).date && date <= days.of(Math.max(from, to - 1)).date
  return [
    ...abstract.unavailable.filter(isOn).map(date => ({ kind: 'unavailable' as const, date, ...spot })),
    ...(abstract.isUnconfirmed ? [{ kind: 'unconfirmed' as const, ...spot }] : []),
    ...presentersOf(abstract).flatMap(({ name, email }) =>
      email !== null && unregistered.has(email)
        ? [{ kind: 'unregistered' as const, who: name, ...spot }]
        : [],
    ),
  ]
}

function findRooms({ rooms, sessions }: Timetable): Warning[] {
  const warnings: Warning[] = []
  for (const { id, name } of rooms) {
    const held = sessions.filter(({ room_id }) => room_id === id)
    for (const [one, other] of pairs(
      held,
      0,
      ({ starts_at }) => starts_at,
      ({ ends_at }) => ends_at,
    )) {
      const spot = { session_id: other.id, slot_id: null }
      warnings.push({ kind: 'room', room: name, ...spot, other: { session_id: one.id, slot_id: null } })
      if (warnings.length >= MOST_WARNINGS) return warnings
    }
  }
  return warnings
}

/** Yields the pairs of spans that overlap, or have less than `gap` between them. @param all by their beginning */
function* pairs<Of>(
  all: readonly Of[],
  gap: number,
  from: (each: Of) => number,
  to: (each: Of) => number,
): Generator<[Of, Of]> {
  for (const [at, one] of all.entries()) {
    for (let next = at + 1; next < all.length; next++) {
      const other = all[next] as Of
      if (from(other) >= to(one) + gap) break
      yield [one, other]
    }
  }
}

/** Somebody at a place for a time. */
interface Stay extends Spot {
  number: number
  person: Person
  room_id: string | null
  from: number
  to: number
}

function findPeople({ sessions }: Timetable, people: People): Warning[] {
  const buckets = new Map<string, Stay[]>()
  for (const stay of listStays(sessions)) {
    for (const key of keysOf(stay.person)) {
      const some = buckets.get(key)
      if (some === undefined) buckets.set(key, [stay])
      else some.push(stay)
    }
  }
  const seen = new Set<string>()
  const warnings: Warning[] = []
  for (const stays of buckets.values()) {
    if (stays.length === 1) continue
    stays.sort((one, other) => one.from - other.from || one.number - other.number)
    for (const [one, other] of pairs(
      stays,
      WALK,
      ({ from }) => from,
      ({ to }) => to,
    )) {
      const kind = clashOf(one, other, people)
      const pair = `${Math.min(one.number, other.number)} ${Math.max(one.number, other.number)}`
      if (kind === undefined || seen.has(pair)) continue
      seen.add(pair)
      const { session_id, slot_id, person } = other
      const spot = { session_id: one.session_id, slot_id: one.slot_id }
      warnings.push({ kind, who: person.name, session_id, slot_id, other: spot })
      if (warnings.length >= MOST_WARNINGS) return warnings
    }
  }
  return warnings
}

function clashOf(one: Stay, other: Stay, people: People): 'person' | 'walk' | undefined {
  if (one.session_id === other.session_id || !people.areOne(one.person, other.person)) return undefined
  if (other.from < one.to) return 'person'
  const isWalk = one.room_id !== null && other.room_id !== null && one.room_id !== other.room_id
  return isWalk ? 'walk' : undefined
}

/** Lists who has to be where: chairs through their sessions, and presenters in their slots. */
function listStays(sessions: readonly TimedSession[]): Stay[] {
  const stays: Omit<Stay, 'number'>[] = []
  for (const { id: session_id, room_id, starts_at: from, ends_at: to, chairs, slots } of sessions) {
    for (const chair of chairs)
      stays.push({ person: toPerson(chair), session_id, slot_id: null, room_id, from, to })
    for (const { id: slot_id, abstract, ...slot } of slots) {
      if (abstract === null || abstract.isWithdrawn) continue
      for (const person of presentersOf(abstract))
        stays.push({ person, session_id, slot_id, room_id, from: slot.from, to: slot.to })
    }
  }
  return stays.map((stay, number) => ({ ...stay, number }))
}
