import { Problem, unlessMissing } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { addressGroup } from '#machinery/http/client-address.ts'
import type { Context } from '#machinery/http/face.ts'
import { readFormBody } from '#machinery/web/form-body.ts'
import type { Purpose } from '#machinery/web/link-secret.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import type { Look } from '#product/catalog/looks/schemas.ts'
import { findSession } from '#product/programme/abstracts/choices.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'
import { getSubmitted, isEnded } from '#product/programme/abstracts/submitted.ts'
import { isInTime, phaseOf } from '#product/programme/calls/deadline.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { type AfterDecision, readAfter } from '#product/programme/decisions/author-view.ts'
import * as files from '#product/programme/files/rules.ts'
import type { AbstractFile } from '#product/programme/files/schemas.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'
import { submissionUrl, submitterUrl } from '#product/programme/submissions/links.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import type { Submission, Submitter } from '#product/programme/submissions/schemas.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { answerOnce } from '../answer.ts'
import { readLinked } from '../linked.ts'
import type { StorefrontServices } from '../storefront-services.ts'
import { type Speech, speechOf, voiceOf } from '../voice.ts'

/** What the pages of people who submit show of the event around it. */
export interface CallView {
  event: EventDetails
  organizer: { name: string; slug: string | null; look: Look }
  call: Call
  submitter: Submitter
  now: number
}

/** One submission, for whoever has its link. */
export interface SubmissionView extends CallView {
  submission: Submission
  /** What was sent last. */
  sent: sending.Sent | undefined
  /** What there is to see and do from its decision on. It is undefined for one that was not sent, or is withdrawn. */
  after: AfterDecision | undefined
  /** Its place in the public programme. */
  session: Abstract['session']
  /** The file beside it. */
  file: AbstractFile | undefined
  /** The address of its page. */
  path: string
  /** Whether it can still be changed by its person. */
  isOpen: boolean
  /** Whether reviewers are not to know who has written it, also as long as nobody has set up a review. */
  isBlind: boolean
}

/** What a list shows of a submission. */
export interface BriefSubmission {
  submission: Submission
  abstract: sending.SentAbstract | undefined
  path: string
}

/** All submissions of a person, for whoever has the mailed link. */
export interface SubmitterView extends CallView {
  all: BriefSubmission[]
  path: string
  /** Whether they can begin another one. */
  isOpen: boolean
}

/** Finds what a link of somebody who submits leads to, and answers them. */
export class SubmissionVisits {
  readonly #services: StorefrontServices

  constructor(services: StorefrontServices) {
    this.#services = services
  }

  /** Reads a form. @returns also when the request began to come in */
  async readBody(context: Context): Promise<{ body: URLSearchParams; begunAt: number }> {
    const { memory, clientAddress, clock } = this.#services
    const begunAt = clock()
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    return { body: await readFormBody(context, bytes => holding.keep('body', bytes)), begunAt }
  }

  /** @throws Problem route_not_found, which takes as long and counts the same for every guess */
  async find(context: Context): Promise<SubmissionView> {
    return this.#read(context, 'submission', async (tx, id) => {
      const { submission, submitter } = await submissions.get(tx, id)
      const sent = submission.abstract_id === null ? undefined : await sending.readSent(tx, submission)
      const of = await this.#readCall(tx, submission.event_id, submitter)
      const { secret } = this.#services
      const path = submissionUrl({ baseUrl: '', secret }, submitter, submission)
      const hasEnded = sent !== undefined && isEnded(sent.abstract)
      const file = await files.find(tx, submission.event_id, submission.id)
      const isBlind = await rounds.isBlind(tx, submission.event_id)
      const after = sent && (await readAfter(tx, sent.abstract))
      const session = sent === undefined ? null : await findSession(tx, sent.abstract)
      const isOpen = !hasEnded && this.#isOpen(of)
      return { ...of, submission, sent, session, after, file, path, isBlind, isOpen }
    })
  }

  /** @throws Problem route_not_found, as `find` */
  async findAll(context: Context): Promise<SubmitterView> {
    return this.#read(context, 'submitter', async (tx, id) => {
      const submitter = await submissions.getSubmitter(tx, id)
      const of = await this.#readCall(tx, submitter.event_id, submitter)
      const server = { baseUrl: '', secret: this.#services.secret }
      const all: SubmitterView['all'] = []
      for (const submission of await submissions.listBySubmitter(tx, id)) {
        const { abstract_id: sentId } = submission
        const abstract = sentId === null ? undefined : await getSubmitted(tx, sentId)
        all.push({ submission, abstract, path: submissionUrl(server, submitter, submission) })
      }
      // More time for one person is for what they have begun.
      const { status, takes_abstracts } = of.event
      const isOpen = status === 'published' && takes_abstracts && phaseOf(of.call, of.now) === 'open'
      return { ...of, all, path: submitterUrl(server, submitter), isOpen }
    })
  }

  #isOpen({ call, submitter, now }: CallView): boolean {
    const { late_until: late } = submitter
    return isInTime(call, { begunAt: now, lateUntil: late === null ? null : Date.parse(late) })
  }

  async #read<View extends CallView>(
    context: Context,
    purpose: Extract<Purpose, 'submission' | 'submitter'>,
    read: (tx: ReadTx, id: string) => Promise<View>,
  ): Promise<View> {
    const view = await readLinked(this.#services, context, purpose, {
      findAccount: (tx, id) => submissions.findAccount(tx, purpose, id),
      read: async (tx, { id, version }) => {
        const found = await unlessMissing(read(tx, id))
        return found?.submitter.secret_version === version ? found : undefined
      },
    })
    if (view === undefined) throw this.unknown(context)
    return view
  }

  async #readCall(tx: ReadTx, eventId: string, submitter: Submitter): Promise<CallView> {
    const { name, slug } = await accounts.getDetails(tx)
    const event = await events.getDetails(tx, eventId)
    const call = await calls.get(tx, eventId)
    const organizer = { name, slug, look: await looks.find(tx, eventId) }
    return { event, organizer, call, submitter, now: this.#services.clock() }
  }

  /** A visitor with the link acts as the person who submits. */
  actorOf(context: Context, { submitter }: CallView): Actor {
    return {
      accountId: submitter.account_id,
      who: `submitter:${submitter.id}`,
      requestId: context.state.requestId,
      address: this.#services.clientAddress(context.req),
    }
  }

  /** Answers with a page that no cache keeps. @param send how, for a page with a script */
  answer<View extends CallView>(
    context: Context,
    status: number,
    view: View,
    make: (props: View & Spoken) => Parameters<typeof answerOnce>[2],
    send = answerOnce,
  ): void {
    send(context, status, make({ ...view, ...speakTo(context, view) }))
    context.set('Cache-Control', 'no-store')
  }

  /** Counts a request for a page that does not exist. */
  unknown(context: Context): Problem {
    this.#services.addresses.apply(context)
    return new Problem('route_not_found')
  }
}

export interface Spoken {
  speech: Speech
  voice: ReturnType<typeof voiceOf>
}

/** Returns the person's own language and voice, unless the address asks for another language. */
export function speakTo(context: Context, { submitter, event, call }: CallView): Spoken {
  const requested = speechOf(context)
  const speech = requested.isChosen ? requested : { language: submitter.language, isChosen: false }
  return { speech, voice: voiceOf(speech, call.zone ?? event.timezone) }
}
