import * as v from 'valibot'

const id = v.pipe(v.string(), v.uuid())
const instant = v.pipe(v.number(), v.safeInteger())

/** The form of the number of an abstract: O for what is spoken, P for a poster. */
export const NUMBER = /^[OP]-\d{2,5}$/
const number = v.pipe(v.string(), v.regex(NUMBER))

const slot = v.strictObject({ id, from: instant, to: instant, abstract_id: v.nullable(id) })

const session = v.strictObject({
  id,
  room_id: v.nullable(id),
  from: instant,
  to: instant,
  slots: v.array(slot),
})

/** A programme as it was published: ids, times and numbers alone. Names are read as they are now. Instants are in milliseconds. */
export const frozenSchema = v.strictObject({
  /** By their beginning, and then by their rooms. */
  sessions: v.array(session),
  /** The numbers of abstracts, also of those that stood in an earlier version alone, so that none is given twice. */
  numbers: v.record(id, number),
})

export type Frozen = v.InferOutput<typeof frozenSchema>
export type FrozenSession = Frozen['sessions'][number]
export type FrozenSlot = FrozenSession['slots'][number]

/** A version of the programme of an event. */
export interface Version {
  number: number
  content: Frozen
  /** When it was made, in milliseconds. */
  created_at: number
}

/** What chairs have said of two people: that they are one, or two. The people stand there by their fingerprints. */
export interface Verdict {
  one: string
  other: string
  same: boolean
}

/** So much of what chairs have said of people is kept, the newest. */
export const MOST_VERDICTS = 2_000

/** What is public of the programme of an event. */
export interface PublicState {
  /** The number of the public version. It is null while none is public. */
  published: number | null
  /** From when the texts of abstracts are public, in milliseconds. It is null for as long as the programme is. */
  texts_from: number | null
}

/** Where and when an abstract stands in the public version. */
export interface PublishedPlace {
  session_id: string
  /** The title of the session. It is null if the session was removed since. */
  title: string | null
  room: string | null
  from: number
  to: number
  number: string
}

/** The places of an abstract in a version: it may hang as a poster, and be told in short. */
export interface FrozenPlace {
  session: FrozenSession
  slot: FrozenSlot
}

/** Returns the places of each abstract of a version, in the order of the programme. */
export function placesIn({ sessions }: Pick<Frozen, 'sessions'>): Map<string, FrozenPlace[]> {
  const places = new Map<string, FrozenPlace[]>()
  for (const session of sessions) {
    for (const slot of session.slots) {
      if (slot.abstract_id === null) continue
      const some = places.get(slot.abstract_id)
      if (some === undefined) places.set(slot.abstract_id, [{ session, slot }])
      else some.push({ session, slot })
    }
  }
  return places
}
