import { emailKey } from '#base/fields.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailText, MailToSend, Server } from '#machinery/mail/kind.ts'
import { findOwn } from '#machinery/mail/own-texts.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { listOfEvent } from '#product/programme/abstracts/of-event.ts'
import { getSubmitted, type SubmittedAbstract } from '#product/programme/abstracts/submitted.ts'
import { findTerms } from '#product/programme/abstracts/terms.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { hasComments } from '#product/programme/reviews/reviews.ts'
import { ownLinkFor } from '#product/programme/submissions/own-link.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import { kindOf } from './kinds.ts'
import { presentersOf } from './presenters.ts'
import { findCode } from './registration-codes.ts'

/** What a mail about a decision says beside the abstract. */
export interface Told {
  decision: 'accepted' | 'rejected'
  note: string | null
  /** The name of the kind that it is accepted as. It is null for a rejected one, and where no kinds are asked for. */
  kind: string | null
  /** An instant in milliseconds. */
  confirm_by: number | null
  comments: boolean
  /** The code that its presenter registers with. */
  registration: string | null
}

/** The mails about decisions. One is dropped if the abstract has been decided otherwise meanwhile. */
export const decisionMails: readonly MailKind[] = [ofDecision('accepted'), ofDecision('rejected')]

function ofDecision(status: Told['decision']): MailKind {
  return {
    ...kindOf[status],
    isOfEvent: true,
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
  mail: MailToSend,
  server: Server,
): Promise<Content | undefined> {
  const { recipient, language, details } = mail
  const told = await toldOf(tx, abstract, abstract.status as Told['decision'])
  if (details.to === 'presenter') {
    const person = presentersOf(abstract).find(({ email }) => emailKey(email) === emailKey(recipient))
    if (person === undefined) return undefined
    const open = { ...told, confirm_by: null, comments: false, registration: null }
    return contentOf(tx, abstract, open, language, person)
  }
  const link = await ownLinkFor(tx, abstract.id, mail, server)
  const own = link === undefined ? { ...told, confirm_by: null, comments: false } : told
  const content = await contentOf(tx, abstract, own, language, { name: abstract.contact.name, server })
  if (link === undefined) return content
  const secrets = [...link.secrets, ...(own.registration === null ? [] : [own.registration])]
  return { ...content, button: link.button, secrets }
}

/** Returns what is to be told of an abstract as it stands. */
async function toldOf(tx: ReadTx, abstract: SubmittedAbstract, decision: Told['decision']): Promise<Told> {
  const terms = await findTerms(tx, abstract.id)
  const code = terms && (await findCode(tx, terms))
  return {
    decision,
    note: abstract.decision_note,
    kind: decision === 'accepted' ? (abstract.kind?.name ?? null) : null,
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

/** Returns the name of the kind that an abstract is about to be accepted as. @param kindId null for what its authors asked for */
export async function nameKind(
  tx: ReadTx,
  { event_id, kind_id }: Pick<SubmittedAbstract, 'event_id' | 'kind_id'>,
  kindId: string | null,
): Promise<string | null> {
  const id = kindId ?? kind_id
  if (id === null) return null
  return (await calls.find(tx, event_id))?.kinds.find(kind => kind.id === id)?.name ?? null
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
  const { name: kind } = kindOf[decision]
  const own = await findOwn(tx, abstract.event_id, { kind, language })
  // A decision without a proposal is for the kind that its authors asked for, whatever the one before was for.
  const kindName = decision === 'accepted' ? await nameKind(tx, abstract, null) : null
  const said = told ?? { ...(await toldOf(tx, abstract, decision)), kind: kindName }
  const { values } = await contentOf(tx, abstract, said, language)
  return { text: own ?? textsIn(language).mails[kind], values }
}
