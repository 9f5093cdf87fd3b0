import { newUuid } from '#base/ids.ts'
import { AT_WRITE } from '#machinery/db/port.ts'
import type { Frozen } from '#product/programme/versions/schemas.ts'
import type { PlannedTimetable } from './plan-timetable.ts'
import type { OrganizationProgramme, OrganizationVersion } from './timetable-items.ts'

/** This file makes rows of the programme of an event. */

/** The tables, each after those that it refers to. */
export const TIMETABLE_TABLES = [
  'rooms',
  'programme_sessions',
  'slots',
  'programme_versions',
  'programmes',
] as const

type TimetableRows = Record<(typeof TIMETABLE_TABLES)[number], object[]>

/** Gives ids to things by the numbers by which versions refer to them. */
class Places {
  readonly #ids: Map<number, string>

  /** @param ids of what the programme has */
  constructor(ids: readonly string[]) {
    this.#ids = new Map(ids.map((id, at) => [at + 1, id]))
  }

  /** What was taken out since has an id too, as another version may know it. */
  of(number: number): string {
    const known = this.#ids.get(number)
    if (known !== undefined) return known
    const id = newUuid()
    this.#ids.set(number, id)
    return id
  }
}

/** Adds the rows of a new programme. */
export function addTimetableRows(
  rows: TimetableRows,
  { change, item, abstractIds }: PlannedTimetable,
  of: { account_id: string; event_id: string; updated_at: number },
): void {
  if (change !== 'created') return
  const made = { ...of, created_at: AT_WRITE }
  const roomIds = item.rooms.map(() => newUuid())
  const roomOf = new Map(item.rooms.map((name, at) => [name, roomIds[at] as string]))
  for (const [position, name] of item.rooms.entries())
    rows.rooms.push({ id: roomIds[position], name, position, ...made })
  const slotIds: string[] = []
  const sessionIds = item.sessions.map(session => {
    const id = newUuid()
    const { title, about, starts_at, ends_at, chairs, room } = session
    const room_id = room === null ? null : (roomOf.get(room) as string)
    const row = { id, room_id, title, about, starts_at, ends_at, chairs: JSON.stringify(chairs) }
    rows.programme_sessions.push({ ...row, ...made })
    for (const [position, { minutes, abstract, title }] of session.slots.entries()) {
      const slot = { id: newUuid(), session_id: id, position, minutes, title }
      const abstract_id = abstract === null ? null : (abstractIds.get(abstract) as string)
      slotIds.push(slot.id)
      rows.slots.push({ ...slot, abstract_id, ...made })
    }
    return id
  })
  const places = {
    rooms: new Places(roomIds),
    sessions: new Places(sessionIds),
    slots: new Places(slotIds),
  }
  for (const [index, version] of item.versions.entries()) {
    const content = JSON.stringify(frozenOf(version, places, abstractIds))
    const { published_by, created_at } = version
    rows.programme_versions.push({ ...of, number: index + 1, content, published_by, created_at })
  }
  if (isStated(item)) {
    const { texts_from, published, people } = item
    rows.programmes.push({ ...made, texts_from, published, verdicts: JSON.stringify(people) })
  }
}

function isStated({ texts_from, published, people }: OrganizationProgramme): boolean {
  return texts_from !== null || published !== null || people.length > 0
}

/** The order of its fields is that of publishing: two versions are the same if their JSON is. */
function frozenOf(
  { sessions, numbers }: OrganizationVersion,
  places: Record<'rooms' | 'sessions' | 'slots', Places>,
  abstractIds: ReadonlyMap<string, string>,
): Frozen {
  const idOf = (code: string) => abstractIds.get(code) as string
  return {
    sessions: sessions.map(({ session, room, starts_at: from, ends_at: to, slots }) => ({
      id: places.sessions.of(session),
      room_id: room === null ? null : places.rooms.of(room),
      ...{ from, to },
      slots: slots.map(({ slot, starts_at, ends_at, abstract }) => ({
        ...{ id: places.slots.of(slot), from: starts_at, to: ends_at },
        abstract_id: abstract === null ? null : idOf(abstract),
      })),
    })),
    numbers: Object.fromEntries(numbers.map(({ abstract, number }) => [idOf(abstract), number])),
  }
}
