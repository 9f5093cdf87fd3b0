import { emailKey } from '#base/fields.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailText, MailToSend, Server } from '#machinery/mail/kind.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { findOwn } from '#machinery/mail/own-texts.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { listOfEvent } from '#product/programme/abstracts/of-event.ts'
import type { Outcome } from '#product/programme/abstracts/rules.ts'
import { getSubmitted, type SubmittedAbstract } from '#product/programme/abstracts/submitted.ts'
import { findTerms } from '#product/programme/abstracts/terms.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import { hasComments } from '#product/programme/reviews/reviews.ts'
import { adopt } from '#product/programme/submissions/adopt.ts'
import { submissionUrl } from '#product/programme/submissions/links.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import { presentersOf } from './presenters.ts'
import { findCode } from './registration-codes.ts'

/** Tells an author that the abstract was accepted. */
export const acceptedMail = decisionMail('abstract_accepted', 'accepted')

/** Tells an author that the abstract was not accepted. */
export const rejectedMail = decisionMail('abstract_rejected', 'rejected')

/** What a mail about a decision says beside the abstract. */
export interface Told {
  decision: 'accepted' | 'rejected'
  note: string | null
  /** The name of the kind that it was accepted as, where that is not what its authors asked for. */
  kind: string | null
  /** An instant in milliseconds. */
  confirm_by: number | null
  comments: boolean
  /** The code that its presenter registers with. */
  registration: string | null
}

/** Makes a mail about a decision. The mail is dropped if the abstract has been decided otherwise meanwhile. */
function decisionMail(name: 'abstract_accepted' | 'abstract_rejected', status: Told['decision']): MailKind {
  return {
    name,
    lane: 'others',
    isOfEvent: true,
    placeholders: [
      ...['name', 'title', 'code', 'event', 'organizer', 'note'],
      ...(status === 'accepted' ? ['kind', 'confirm', 'registration', 'event_link'] : []),
      'comments',
    ],
    async read(tx, mail, server) {
      const abstract = await getSubmitted(tx, mail.subject_id as string)
      if (abstract.status !== status || abstract.decision_number !== mail.details.number) return undefined
      return readFor(tx, abstract, mail, server)
    },
    async example(tx, event_id, language) {
      const { rows } = await listOfEvent(tx, { event_id, state: status }, { limit: 1 })
      if (rows[0] === undefined) return undefined
      const abstract = await getSubmitted(tx, rows[0].id)
      return contentOf(tx, abstract, await toldOf(tx, abstract, status), language)
    },
  }
}

/** Reads what a mail says to its recipient. Only the person behind the abstract gets its link, and what belongs to it. */
async function readFor(
  tx: ReadTx,
  abstract: SubmittedAbstract,
  { recipient, language, details }: MailToSend,
  server: Server,
): Promise<Content | undefined> {
  const told = await toldOf(tx, abstract, abstract.status as Told['decision'])
  if (details.to === 'presenter') {
    const person = presentersOf(abstract).find(({ email }) => emailKey(email) === emailKey(recipient))
    if (person === undefined) return undefined
    const open = { ...told, confirm_by: null, comments: false, registration: null }
    return contentOf(tx, abstract, open, language, person)
  }
  const of = await submissions.findByAbstract(tx, abstract.id)
  const isOwn = of !== undefined && emailKey(of.submitter.email) === emailKey(recipient)
  const own = isOwn ? told : { ...told, confirm_by: null, comments: false }
  const content = await contentOf(tx, abstract, own, language, { name: abstract.contact.name, server })
  if (!isOwn) return content
  const link = submissionUrl(server, of.submitter, of.submission)
  const button = { label: textsIn(language).mail.buttons.submission, url: link }
  const secrets = [link, ...(own.registration === null ? [] : [own.registration])]
  return { ...content, button, secrets }
}

/** Returns what is to be told of an abstract as it stands. */
async function toldOf(tx: ReadTx, abstract: SubmittedAbstract, decision: Told['decision']): Promise<Told> {
  const terms = await findTerms(tx, abstract.id)
  const code = terms && (await findCode(tx, terms))
  return {
    decision,
    note: abstract.decision_note,
    kind: abstract.decided_kind_id === null ? null : (abstract.kind?.name ?? null),
    confirm_by: abstract.confirmed_at === null ? (terms?.confirm_by ?? null) : null,
    comments: terms?.comments_told_at != null && (await hasComments(tx, abstract.id)),
    registration: code?.active && code.used === 0 ? code.code : null,
  }
}

async function contentOf(
  tx: ReadTx,
  abstract: SubmittedAbstract,
  told: Told,
  language: Language,
  { name = abstract.contact.name, server }: { name?: string; server?: Server } = {},
): Promise<Content> {
  const account = await accounts.getDetails(tx)
  const event = await events.getDetails(tx, abstract.event_id)
  const { decisionMails: texts } = textsIn(language)
  const { kind, confirm_by, registration } = told
  const until =
    confirm_by === null
      ? ''
      : deadlineText({ closes_at: new Date(confirm_by).toISOString(), zone: null }, event.timezone, language)
  const page = server && account.slug !== null ? `${server.baseUrl}/${account.slug}/${event.slug}/` : ''
  return {
    from: account.name,
    replyTo: event.contact_email ?? account.email,
    values: {
      ...{ name, title: abstract.title, code: abstract.code, event: event.title, organizer: account.name },
      note: told.note ?? '',
      kind: kind === null ? '' : texts.kind(kind),
      confirm: confirm_by === null ? '' : texts.confirm(until),
      registration: registration === null ? '' : texts.registration(registration),
      event_link: registration === null ? '' : page,
      comments: told.comments ? texts.comments : '',
    },
  }
}

/** The content of a mail about a decision. */
export interface DecisionPreview {
  text: MailText
  values: Content['values']
}

/**
 * Returns the content of the mail about a decision to the contact of an abstract. It uses the organizer's own words if there are
 * any.
 *
 * @param told what it says if it is not decided yet as it will be
 */
export async function previewDecision(
  tx: ReadTx,
  abstract: SubmittedAbstract,
  decision: 'accepted' | 'rejected',
  language: Language,
  told?: Told,
): Promise<DecisionPreview> {
  const { name: kind } = decision === 'accepted' ? acceptedMail : rejectedMail
  const own = await findOwn(tx, abstract.event_id, { kind, language })
  const said = told ?? { ...(await toldOf(tx, abstract, decision)), kind: null }
  const { values } = await contentOf(tx, abstract, said, language)
  return { text: own ?? textsIn(language).mails[kind], values }
}

/**
 * Mails the contact of an abstract about the decision, in the transaction of the decision: once about each that says something else. It
 * sends nothing if the abstract is in review again, or to people who were made anonymous. The contact of what a file has brought
 * becomes the person behind it, who gets its link.
 *
 * @param language for those whose language nobody knows
 * @returns how many mails were written
 */
export async function queueDecision(
  tx: WriteTx,
  { resource, number }: Pick<Outcome, 'resource' | 'number'>,
  language: Language,
  { presenters = false } = {},
): Promise<number> {
  const { id, status, contact } = resource
  if (status !== 'accepted' && status !== 'rejected') return 0
  const of = await adopt(tx, id, language)
  const others = presenters ? presentersOf(resource) : []
  const people = [
    { email: contact.email, language: of?.submitter.language ?? language, details: { number } },
    ...others.map(({ email }) => ({ email, language, details: { number, to: 'presenter' } })),
  ]
  let count = 0
  for (const { email: recipient, language: own, details } of people) {
    if (recipient === ERASED_EMAIL) continue
    const mail = { cause: `${id} ${number}`, recipient, language: own, details }
    const kind = status === 'accepted' ? acceptedMail : rejectedMail
    if (await queue(tx, kind, { ...mail, eventId: resource.event_id, subjectId: id })) count++
  }
  return count
}
