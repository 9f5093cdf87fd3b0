import { DAY } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as proposals from '#product/programme/abstracts/proposals.ts'
import { MAX_NOTE } from '#product/programme/abstracts/schemas.ts'
import { give } from '#product/programme/reviews/assignments.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import * as reviews from '#product/programme/reviews/reviews.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'

/** Has all abstracts of an event reviewed with texts that are hard to show. */
export async function reviewHard(
  tx: WriteTx,
  eventId: string,
  { unbroken, arabic, markup }: Record<'unbroken' | 'arabic' | 'markup', string>,
): Promise<void> {
  const criteria = [
    { name: unbroken.slice(0, 100), weight: 9 },
    { name: arabic.slice(0, 100), weight: 1 },
  ]
  const anew = { closes_at: tx.clock() + DAY, blind: true, wanted: 3, about: markup, criteria }
  const round = await rounds.put(tx, eventId, anew)
  const person = { name: unbroken.slice(1), affiliation: `${arabic} ${unbroken}`.slice(0, 200) }
  const email = `${'long'.repeat(14)}@reviews.example`
  const { reviewer } = await reviewers.invite(tx, eventId, { ...person, email, language: 'en' })
  const conflicts = [unbroken.slice(2), markup.slice(0, 200)]
  await reviewers.setProfile(tx, reviewer.id, { affiliation: person.affiliation, topics: [], conflicts: [] })
  const all = await tx.all<{ id: string; code: string }>(
    'SELECT b.id, b.code FROM abstracts b WHERE b.account_id = $1 AND b.event_id = $2',
    [tx.accountId, eventId],
  )
  for (const { id, code } of all) {
    await give(tx, eventId, { abstract_id: id, reviewer_id: reviewer.id })
    const said = `${unbroken}\n\n${arabic}\n\n${markup}`
    const review = {
      scores: Object.fromEntries(round.criteria.map(criterion => [criterion.id, 3])),
      ...({ recommendation: 'unsure', to_authors: said, to_chairs: said } as const),
    }
    await reviews.save(tx, reviewer, code, { review, isDone: true })
    const proposal = { abstract_id: id, decision: 'accepted', kind_id: null, proposed_by: 'cli' } as const
    await proposals.propose(tx, eventId, { ...proposal, note: said.slice(0, MAX_NOTE) })
  }
  await reviewers.setProfile(tx, reviewer.id, { affiliation: person.affiliation, topics: [], conflicts })
}
