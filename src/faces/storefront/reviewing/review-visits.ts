import { Problem, unlessMissing } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { addressGroup } from '#machinery/http/client-address.ts'
import type { Context } from '#machinery/http/face.ts'
import { readFormBody } from '#machinery/web/form-body.ts'
import type { LinkTarget } from '#machinery/web/link-secret.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import type { Look } from '#product/catalog/looks/schemas.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { offered, type Topic } from '#product/programme/calls/schemas.ts'
import { reviewerUrl } from '#product/programme/reviews/links.ts'
import { listQueue, type Queued, type Reviewable, read } from '#product/programme/reviews/reading.ts'
import type { Reviewer } from '#product/programme/reviews/reviewer-schemas.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import type { Round } from '#product/programme/reviews/round-schemas.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'
import { answerOnce } from '../answer.ts'
import { readLinked } from '../linked.ts'
import type { StorefrontServices } from '../storefront-services.ts'
import { type Speech, speechOf, voiceOf } from '../voice.ts'

/** What the pages of a reviewer show, for whoever has the link. */
export interface ReviewView {
  event: EventDetails
  organizer: { name: string; slug: string | null; look: Look }
  reviewer: Reviewer
  round: Round
  /** Whether reviews can still be written. */
  isOpen: boolean
  /** Those that can be chosen. */
  topics: readonly Topic[]
  queue: readonly Queued[]
  /** The address of the list. */
  path: string
}

/** One abstract of a reviewer. */
export type ItemView = ReviewView & { item: Reviewable; itemPath: string }

export interface Spoken {
  speech: Speech
  voice: ReturnType<typeof voiceOf>
}

export type ReviewProps = ReviewView & Spoken

/** Returns the address of an abstract that is reviewed. @param path of the list */
export function addressOf(path: string, code: string): string {
  return `${path}/abstracts/${encodeURIComponent(code)}`
}

/** Returns the code of what is to be done next: after this one in the list, or else from its beginning. */
export function nextOf({ queue, item }: Pick<ItemView, 'queue' | 'item'>): string | undefined {
  const at = queue.findIndex(({ code }) => code === item.code)
  return [...queue.slice(at + 1), ...queue.slice(0, at)].find(({ isDone }) => !isDone)?.code
}

/** Finds what a link of a reviewer leads to, and answers it. */
export class ReviewVisits {
  readonly #services: StorefrontServices

  constructor(services: StorefrontServices) {
    this.#services = services
  }

  /**
   * @param more reads what else a page shows, at the same instant
   * @throws Problem route_not_found, which takes as long and counts the same for every guess, and for what is not there
   */
  async find(context: Context): Promise<ReviewView>
  async find<More>(
    context: Context,
    more: (tx: ReadTx, view: ReviewView) => Promise<More>,
  ): Promise<ReviewView & More>
  async find(context: Context, more = async (_: ReadTx, __: ReviewView): Promise<object> => ({})) {
    const view = await readLinked(this.#services, context, 'reviewer', {
      findAccount: reviewers.findAccount,
      read: (tx, target) => unlessMissing(this.#read(tx, target, more)),
    })
    if (view === undefined) throw this.#unknown(context)
    return view
  }

  async #read(
    tx: ReadTx,
    { id, version }: LinkTarget,
    more: (tx: ReadTx, view: ReviewView) => Promise<object>,
  ): Promise<ReviewView> {
    const reviewer = await reviewers.get(tx, id)
    const round = await rounds.get(tx, reviewer.event_id)
    const phase = rounds.phaseOf(round, this.#services.clock())
    if (reviewer.secret_version !== version || reviewer.left_at !== null || phase === 'gone')
      throw new Problem('not_found')
    const { name, slug } = await accounts.getDetails(tx)
    const call = await calls.find(tx, reviewer.event_id)
    const view: ReviewView = {
      event: await events.getDetails(tx, reviewer.event_id),
      organizer: { name, slug, look: await looks.find(tx, reviewer.event_id) },
      ...{ reviewer, round, isOpen: phase === 'open' },
      topics: offered(call?.topics ?? []),
      queue: await listQueue(tx, reviewer),
      path: reviewerUrl({ baseUrl: '', secret: this.#services.secret }, reviewer),
    }
    return { ...view, ...(await more(tx, view)) }
  }

  /** A visitor with the link acts as the reviewer. */
  actorOf(context: Context, { reviewer }: ReviewView): Actor {
    return {
      accountId: reviewer.account_id,
      who: `reviewer:${reviewer.id}`,
      requestId: context.state.requestId,
      address: this.#services.clientAddress(context.req),
    }
  }

  /** Finds one abstract that the link leads to. @throws Problem route_not_found, as `find` */
  findItem(context: Context): Promise<ItemView> {
    const code = context.captures[1] ?? ''
    return this.find(context, async (tx, view) => {
      const item = await read(tx, view.reviewer, code)
      return { item, itemPath: addressOf(view.path, item.code) }
    })
  }

  async readBody(context: Context): Promise<URLSearchParams> {
    const { memory, clientAddress } = this.#services
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    return readFormBody(context, bytes => holding.keep('body', bytes))
  }

  /** Answers with a page that no cache keeps. @param send how, for a page with a script */
  answer<View extends ReviewView>(
    context: Context,
    status: number,
    view: View,
    make: (props: View & Spoken) => Parameters<typeof answerOnce>[2],
    send = answerOnce,
  ): void {
    send(context, status, make({ ...view, ...speakTo(context, view) }))
    context.set('Cache-Control', 'no-store')
  }

  #unknown(context: Context): Problem {
    this.#services.addresses.apply(context)
    return new Problem('route_not_found')
  }
}

/** Returns the reviewer's own language and voice, unless the address asks for another language. */
export function speakTo(context: Context, { reviewer, event }: ReviewView): Spoken {
  const requested = speechOf(context)
  const speech = requested.isChosen ? requested : { language: reviewer.language, isChosen: false }
  return { speech, voice: voiceOf(speech, event.timezone) }
}
