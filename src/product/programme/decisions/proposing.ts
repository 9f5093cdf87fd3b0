import { Problem, type ProblemCode } from '#base/problem.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import { type Actor, record } from '#product/administration/access-log/rules.ts'
import type { Role } from '#product/administration/users/roles.ts'
import * as proposals from '#product/programme/abstracts/proposals.ts'
import { refuseOwnDecision } from '#product/programme/reviews/own.ts'

/** The abstracts of one write. */
const WRITE = 50

/** A chair who proposes. */
export interface Chair {
  email: string
  role: Role
}

/** What is proposed. Undefined takes back what was proposed before. */
export type Proposed = Pick<proposals.NewProposal, 'decision' | 'kind_id' | 'note'> | undefined

/** What became of an abstract. */
export interface Done {
  /** Whether it is proposed otherwise than before. */
  hasChanged: boolean
  /** Whether the chair is behind it, as only an owner may be whom nobody can stand in for. */
  isOwn: boolean
}

/**
 * Proposes something about an abstract, or takes that back, as a chair.
 *
 * @param who the chair's name in the access log
 * @throws Problem not_found; own_abstract; abstract_withdrawn; being_sent; invalid_parameter for `kind_id`
 */
export async function proposeAs(
  tx: WriteTx,
  { id, event_id }: { id: string; event_id: string },
  proposed: Proposed,
  { who, ...chair }: Chair & Pick<Actor, 'who'>,
): Promise<Done> {
  const isOwn = await refuseOwnDecision(tx, { id, event_id }, chair)
  const before = await proposals.find(tx, id)
  if (proposed === undefined) {
    await proposals.takeBack(tx, event_id, id)
    return { hasChanged: before !== undefined, isOwn }
  }
  await proposals.propose(tx, event_id, { ...proposed, abstract_id: id, proposed_by: who })
  const { decision, note } = proposed
  const kind_id = decision === 'accepted' ? proposed.kind_id : null
  const isSame = before?.decision === decision && before.kind_id === kind_id && before.note === note
  return { hasChanged: !isSame, isOwn }
}

/** The entry of the access log about what was proposed. */
export function entryOf(proposed: Proposed, { isOwn }: Pick<Done, 'isOwn'>) {
  return {
    action: proposed === undefined ? 'abstract.take_proposal_back' : 'abstract.propose',
    targetType: 'abstract',
    details: {
      ...(proposed === undefined ? {} : { decision: proposed.decision }),
      ...(isOwn ? { own: true } : {}),
    },
  }
}

/** Why an abstract is left out where many are proposed. */
const LEFT_OUT: ReadonlySet<ProblemCode> = new Set([
  ...(['not_found', 'own_abstract', 'abstract_withdrawn', 'being_sent'] as const),
])

/**
 * Does the same with many, each with an entry of its own. Each part stands by itself: whatever stops it, the same again does what is
 * missing.
 *
 * @returns how many it was done with, and how many were left out
 * @throws Problem invalid_parameter for `kind_id`
 */
export async function proposeMany(
  db: Pick<Database, 'write'>,
  { eventId, ids }: { eventId: string; ids: readonly string[] },
  proposed: Proposed,
  { accountId, ...actor }: Chair & Actor,
): Promise<{ count: number; left: number }> {
  let left = 0
  for (let at = 0; at < ids.length; at += WRITE) {
    const some = ids.slice(at, at + WRITE)
    left += await db.write(accountId, tx => proposeSome(tx, { eventId, ids: some }, proposed, actor))
  }
  return { count: ids.length - left, left }
}

async function proposeSome(
  tx: WriteTx,
  { eventId, ids }: { eventId: string; ids: readonly string[] },
  proposed: Proposed,
  { email, role, ...by }: Chair & Omit<Actor, 'accountId'>,
): Promise<number> {
  let left = 0
  for (const id of ids) {
    try {
      const chair = { email, role, who: by.who }
      const done = await proposeAs(tx, { id, event_id: eventId }, proposed, chair)
      if (done.hasChanged) await record(tx, { ...by, ...entryOf(proposed, done), targetId: id })
    } catch (error) {
      if (!(error instanceof Problem) || !LEFT_OUT.has(error.code)) throw error
      left++
    }
  }
  return left
}
