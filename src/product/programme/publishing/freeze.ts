import type { Plan } from '#product/programme/timetable/schemas.ts'
import type { Frozen, FrozenSession, FrozenSlot } from '#product/programme/versions/schemas.ts'

/** How many digits the numbers of each letter have at least, so that lists of them stand straight. */
const DIGITS = { O: 2, P: 3 } as const

type Letter = keyof typeof DIGITS

/**
 * Returns what a programme would be published as. Each accepted abstract in it has a number: the one of an earlier version, or the
 * next in the order of the programme. What is not accepted any more is left out, unless people know its number.
 *
 * @param posters the ids of the kinds of the call that are posters
 * @param before the newest version, with the numbers that were given
 */
export function freeze(
  { rooms, sessions }: Plan,
  posters: ReadonlySet<string>,
  before: Pick<Frozen, 'numbers'> | undefined,
): Frozen {
  const numbers = new Numbers(before?.numbers ?? {})
  const order = new Map(rooms.map(({ id }, at) => [id, at]))
  const placeOf = ({ room_id }: PlannedSession) => order.get(room_id ?? '') ?? rooms.length
  const sorted = [...sessions].sort(
    (one, other) => one.starts_at - other.starts_at || placeOf(one) - placeOf(other),
  )
  return { sessions: sorted.map(session => freezeSession(session, posters, numbers)), numbers: numbers.given }
}

type PlannedSession = Plan['sessions'][number]

function freezeSession(
  session: PlannedSession,
  posters: ReadonlySet<string>,
  numbers: Numbers,
): FrozenSession {
  const slots = session.slots.flatMap(({ id, from, to, minutes, abstract }): FrozenSlot[] => {
    if (abstract === null) return [{ id, from, to, abstract_id: null }]
    const isAccepted = abstract.status === 'accepted' && !abstract.isWithdrawn
    if (!isAccepted && numbers.given[abstract.id] === undefined) return []
    // A slot without minutes is all of its session, as a poster hangs.
    const isPoster = abstract.kind_id === null ? minutes === 0 : posters.has(abstract.kind_id)
    numbers.give(abstract.id, isPoster ? 'P' : 'O')
    return [{ id, from, to, abstract_id: abstract.id }]
  })
  const { id, room_id, starts_at: from, ends_at: to } = session
  return { id, room_id, from, to, slots }
}

/** Gives numbers, none of them twice. */
class Numbers {
  readonly given: Record<string, string>
  readonly #last: Record<Letter, number> = { O: 0, P: 0 }

  constructor(given: Frozen['numbers']) {
    this.given = { ...given }
    for (const number of Object.values(given)) {
      const letter = number.charAt(0) as Letter
      this.#last[letter] = Math.max(this.#last[letter], Number(number.slice(2)))
    }
  }

  give(id: string, letter: Letter): void {
    if (this.given[id] !== undefined) return
    this.#last[letter]++
    this.given[id] = `${letter}-${String(this.#last[letter]).padStart(DIGITS[letter], '0')}`
  }
}
