import { Problem } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call, Kind, Topic } from '#product/programme/calls/schemas.ts'
import type { AbstractFile } from '#product/programme/files/schemas.ts'
import { type Answered, listAnswers } from '#product/programme/submissions/answers.ts'
import type { Content } from '#product/programme/submissions/content.ts'
import { findOfAbstract } from '#product/programme/submissions/files.ts'
import { type Formulas, readFormulas } from '#product/programme/submissions/formulas.ts'
import { readVersion } from '#product/programme/submissions/versions.ts'
import { orderFor } from './order.ts'
import { listOwn, MOST_QUEUED, refuseOwnReview } from './own-reviews.ts'
import { type NewReview, presentReview } from './review-schemas.ts'
import * as store from './review-store.ts'
import type { Reviewer } from './reviewer-schemas.ts'
import * as rounds from './rounds.ts'

// This module alone reads for reviewers. Unless the review is not blind, what it returns has no field that tells who has written
// something, or when.

/** An abstract in the list of a reviewer. */
export interface Queued {
  code: string
  title: string
  /** The language of the text, as BCP 47 has it. */
  language: string | null
  topic: string | undefined
  kind: string | undefined
  /** Whether something was typed of the review. */
  isBegun: boolean
  isDone: boolean
}

/** Lists what a reviewer has to review, in an order of their own, which tells nothing of when it came. */
export async function listQueue(tx: ReadTx, reviewer: Reviewer): Promise<Queued[]> {
  const call = await calls.find(tx, reviewer.event_id)
  const own = await listOwn(tx, reviewer, MOST_QUEUED)
  const queue = await store.listQueue(tx, reviewer.id, MOST_QUEUED)
  const rows = queue.filter(row => !own.has(row.abstract_id))
  return orderFor(reviewer, rows).map(row => ({
    ...{ code: row.code, title: row.title, language: row.language },
    ...namesOf(call, row),
    isBegun: row.scores !== '{}' || row.recommendation !== null,
    isDone: row.done_at !== null,
  }))
}

/** An abstract as a reviewer reads it, with what they have said of it. */
export interface Reviewable extends Omit<Queued, 'isBegun'> {
  sections: Content['sections']
  formulas: Formulas
  keywords: string | null
  /** Those that the organizer has marked for reviewers. Nothing of the others is read. */
  answers: readonly Answered[]
  review: NewReview
  /** Who has written it, and its file: where the review is not blind. */
  open:
    | { authors: readonly { name: string; affiliation: string | null }[]; file: AbstractFile | undefined }
    | undefined
}

/**
 * Returns an abstract that a reviewer has.
 *
 * @throws Problem not_found, alike for one that is not there, and one that is not theirs
 */
export async function read(tx: ReadTx, reviewer: Reviewer, code: string): Promise<Reviewable> {
  const row = await store.findByCode(tx, reviewer, code)
  if (row === undefined) throw new Problem('not_found')
  await refuseOwnReview(tx, row.abstract_id, reviewer)
  const call = await calls.find(tx, reviewer.event_id)
  const { scores, recommendation, to_authors, to_chairs } = presentReview(row)
  return {
    ...{ code: row.code, title: row.title, language: row.language, keywords: row.keywords },
    ...namesOf(call, row),
    ...(await readText(tx, row, call)),
    isDone: row.done_at !== null,
    review: { scores, recommendation, to_authors, to_chairs },
    open: (await rounds.get(tx, reviewer.event_id)).blind ? undefined : await readOpen(tx, row),
  }
}

/** Reads what a reviewer sees only where the review is not blind. */
async function readOpen(tx: ReadTx, { abstract_id: id }: store.AssignedRow): Promise<Reviewable['open']> {
  const { authors, event_id } = await getSubmitted(tx, id)
  return {
    authors: authors.map(({ name, affiliation }) => ({ name, affiliation })),
    file: await findOfAbstract(tx, { id, event_id }),
  }
}

async function readText(
  tx: ReadTx,
  row: store.AssignedRow,
  call: Call | undefined,
): Promise<Pick<Reviewable, 'sections' | 'formulas' | 'answers'>> {
  if (row.revision === 0)
    return { sections: [{ heading: '', text: row.abstract }], formulas: readFormulas(null), answers: [] }
  const { content, formulas } = await readVersion(tx, { id: row.abstract_id, revision: row.revision })
  const questions = (call?.questions ?? []).filter(question => question.for_reviewers)
  return { sections: content.sections, formulas, answers: listAnswers(content, { questions }) }
}

function namesOf(
  call: Call | undefined,
  { topic_id, kind_id }: Pick<store.ReviewableRow, 'topic_id' | 'kind_id'>,
): { topic: string | undefined; kind: string | undefined } {
  const nameIn = (choices: readonly (Topic | Kind)[] | undefined, wanted: string | null) =>
    choices?.find(({ id }) => id === wanted)?.name
  return { topic: nameIn(call?.topics, topic_id), kind: nameIn(call?.kinds, kind_id) }
}
