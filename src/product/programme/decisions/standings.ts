import { inBatches, type Reader } from '#machinery/db/batches.ts'
import { matches, wordsOf } from '#product/programme/abstracts/of-event.ts'
import { isUnderWay } from '#product/programme/abstracts/proposals.ts'
import type { SubmittedAbstract } from '#product/programme/abstracts/submitted.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { isBehind } from '#product/programme/reviews/own.ts'
import { meanOf } from '#product/programme/reviews/reviews.ts'
import type { Round } from '#product/programme/reviews/round-schemas.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'
import { type Figures, figuresOf, leaningsOf, type Scored } from './scores.ts'
import * as store from './standing-store.ts'

/** The abstracts, or reviews, of one read. */
const READ = 200

/** Where an abstract stands, for somebody who decides. */
export interface Standing
  extends Pick<SubmittedAbstract, 'id' | 'code' | 'title' | 'language' | 'status' | 'topic_id' | 'kind_id'> {
  topic: string | undefined
  /** The kind that its authors asked for. */
  kind: string | undefined
  /** Whether whoever looks is behind it. They learn nothing of its reviews, or of what is proposed. */
  isOwn: boolean
  /** What its reviews say. It is undefined for one's own. */
  figures: Figures | undefined
  /** What is proposed for it. It is undefined for one's own, too. */
  proposal: StandingProposal | undefined
}

export interface StandingProposal {
  decision: 'accepted' | 'rejected'
  /** The kind that it is to be accepted as. It is undefined for the one that its authors asked for. */
  kind: string | undefined
  note: string | null
  /** The name of the access log. */
  by: string
  /** Whether it is about to be sent as it is, so that nobody changes it. */
  isSending: boolean
}

export interface Standings {
  call: Call | undefined
  /** It is undefined as long as nobody reviews. */
  round: Round | undefined
  /** The abstracts that stand and have the words, the oldest first. */
  rows: readonly Standing[]
  /** How many stand, whatever words they have. */
  count: number
  /** How many decisions wait to be sent, and how many are about to be, without those about one's own. */
  proposed: Readonly<Record<StandingProposal['decision'] | 'sending', number>>
}

/** Who looks at which event. */
export interface Onlooker {
  accountId: string
  eventId: string
  /** The e-mail of whoever looks. */
  email: string
}

/**
 * Reads where all abstracts of an event stand that were not withdrawn. Those of whoever looks are in no count and no mean.
 *
 * @param text each of its words must occur in the code, the title, or the name or e-mail of an author or the contact
 */
export async function readStandings(
  reader: Reader,
  { accountId, eventId, email }: Onlooker,
  text = '',
): Promise<Standings> {
  const { call, round } = await reader.read(accountId, async tx => ({
    call: await calls.find(tx, eventId),
    round: await rounds.find(tx, eventId),
  }))
  const words = wordsOf(text)
  const own = new Set<string>()
  const found: store.StandingRow[] = []
  const proposed = { accepted: 0, rejected: 0, sending: 0 }
  const others = new Set<string>()
  for await (const some of inBatches(
    reader,
    accountId,
    READ,
    (tx, last: store.StandingRow | undefined, size) => store.listStanding(tx, eventId, last, size),
  )) {
    for (const row of some) {
      if (isBehind(row, email)) own.add(row.id)
      else {
        others.add(row.id)
        if (row.proposed !== null) proposed[isUnderWay(row.job_state) ? 'sending' : row.proposed]++
      }
      if (matches(row, words)) found.push(row)
    }
  }
  const reviews = await readScored(reader, { accountId, eventId }, { round, others })
  const leanings = leaningsOf([...reviews.values()].flat())
  const named = namesOf(call)
  const rows = found.map(row => ({
    ...present(row, named),
    isOwn: own.has(row.id),
    figures: own.has(row.id) ? undefined : figuresOf(reviews.get(row.id) ?? [], leanings),
    proposal: own.has(row.id) ? undefined : presentProposal(row, named),
  }))
  return { call, round, rows, count: own.size + others.size, proposed }
}

/** Reads the reviews that are done, by their abstracts. @param others the abstracts that may be looked at */
async function readScored(
  reader: Reader,
  { accountId, eventId }: Omit<Onlooker, 'email'>,
  { round, others }: { round: Round | undefined; others: ReadonlySet<string> },
): Promise<ReadonlyMap<string, readonly Scored[]>> {
  const reviews = new Map<string, Scored[]>()
  if (round === undefined) return reviews
  for await (const some of inBatches(reader, accountId, READ, (tx, last: store.ScoredRow | undefined, size) =>
    store.listScored(tx, eventId, last, size),
  )) {
    for (const { scores, ...row } of some) {
      if (!others.has(row.abstract_id)) continue
      const scored = { ...row, mean: meanOf({ scores: JSON.parse(scores) as Record<string, number> }, round) }
      const before = reviews.get(row.abstract_id)
      if (before === undefined) reviews.set(row.abstract_id, [scored])
      else before.push(scored)
    }
  }
  return reviews
}

type Names = (id: string | null) => string | undefined

/** Returns the names of the topics and kinds of a call, by their ids. */
function namesOf(call: Call | undefined): Names {
  const names = new Map([...(call?.topics ?? []), ...(call?.kinds ?? [])].map(({ id, name }) => [id, name]))
  return id => (id === null ? undefined : names.get(id))
}

function present(row: store.StandingRow, named: Names) {
  const { id, code, title, language, status, topic_id, kind_id } = row
  return {
    ...{ id, code, title, language, status, topic_id, kind_id },
    ...{ topic: named(topic_id), kind: named(kind_id) },
  }
}

function presentProposal(row: store.StandingRow, named: Names): StandingProposal | undefined {
  if (row.proposed === null) return undefined
  return {
    ...{ decision: row.proposed, kind: named(row.proposed_kind_id), note: row.note },
    by: row.proposed_by ?? '',
    isSending: isUnderWay(row.job_state),
  }
}
