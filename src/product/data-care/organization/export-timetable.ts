import type { Batches } from '#base/json-text.ts'
import { toIso, toIsoOrNull } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as rooms from '#product/programme/timetable/rooms.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import * as versions from '#product/programme/versions/rules.ts'
import type { Frozen } from '#product/programme/versions/schemas.ts'
import { given } from './export-lists.ts'
import { readPages } from './pages.ts'
import * as store from './timetable-store.ts'

/** One read lists this many codes. */
const READ = 500

/** Gives things the numbers by which a version refers to them. What the programme has is counted first. */
class Counted {
  readonly #numbers: Map<string, number>

  constructor(ids: readonly string[]) {
    this.#numbers = new Map(ids.map((id, at) => [id, at + 1]))
  }

  of(id: string): number {
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    this.#numbers.set(id, this.#numbers.size + 1)
    return this.#numbers.size
  }
}

/** Exports the programme of an event with its versions. @returns undefined if it has none */
export async function exportTimetable(tx: ReadTx, eventId: string) {
  if (!(await store.hasProgramme(tx, eventId))) return undefined
  const state = await versions.getState(tx, eventId)
  const people = await versions.listVerdicts(tx, eventId)
  const held = await rooms.list(tx, eventId)
  const listed = await sessions.list(tx, eventId)
  const slots = Map.groupBy(await store.listSlots(tx, eventId), ({ session_id }) => session_id)
  const nameOf = new Map(held.map(({ id, name }) => [id, name]))
  const counted = {
    rooms: new Counted(held.map(({ id }) => id)),
    sessions: new Counted(listed.map(({ id }) => id)),
    slots: new Counted(listed.flatMap(({ id }) => (slots.get(id) ?? []).map(slot => slot.id))),
  }
  return {
    ...given({ texts_from: toIsoOrNull(state.texts_from) }),
    ...given({ published: state.published }),
    ...(people.length > 0 ? { people } : {}),
    rooms: held.map(({ name }) => name),
    sessions: listed.map(({ id, title, room_id, starts_at, ends_at, about, chairs }) => ({
      title,
      ...given({ room: room_id === null ? null : (nameOf.get(room_id) ?? null) }),
      ...{ starts_at: toIso(starts_at), ends_at: toIso(ends_at), ...given({ about }) },
      chairs: chairs.map(chair => ({ name: chair.name, ...given({ email: chair.email }) })),
      slots: (slots.get(id) ?? []).map(slot => ({
        minutes: slot.minutes,
        ...given({ abstract: slot.code, title: slot.title }),
      })),
    })),
    versions: exportVersions(tx, eventId, counted),
  }
}

/** Reads a version at a time: each may have hundreds of kilobytes. */
async function* exportVersions(
  tx: ReadTx,
  eventId: string,
  counted: Record<'rooms' | 'sessions' | 'slots', Counted>,
): Batches<object> {
  let row = await store.findVersion(tx, eventId, 0)
  const codes = new Map<string, string>()
  if (row !== undefined)
    for await (const some of readPages(page => store.listCodes(tx, eventId, page), READ))
      for (const { id, code } of some) codes.set(id, code)
  const codeOf = (id: string | null) => (id === null ? null : (codes.get(id) ?? null))
  for (; row !== undefined; row = await store.findVersion(tx, eventId, row.number)) {
    const { content, published_by, created_at } = row
    const frozen = JSON.parse(content) as Frozen
    yield [
      {
        ...{ created_at: toIso(created_at), published_by },
        sessions: frozen.sessions.map(({ id, room_id, from, to, slots }) => ({
          session: counted.sessions.of(id),
          ...given({ room: room_id === null ? null : counted.rooms.of(room_id) }),
          ...{ starts_at: toIso(from), ends_at: toIso(to) },
          slots: slots.map(slot => ({
            slot: counted.slots.of(slot.id),
            ...{ starts_at: toIso(slot.from), ends_at: toIso(slot.to) },
            ...given({ abstract: codeOf(slot.abstract_id) }),
          })),
        })),
        numbers: Object.entries(frozen.numbers).flatMap(([id, number]) => {
          const abstract = codeOf(id)
          return abstract === null ? [] : [{ abstract, number }]
        }),
      },
    ]
  }
}
