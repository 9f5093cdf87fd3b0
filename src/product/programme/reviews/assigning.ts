import { createHash } from 'node:crypto'
import { findConflict, type Known, type Writers } from './conflicts.ts'

/** An abstract that wants reviews. */
export interface ToReview {
  id: string
  topicId: string | null
  writers: Writers
  /** The ids of those who have it, or have given it back. */
  taken: ReadonlySet<string>
  /** How many reviews it still wants. */
  lacks: number
}

/** A reviewer who can be given more. */
export interface Candidate {
  id: string
  known: Known
  topics: ReadonlySet<string>
  /** How many abstracts they have. */
  load: number
}

export interface Assignment {
  abstract_id: string
  reviewer_id: string
}

export interface Plan {
  assignments: readonly Assignment[]
  /** How many abstracts each reviewer would have. */
  loads: ReadonlyMap<string, number>
  /** The abstracts that would still lack reviews, and how many. */
  gaps: ReadonlyMap<string, number>
}

/** The comparisons after which others have their turn. They take some 10 ms. */
const SLICE = 20_000

/**
 * Gives abstracts to reviewers: to those who know the topic first, of them to those with the fewest, and to nobody who has a
 * conflict. Abstracts that few can review choose first. The same input always gives the same plan.
 *
 * @param most how many abstracts one reviewer gets in all
 * @param pause lets others have their turn
 */
export async function plan(
  abstracts: readonly ToReview[],
  candidates: readonly Candidate[],
  most: number,
  pause: () => Promise<void>,
): Promise<Plan> {
  let compared = 0
  const open: { of: ToReview; able: readonly Placed[]; place: number }[] = []
  const placed = candidates.map(each => ({ ...each, place: placeOf(each.id) }))
  for (const of of abstracts) {
    if (of.lacks <= 0) continue
    const able = placed.filter(
      ({ id, known }) => !of.taken.has(id) && findConflict(of.writers, known) === undefined,
    )
    open.push({ of, able, place: placeOf(of.id) })
    compared += candidates.length
    if (compared > SLICE) {
      compared = 0
      await pause()
    }
  }
  open.sort((one, other) => one.able.length - other.able.length || one.place - other.place)
  const loads = new Map(candidates.map(({ id, load }) => [id, load]))
  const assignments: Assignment[] = []
  const gaps = new Map<string, number>()
  for (const { of, able, place } of open) {
    const chosen = choose(of, able, { loads, most, place })
    for (const { id } of chosen) {
      loads.set(id, (loads.get(id) ?? 0) + 1)
      assignments.push({ abstract_id: of.id, reviewer_id: id })
    }
    if (chosen.length < of.lacks) gaps.set(of.id, of.lacks - chosen.length)
    compared += able.length
    if (compared > SLICE) {
      compared = 0
      await pause()
    }
  }
  return { assignments, loads, gaps }
}

/** With a place that has nothing to do with when they were invited. */
type Placed = Candidate & { place: number }

function choose(
  { topicId, lacks }: ToReview,
  able: readonly Placed[],
  { loads, most, place }: { loads: ReadonlyMap<string, number>; most: number; place: number },
): Placed[] {
  const loadOf = ({ id }: Placed) => loads.get(id) ?? 0
  const knows = ({ topics }: Placed) => Number(topicId !== null && topics.has(topicId))
  // Among equals it begins with another for each abstract.
  const turn = (one: Placed) => Math.imul(one.place ^ place, 0x9e3779b1) >>> 0
  const compare = (one: Placed, other: Placed) =>
    knows(other) - knows(one) || loadOf(one) - loadOf(other) || turn(one) - turn(other)
  const chosen: Placed[] = []
  while (chosen.length < lacks) {
    let best: Placed | undefined
    for (const one of able) {
      if (loadOf(one) >= most || chosen.includes(one)) continue
      if (best === undefined || compare(one, best) < 0) best = one
    }
    if (best === undefined) break
    chosen.push(best)
  }
  return chosen
}

/** Returns a number that is the same each time, and tells nothing of when something came. */
function placeOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE()
}
