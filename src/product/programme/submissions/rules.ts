import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { HOUR } from '#base/time.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { reserveSlot } from '#machinery/mail/pacing.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as abstracts from '#product/programme/abstracts/submitted.ts'
import { type Arrival, isInTime, phaseOf } from '#product/programme/calls/deadline.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import type { Language } from '#texts/languages.ts'
import { linkMail } from './kinds.ts'
import {
  type Draft,
  MAX_DRAFT,
  presentSubmission,
  presentSubmitter,
  type Submission,
  type Submitter,
} from './schemas.ts'
import * as store from './store.ts'

/** An event takes this many that were begun and not sent; then an e-mail has to be confirmed first. */
export const MOST_BEGUN = 10_000
/** One person begins this many. */
export const MOST_OF_PERSON = 60
/** How many mails with links one address gets in an hour, of all events of an account. */
const MOST_LINKS = 3

/** A submission with its person. */
export interface Submitted {
  submission: Submission
  submitter: Submitter
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, id: string): Promise<Submitted> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return { submission: presentSubmission(row), submitter: await getSubmitter(tx, row.submitter_id) }
}

/** Returns the submission of an abstract. @returns undefined if a file has brought it */
export async function findByAbstract(tx: ReadTx, abstractId: string): Promise<Submitted | undefined> {
  const row = await store.findByAbstract(tx, abstractId)
  return row && get(tx, row.id)
}

/** @throws Problem not_found */
export async function getSubmitter(tx: ReadTx, id: string): Promise<Submitter> {
  const row = await store.findSubmitter(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return presentSubmitter(row)
}

/** Returns the account of a submission, or of a person who submits, for a link, which names no account. */
export async function findAccount(
  tx: InstanceReadTx,
  of: 'submission' | 'submitter',
  id: string,
): Promise<string | undefined> {
  const row = await (of === 'submission' ? store.findAccount(tx, id) : store.findAccountOfSubmitter(tx, id))
  return row?.account_id
}

/** Lists all that a person has begun, the oldest first. */
export async function listBySubmitter(tx: ReadTx, submitterId: string): Promise<Submission[]> {
  return (await store.listBySubmitter(tx, submitterId, 2 * MOST_OF_PERSON)).map(presentSubmission)
}

export interface NewSubmission {
  /** The id of the form. Sent twice, it begins one. */
  formId: string
  /** The revision of what this form has begun before, as far as whoever sends it has seen it; 0 for nothing. */
  seen: number
  name: string
  email: string
  language: Language
  draft: Draft
  arrival: Omit<Arrival, 'lateUntil'>
  /** The networks that the person comes from, hashed, the narrowest first. Without them, the mail is not counted. */
  networks: readonly string[]
  /** The person, if their own link has led them here. Without it, nobody knows whose e-mail was typed. */
  submitterId?: string | undefined
}

/** What has become of a form that begins an abstract. */
export type Begun =
  | { is: 'begun'; begun: Submitted }
  /** What it has begun before says something else by now, which its sender has not seen. */
  | { is: 'elsewhere'; begun: Submitted }
  /** So much is begun that the person has to open the mailed link first, and begins from there. */
  | { is: 'to_confirm' }

/**
 * Keeps the first draft of an abstract, and mails its person the link to all that they have. Nobody has to wait for that mail: what
 * is returned leads on. The same form again goes on with what it has begun, as long as its links are good.
 *
 * @throws Problem not_found if the event has no call; call_not_open; call_over; too_many_drafts; draft_too_long; those of `save`
 */
export async function begin(tx: WriteTx, eventId: string, input: NewSubmission): Promise<Begun> {
  const call = await calls.get(tx, eventId)
  const submitter = await takeSubmitter(tx, call.event_id, input)
  // A form leads to what it has begun as its link does: not any more once that was renewed, nor anybody else.
  const form_id = [input.formId, submitter.id, submitter.secret_version].join(' ')
  const before = await store.findByForm(tx, call.event_id, form_id)
  if (before !== undefined) return goOn(tx, { submission: presentSubmission(before), submitter }, input)
  const isKnown = input.submitterId !== undefined
  refuseLate(call, { ...input.arrival, lateUntil: isKnown ? instantOf(submitter.late_until) : null })
  // What somebody else begins under an e-mail takes nothing from its owner.
  const of = { isSent: false, isConfirmed: isKnown }
  const hasMost = (await store.countOfSubmitter(tx, submitter.id, of, MOST_OF_PERSON)) >= MOST_OF_PERSON
  if (isKnown && hasMost) throw new Problem('too_many_drafts')
  const { networks } = input
  if (
    !isKnown &&
    (hasMost || (await store.countUpTo(tx, call.event_id, 'begun', MOST_BEGUN)) >= MOST_BEGUN)
  ) {
    await mailLink(tx, submitter, { cause: `${submitter.id} ${await tx.now()}`, networks })
    return { is: 'to_confirm' }
  }
  const now = await tx.now()
  const row = {
    ...{ id: newUuid(), event_id: call.event_id, submitter_id: submitter.id, form_id },
    ...{ draft: textOf(input.draft), confirmed_at: isKnown ? now : null },
  }
  const submission = presentSubmission((await store.insert(tx, row, now)) as store.SubmissionRow)
  if (!isKnown) await mailLink(tx, submitter, { cause: submission.id, networks })
  return { is: 'begun', begun: { submission, submitter } }
}

/** Takes the same form again: its second click, or what somebody has written on who has gone back to it. */
async function goOn(tx: WriteTx, begun: Submitted, input: NewSubmission): Promise<Begun> {
  const { submission, submitter } = begun
  const { draft, arrival, seen } = input
  const isSame = JSON.stringify(submission.draft) === JSON.stringify(draft)
  if (isSame || input.submitterId !== undefined) return { is: 'begun', begun }
  const revision = seen === 0 ? store.FIRST_REVISION : seen
  if (submission.draft_revision !== revision) return { is: 'elsewhere', begun }
  const saved = await save(tx, submission.id, draft, { ...arrival, revision })
  return { is: 'begun', begun: { submission: saved, submitter } }
}

/** Returns the person of an e-mail, who may be new. */
export async function takeSubmitter(
  tx: WriteTx,
  eventId: string,
  input: Pick<NewSubmission, 'name' | 'email' | 'language' | 'submitterId'>,
): Promise<Submitter> {
  if (input.submitterId !== undefined) return getSubmitter(tx, input.submitterId)
  const { name, email, language } = input
  const row = { id: newUuid(), event_id: eventId, name, email, email_key: emailKey(email), language }
  // Whoever types somebody else's e-mail changes nothing of that person.
  await store.insertSubmitter(tx, row, await tx.now())
  return presentSubmitter((await store.findSubmitterByKey(tx, eventId, row.email_key)) as store.SubmitterRow)
}

/**
 * Mails a person the link to all that they have in an event, at most some times an hour.
 *
 * @param cause what sets the mail off, once
 */
async function mailLink(
  tx: WriteTx,
  { id, email, language, event_id: eventId }: Submitter,
  { cause, networks }: { cause: string; networks: readonly string[] },
): Promise<void> {
  const of = { recipient: email, kind: linkMail.name, since: (await tx.now()) - HOUR }
  if ((await emails.countToSince(tx, of, MOST_LINKS)) >= MOST_LINKS) return
  const wanted = { networks, paces: ['buyers'], subjectId: id } as const
  const due = networks.length === 0 ? tx.clock() : await reserveSlot(tx, wanted)
  if (due === undefined) return
  await queue(tx, linkMail, { cause, recipient: email, language, eventId, subjectId: id, due })
}

/**
 * Mails somebody who has lost it the link to all that they have in an event. It does so for nobody else, and the caller answers
 * everybody alike.
 */
export async function requestLink(
  tx: WriteTx,
  eventId: string,
  { email, networks }: { email: string; networks: readonly string[] },
): Promise<void> {
  const row = await store.findSubmitterByKey(tx, eventId, emailKey(email))
  if (row === undefined) return
  await mailLink(tx, presentSubmitter(row), { cause: `${row.id} ${await tx.now()}`, networks })
}

/** What somebody sends who has a submission before them. */
export interface Sending extends Omit<Arrival, 'lateUntil'> {
  /** The revision of the draft that they have seen. */
  revision: number
}

/**
 * Keeps what somebody has typed.
 *
 * @throws Problem not_found; call_not_open; call_over; abstract_withdrawn; abstract_decided; draft_too_long; seen_changed if
 *   something else was saved since they looked
 */
export async function save(tx: WriteTx, id: string, draft: Draft, sending: Sending): Promise<Submission> {
  const { submission } = await getOpen(tx, id, sending)
  refuseChanged(submission, sending)
  const row = await store.setDraft(tx, submission.id, textOf(draft), await tx.now())
  return presentSubmission(row as store.SubmissionRow)
}

/**
 * Returns a submission that its person may still change, with its call.
 *
 * @throws Problem those of `save`
 */
export async function getOpen(
  tx: ReadTx,
  id: string,
  arrival: Omit<Arrival, 'lateUntil'>,
): Promise<Submitted & { call: Call }> {
  const { submission, submitter } = await get(tx, id)
  const call = await calls.get(tx, submission.event_id)
  refuseLate(call, { ...arrival, lateUntil: instantOf(submitter.late_until) })
  if (submission.abstract_id !== null) await abstracts.refuseEnded(tx, submission.abstract_id)
  return { submission, submitter, call }
}

/** @throws Problem seen_changed */
export function refuseChanged({ draft_revision }: Submission, { revision }: Sending): void {
  if (draft_revision !== revision) throw new Problem('seen_changed')
}

/** @throws Problem call_not_open, call_over */
function refuseLate(call: Call, arrival: Arrival): void {
  if (isInTime(call, arrival)) return
  throw new Problem(phaseOf(call, arrival.begunAt) === 'before' ? 'call_not_open' : 'call_over')
}

/** @throws Problem draft_too_long */
function textOf(draft: Draft): string {
  const text = JSON.stringify(draft)
  if (text.length > MAX_DRAFT) throw new Problem('draft_too_long')
  return text
}

function instantOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso)
}

/**
 * Notes that the mailed link has reached a person, and that all that was begun under the address is theirs.
 *
 * @throws Problem not_found
 */
export async function confirm(tx: WriteTx, submitterId: string): Promise<void> {
  const { id } = await getSubmitter(tx, submitterId)
  await store.confirm(tx, id, await tx.now())
}
