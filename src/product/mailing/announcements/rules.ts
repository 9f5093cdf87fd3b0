import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { checkPlaceholders } from '../emails/own-texts.ts'
import { isUuid, newUuid } from '../ids.ts'
import * as jobs from '../jobs/rules.ts'
import type { Job } from '../jobs/schemas.ts'
import { Problem } from '../problem.ts'
import { type Listed, toListed } from '../resource.ts'
import type { Language } from '../web/texts/languages.ts'
import { type Announcement, type Audience, placeholders } from './schemas.ts'
import * as store from './store.ts'

/** The kind of the job that writes the mails of an announcement. */
export const SEND = 'announcements.send'

export type AnnouncementInput = Pick<Announcement, 'subject' | 'body' | 'audience'>

/** @throws Problem not_found, also for one of another event */
export async function get(tx: ReadTx, accountId: string, eventId: string, id: string): Promise<Announcement> {
  const row = isUuid(id) ? await store.find(tx, accountId, id.toLowerCase()) : undefined
  if (row === undefined || row.event_id !== eventId) throw new Problem('not_found')
  return present(row)
}

/** Of an event, newest first. */
export async function list(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  page: Page,
): Promise<Iterable<Listed<Announcement>>> {
  return toListed(await store.listPage(tx, accountId, eventId, page), present)
}

/**
 * Writes a draft.
 *
 * @param by as the access log names an actor
 * @throws Problem invalid_parameter as `checkPlaceholders`
 */
export async function create(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  input: AnnouncementInput,
  by: string,
): Promise<Announcement> {
  checkPlaceholders(input, placeholders)
  const id = newUuid()
  const { subject, body, audience } = input
  const row = { id, event_id: eventId, subject, body, audience: JSON.stringify(audience), created_by: by }
  await store.insert(tx, accountId, row, await tx.now())
  return get(tx, accountId, eventId, id)
}

/** @throws Problem not_found; announcement_sent; invalid_parameter as `checkPlaceholders` */
export async function update(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  id: string,
  changes: Partial<AnnouncementInput>,
): Promise<Announcement> {
  const draft = await getDraft(tx, accountId, eventId, id)
  const { subject, body, audience } = { ...draft, ...changes }
  checkPlaceholders({ subject, body }, placeholders)
  const row = { subject, body, audience: JSON.stringify(audience) }
  await store.update(tx, accountId, draft.id, row, await tx.now())
  return get(tx, accountId, eventId, id)
}

/** Deletes a draft. @throws Problem not_found; announcement_sent */
export async function remove(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  id: string,
): Promise<Announcement> {
  const draft = await getDraft(tx, accountId, eventId, id)
  await store.remove(tx, accountId, draft.id)
  return draft
}

/** One that was not sent. @throws Problem not_found; announcement_sent */
export async function getDraft(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  id: string,
): Promise<Announcement> {
  const announcement = await get(tx, accountId, eventId, id)
  if (announcement.status !== 'draft') throw new Problem('announcement_sent')
  return announcement
}

export interface Sending {
  /** How many recipients were told; null where nobody counted them all. */
  total: number | null
  /** Of the frame of mails to those whose language nobody knows. */
  language: Language
  /** As the access log names an actor. */
  by: string
}

/** Has a draft sent, by a job. @throws Problem not_found; announcement_sent */
export async function send(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  id: string,
  { total, language, by }: Sending,
): Promise<Announcement> {
  const draft = await getDraft(tx, accountId, eventId, id)
  const input = { announcement_id: draft.id, language }
  const job = await jobs.start(tx, accountId, { kind: SEND, eventId, input, total, by })
  await store.markSent(tx, accountId, draft.id, job.id, await tx.now())
  return get(tx, accountId, eventId, id)
}

/** Lets nothing more of it be sent, also of what waits in the outbox. A draft stays one. @throws Problem not_found */
export async function stop(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  id: string,
): Promise<Announcement> {
  const announcement = await get(tx, accountId, eventId, id)
  const job = await findJob(tx, accountId, announcement)
  if (job !== undefined) await jobs.stop(tx, accountId, job.id)
  await store.markStopped(tx, accountId, announcement.id, await tx.now())
  return get(tx, accountId, eventId, id)
}

/**
 * Goes on with one whose job broke, from the first of its recipients: nobody gets it twice.
 *
 * @throws Problem not_found, also where there is nothing to go on with
 */
export async function resume(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  id: string,
  by: string,
): Promise<Announcement> {
  const announcement = await get(tx, accountId, eventId, id)
  const job = await findJob(tx, accountId, announcement)
  if (job?.state !== 'failed' || announcement.status !== 'sent') throw new Problem('not_found')
  await jobs.restart(tx, accountId, job.id, { input: job.input, by })
  return announcement
}

/** The job of one that is no draft; undefined once it was cleaned away. */
export async function findJob(
  tx: ReadTx,
  accountId: string,
  { job_id }: Pick<Announcement, 'job_id'>,
): Promise<Job | undefined> {
  if (job_id === null) return undefined
  try {
    return await jobs.get(tx, accountId, job_id)
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}

function present(row: store.AnnouncementRow): Announcement {
  const status = row.sent_at === null ? 'draft' : row.stopped_at === null ? 'sent' : 'stopped'
  return { ...row, audience: JSON.parse(row.audience) as Audience, status }
}
