import { allProblems, type ProblemCode } from '#base/problem.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { withQuery } from '#machinery/web/link.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import { MARK_PRINTED } from '#product/entrance/badges/mark-printed.ts'
import { DECIDE, type ManyDecision, manyOutcomes } from '#product/entrance/check-ins/decide-many.ts'
import { SEND } from '#product/mailing/notices/send.ts'
import { REFUND_EVENT } from '#product/selling/event-cancellation/event.ts'
import { CANCEL } from '#product/selling/event-cancellation/rules.ts'
import { SEND_TICKETS } from '#product/selling/guest-mails/send-tickets.ts'
import { offerMore } from '#product/selling/orders/offers.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import type { Texts } from '#texts/texts.ts'

/** What the page of a job says about its kind. */
export interface JobKindTexts {
  title: (texts: Texts, job: Job) => string
  /** The figures of the outcome, by their names in it. Figures of 0 are left out, except the first. */
  outcome: readonly (readonly [name: string, label: (texts: Texts) => string])[]
  /** The links back, and to what comes next. */
  links: (texts: Texts, eventId: string, job: Job) => readonly { href: string; text: string }[]
  /** The page above the job's page. The default is the list of guests. */
  above?: (texts: Texts, eventId: string) => { href: string; text: string }
  /** The path of the page in the navigation from which such a job is started. The default is the list of guests. */
  belongsTo?: string
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
  [SEND_TICKETS]: {
    title: ({ sending }, { total }) => sending.job(total ?? 0),
    outcome: [
      ['mails', texts => texts.sending.jobMails],
      ['tickets', texts => texts.sending.jobTickets],
      ['kept', texts => texts.sending.jobKept],
    ],
    links: (texts, eventId) => [
      { href: paths.guests(eventId), text: texts.jobs.back },
      { href: paths.messages(eventId), text: texts.sending.toMessages },
    ],
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
    above: (texts, eventId) => ({ href: paths.event(eventId), text: texts.navigation.overview }),
    belongsTo: '/e/{event}',
  },
  [DECIDE]: {
    title: ({ doors }, { input }) => doors.deciding[input.decision as ManyDecision] ?? '',
    outcome: manyOutcomes.map(name => [name, ({ doors }: Texts) => doors.came[name]] as const),
    links: (texts, eventId, { input }) => {
      const show = input.decision === 'seen' ? 'conflict' : 'held'
      return [{ href: withQuery(paths.scans(eventId), { show }), text: texts.doors.backToScans }]
    },
    above: (texts, eventId) => ({ href: paths.doors(eventId), text: texts.doors.title }),
    belongsTo: '/e/{event}/check-in',
  },
  [MARK_PRINTED]: {
    title: ({ badges }, { total }) => badges.job(total ?? 0),
    outcome: [],
    links: ({ badges }, eventId) => [{ href: paths.badges(eventId), text: badges.title }],
    above: ({ badges }, eventId) => ({ href: paths.badges(eventId), text: badges.title }),
    belongsTo: '/e/{event}/check-in',
  },
  [offerMore.name]: { title: texts => texts.jobs.offering, outcome: [], links: toGuests },
  [SEND]: {
    title: ({ notices }, { input }) => notices.job[String(input.kind)] ?? '',
    outcome: [],
    links: ({ notices }, eventId) => [{ href: paths.messages(eventId), text: notices.back }],
    above: (texts, eventId) => ({ href: paths.messages(eventId), text: texts.navigation.messages }),
    belongsTo: '/e/{event}/messages',
  },
}

/** A kind without texts of its own gets these. */
const anyKind: JobKindTexts = { title: texts => texts.jobs.work, outcome: [], links: toGuests }

/** Says why a job failed. */
export function describeCode({ outcome }: Job, texts: Texts): string {
  const code = String(outcome?.code ?? '')
  const known = code in allProblems ? (code as ProblemCode) : 'internal_error'
  return describeProblem(texts, { code: known, details: {}, message: code })
}

/** Returns whether the job failed because the user who started it may not do it any more. */
export function isOfStarter({ outcome }: Job): boolean {
  return outcome?.code === 'no_longer_allowed'
}

export function textsOfKind({ kind }: Job): JobKindTexts {
  return kinds[kind] ?? anyKind
}
