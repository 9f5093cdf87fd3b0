import { REFUND_EVENT } from '../cancellations/event.ts'
import { CANCEL } from '../cancellations/rules.ts'
import type { Job } from '../jobs/schemas.ts'
import { SEND } from '../notices/send.ts'
import { offerMore } from '../orders/offers.ts'
import { allProblems, type ProblemCode } from '../problem.ts'
import { tellProblem } from '../web/texts/tell-problem.ts'
import type { Texts } from '../web/texts/texts.ts'
import { paths } from './paths.ts'

/** What the page of a job says of its kind. */
export interface JobKindTexts {
  title: (texts: Texts, job: Job) => string
  /** The figures of its outcome, by their names in it: those that are 0 are left out, but for the first. */
  outcome: readonly (readonly [name: string, label: (texts: Texts) => string])[]
  /** Where it leads back to, and on. */
  links: (texts: Texts, eventId: string, job: Job) => readonly { href: string; text: string }[]
}

const toGuests: JobKindTexts['links'] = (texts, eventId) => [
  { href: paths.guests(eventId), text: texts.jobs.back },
]

const kinds: Readonly<Record<string, JobKindTexts>> = {
  [CANCEL]: {
    title: (texts, { total }) => texts.jobs.cancelling(total ?? 0),
    outcome: [
      ['cancelled', texts => texts.jobs.cancelled],
      ['tickets', texts => texts.jobs.ticketsVoided],
      ['refund_required', texts => texts.jobs.keptPaid],
      ['already_cancelled', texts => texts.jobs.keptCancelled],
      ['not_cancellable', texts => texts.jobs.keptOther],
    ],
    links: toGuests,
  },
  [REFUND_EVENT]: {
    title: texts => texts.jobs.refundingEvent,
    outcome: [
      ['refunded', texts => texts.jobs.refunded],
      ['cancelled', texts => texts.jobs.endedFree],
      ['tickets', texts => texts.jobs.ticketsVoided],
      ['by_hand', texts => texts.jobs.byHand],
    ],
    links: (texts, eventId) => [{ href: paths.orders(eventId), text: texts.orders.title }],
  },
  [offerMore.name]: { title: texts => texts.jobs.offering, outcome: [], links: toGuests },
  [SEND]: {
    title: ({ notices }, { input }) => notices.job[String(input.kind)] ?? '',
    outcome: [],
    links: ({ notices }, eventId) => [{ href: paths.messages(eventId), text: notices.back }],
  },
}

/** Of a kind that says nothing of itself. */
const anyKind: JobKindTexts = { title: texts => texts.jobs.work, outcome: [], links: toGuests }

/** Why a job failed. */
export function tellCode({ outcome }: Job, texts: Texts): string {
  const code = String(outcome?.code ?? '')
  const known = code in allProblems ? (code as ProblemCode) : 'internal_error'
  return tellProblem(texts, { code: known, details: {}, message: code })
}

/** Whether it failed because whoever started it may not do it any more. */
export function isOfStarter({ outcome }: Job): boolean {
  return outcome?.code === 'no_longer_allowed'
}

export function textsOfKind({ kind }: Job): JobKindTexts {
  return kinds[kind] ?? anyKind
}
