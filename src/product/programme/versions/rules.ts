import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Frozen, PublicState, PublishedPlace, Verdict, Version } from './schemas.ts'
import { MOST_VERDICTS, placesIn } from './schemas.ts'
import * as store from './store.ts'

/** Returns what is public of the programme of an event. */
export async function getState(tx: ReadTx, eventId: string): Promise<PublicState> {
  return (await store.findState(tx, eventId)) ?? { published: null, texts_from: null }
}

/** Returns a version of the programme of an event. @returns undefined if there is none */
export async function find(tx: ReadTx, eventId: string, number: number): Promise<Version | undefined> {
  return toVersion(await store.find(tx, eventId, number))
}

/** Returns the newest version, public or not. @returns undefined before the first */
export async function findNewest(tx: ReadTx, eventId: string): Promise<Version | undefined> {
  return toVersion(await store.findNewest(tx, eventId))
}

/** Returns the public version. @returns undefined while none is public */
export async function findPublished(tx: ReadTx, eventId: string): Promise<Version | undefined> {
  const { published } = await getState(tx, eventId)
  return published === null ? undefined : find(tx, eventId, published)
}

function toVersion(row: store.VersionRow | undefined): Version | undefined {
  return row && { ...row, content: JSON.parse(row.content) as Frozen }
}

/** Keeps a programme as the next version. It becomes public by `show`. @param by as the access log names an actor */
export async function add(
  tx: WriteTx,
  eventId: string,
  { content, by }: { content: Frozen; by: string },
): Promise<Version> {
  const number = ((await store.findNewest(tx, eventId))?.number ?? 0) + 1
  const now = await tx.now()
  await store.insert(tx, eventId, { number, content: JSON.stringify(content), by }, now)
  return { number, content, created_at: now }
}

/** Makes a version the public one, or none. */
export async function show(tx: WriteTx, eventId: string, published: number | null): Promise<void> {
  await store.putState(tx, eventId, { ...(await getState(tx, eventId)), published }, await tx.now())
}

/** Sets from when the texts of abstracts are public. Null is for as long as the programme is. */
export async function setTextsFrom(tx: WriteTx, eventId: string, texts_from: number | null): Promise<void> {
  await store.putState(tx, eventId, { ...(await getState(tx, eventId)), texts_from }, await tx.now())
}

/** Returns what chairs have said of people who may be one. */
export async function listVerdicts(tx: ReadTx, eventId: string): Promise<Verdict[]> {
  return JSON.parse((await store.findVerdicts(tx, eventId)) ?? '[]') as Verdict[]
}

/** Keeps what chairs have said of people, the newest last, in place of all that they had said before. */
export async function setVerdicts(tx: WriteTx, eventId: string, verdicts: readonly Verdict[]): Promise<void> {
  await store.putVerdicts(tx, eventId, JSON.stringify(verdicts.slice(-MOST_VERDICTS)), await tx.now())
}

/** Lists the events of whose people chairs have said something. */
export function listWithVerdicts(tx: ReadTx): Promise<string[]> {
  return store.listWithVerdicts(tx)
}

/** The names of what stands in a programme, as they are now, by id. */
export interface Names {
  sessions: ReadonlyMap<string, { title: string; about: string | null; chairs: readonly string[] }>
  rooms: ReadonlyMap<string, string>
  /** Of slots without an abstract. */
  texts: ReadonlyMap<string, string>
}

/** Reads the names of what stands in the programme of an event. Of people who chair it has the names alone. */
export async function readNames(tx: ReadTx, eventId: string): Promise<Names> {
  const sessions = (await store.listSessions(tx, eventId)).map(({ id, title, about, chairs }) => {
    const names = (JSON.parse(chairs) as { name: string }[]).map(({ name }) => name)
    return [id, { title, about, chairs: names }] as const
  })
  const rooms = (await store.listRooms(tx, eventId)).map(({ id, name }) => [id, name] as const)
  const texts = (await store.listTexts(tx, eventId)).map(({ id, title }) => [id, title] as const)
  return { sessions: new Map(sessions), rooms: new Map(rooms), texts: new Map(texts) }
}

/** Returns where abstracts stand in the public programme of their event, by their ids. Who has several places has the first. */
export async function findPlaces(
  tx: ReadTx,
  eventId: string,
  abstractIds: readonly string[],
): Promise<Map<string, PublishedPlace>> {
  const { published } = await getState(tx, eventId)
  const row = published === null ? undefined : await store.find(tx, eventId, published)
  // The version of a large meeting takes milliseconds to read, and most abstracts stand in none.
  const wanted = row === undefined ? [] : abstractIds.filter(id => row.content.includes(id))
  if (row === undefined || wanted.length === 0) return new Map()
  const content = JSON.parse(row.content) as Frozen
  const names = await readNames(tx, eventId)
  const all = placesIn(content)
  return new Map(
    wanted.flatMap(id => {
      const [place] = all.get(id) ?? []
      const number = content.numbers[id]
      if (place === undefined || number === undefined) return []
      const { session, slot } = place
      const { id: session_id, room_id } = session
      const title = names.sessions.get(session_id)?.title ?? null
      const room = room_id === null ? null : (names.rooms.get(room_id) ?? null)
      return [[id, { session_id, title, room, from: slot.from, to: slot.to, number }] as const]
    }),
  )
}
