import { type Frozen, type FrozenPlace, placesIn } from '#product/programme/versions/schemas.ts'

/** What changes for an abstract from one version to another. */
export interface Change {
  abstract_id: string
  number: string
  before: readonly FrozenPlace[]
  after: readonly FrozenPlace[]
}

export interface Changes {
  added: readonly Change[]
  /** Those that are at another time or in another room. */
  moved: readonly Change[]
  removed: readonly Change[]
  /** Whether anything else differs, such as a break or the session that something stands in. */
  hasOthers: boolean
}

const NOTHING: Frozen = { sessions: [], numbers: {} }

/** Returns what changes for abstracts, in the order of the programme. @param before undefined where there is no version yet */
export function compare(before: Frozen = NOTHING, after: Frozen = NOTHING): Changes {
  const [was, is] = [placesIn(before), placesIn(after)]
  const of = (abstract_id: string, numbers: Frozen['numbers']): Change => ({
    ...{ abstract_id, number: numbers[abstract_id] ?? '' },
    ...{ before: was.get(abstract_id) ?? [], after: is.get(abstract_id) ?? [] },
  })
  const all = [...is.keys()].map(id => of(id, after.numbers))
  const added = all.filter(change => change.before.length === 0)
  const moved = all.filter(change => change.before.length > 0 && hasMoved(change))
  const removed = [...was.keys()].filter(id => !is.has(id)).map(id => of(id, before.numbers))
  const isEqual = JSON.stringify(before.sessions) === JSON.stringify(after.sessions)
  const hasOthers = !isEqual && added.length + moved.length + removed.length === 0
  return { added, moved, removed, hasOthers }
}

/** Lists the abstracts that stand where they stood, in the order of the programme. */
export function listStanding(before: Frozen = NOTHING, after: Frozen = NOTHING): Change[] {
  const [was, is] = [placesIn(before), placesIn(after)]
  const all = [...is].map(([abstract_id, places]): Change => {
    const number = after.numbers[abstract_id] ?? ''
    return { abstract_id, number, before: was.get(abstract_id) ?? [], after: places }
  })
  return all.filter(change => change.before.length > 0 && !hasMoved(change))
}

/** Counts the abstracts of which people are told. */
export function countTold({ added, moved, removed }: Changes): number {
  return added.length + moved.length + removed.length
}

/** Returns whether nothing differs at all. */
export function isNothing({ added, moved, removed, hasOthers }: Changes): boolean {
  return !hasOthers && added.length + moved.length + removed.length === 0
}

function hasMoved({ before, after }: Change): boolean {
  return signOf(before) !== signOf(after)
}

/** People have to know of another time or room, and not of another session around it. */
export function signOf(places: readonly FrozenPlace[]): string {
  return JSON.stringify(places.map(({ session, slot }) => [slot.from, slot.to, session.room_id]).sort())
}
