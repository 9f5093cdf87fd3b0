import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { mergeEdit, type SentForm, type ValuesOf } from '#machinery/web/forms/form.ts'
import { read } from '#product/programme/reviews/reading.ts'
import { revisionOf } from '#product/programme/reviews/review-schemas.ts'
import * as reviews from '#product/programme/reviews/reviews.ts'
import { fieldsOf, reviewOf, valuesOf } from './review-fields.ts'
import type { ItemView } from './review-visits.ts'

/** A review as a form has it. */
interface Sent {
  form: SentForm
  values: ValuesOf<ReturnType<typeof fieldsOf>>
  /** The one that the form was shown with, or that it has saved by itself since. */
  revision: string | undefined
}

/** What stands now. */
export interface Kept {
  revision: string
  isDone: boolean
}

/**
 * Keeps what a form says of an abstract. Whatever else was saved since it was shown is merged into it, or shown beside it.
 *
 * @throws Problem those of `reviews.save`
 * @throws EditConflict
 */
export async function keepReview(
  tx: WriteTx,
  { reviewer, round, item, event }: ItemView,
  { form, values, revision }: Sent,
  isDone: boolean,
): Promise<void> {
  const current = (await read(tx, reviewer, item.code)).review
  // The form has saved by itself what stands, so what it was shown with is no longer what it goes by.
  const isSeen = revision === revisionOf(current)
  const theirs = { values: valuesOf(round, current), scale: event }
  const merged = isSeen ? values : mergeEdit(fieldsOf(round), form, { values, scale: event }, theirs).values
  await reviews.save(tx, reviewer, item.code, { review: reviewOf(round, merged), isDone })
}

/**
 * Keeps what a form saves by itself, which changes nothing of whether the review is done.
 *
 * @throws Problem those of `reviews.save`; seen_changed if something else was saved since the form was shown
 */
export async function keepBySelf(
  tx: WriteTx,
  { reviewer, round, item }: ItemView,
  { values, revision }: Omit<Sent, 'form'>,
): Promise<Kept> {
  const readNow = async () => {
    const { review, isDone } = await read(tx, reviewer, item.code)
    return { review, kept: { revision: revisionOf(review), isDone } }
  }
  const { review, kept } = await readNow()
  const said = reviewOf(round, values)
  // The answer to the save before may have been lost on its way.
  if (revisionOf(said) === revisionOf(reviewOf(round, valuesOf(round, review)))) return kept
  if (revision !== kept.revision) throw new Problem('seen_changed')
  await reviews.save(tx, reviewer, item.code, { review: said, isDone: false })
  return (await readNow()).kept
}
