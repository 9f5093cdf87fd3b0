import type { Problem } from '#base/problem.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { faultOf } from '#machinery/web/forms/error-summary.tsx'
import { parseForm, readForm, refusedForm } from '#machinery/web/forms/form.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import { problemOf } from '../order-visits.ts'
import { answerSaved } from '../self-saving.tsx'
import type { StorefrontServices } from '../storefront-services.ts'
import { fieldsOf, REVISION } from './review-fields.ts'
import { keepBySelf } from './review-keeping.ts'
import { ReviewVisits, speakTo } from './review-visits.ts'

/** Nobody can go on with a review after it. */
const END: Problem['code'] = 'review_over'

/** Saves what the form of a review sends by itself, where its page has a script. It makes no review done. */
export class ReviewAutosave {
  readonly #services: StorefrontServices
  readonly #visits: ReviewVisits

  constructor(services: StorefrontServices) {
    this.#services = services
    this.#visits = new ReviewVisits(services)
  }

  async save(context: Context): Promise<void> {
    const body = await this.#visits.readBody(context)
    const view = await this.#visits.findItem(context)
    const { voice } = speakTo(context, view)
    const { texts, format } = voice
    const fields = fieldsOf(view.round)
    const sent = readForm(fields, body)
    const parsed = parseForm(fields, view.event, sent)
    if ('faults' in parsed) {
      const state = refusedForm(fields, view.event, sent, parsed)
      const [wrong] = [...parsed.faults.keys()].flatMap(name => faultOf(state, name, texts) ?? [])
      return answerSaved(context, 422, { said: wrong ?? '', isElsewhere: false, isOver: false })
    }
    try {
      const mine = { values: parsed.values, revision: body.get(REVISION) ?? undefined }
      const { revision, isDone } = await this.#services.db.write(view.reviewer.account_id, tx =>
        keepBySelf(tx, view, mine),
      )
      const at = format.time(new Date(this.#services.clock()).toISOString())
      const { saved, savedDone } = texts.reviews.bySelf
      answerSaved(context, 200, { revision, said: isDone ? savedDone(at) : saved(at) })
    } catch (error) {
      const problem = problemOf(error)
      answerSaved(context, statusOf(problem), {
        said: describeProblem(texts, problem),
        isElsewhere: problem.code === 'seen_changed',
        isOver: problem.code === END,
      })
    }
  }
}
