import { isUuid, newUuid } from '#base/ids.ts'
import { Problem, unlessMissing } from '#base/problem.ts'
import { type Listed, toListed } from '#base/resource.ts'
import type { Page } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { checkPlaceholders } from '#machinery/mail/own-texts.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import type { Language } from '#texts/languages.ts'
import { type Announcement, type Audience, placeholdersFor } from './schemas.ts'
import * as store from './store.ts'

/** Names the kind of the job that writes the mails of an announcement. */
export const SEND = 'announcements.send'

export type AnnouncementInput = Pick<Announcement, 'subject' | 'body' | 'audience'>

/** @throws Problem not_found, also for an announcement of another event */
export async function get(tx: ReadTx, eventId: string, id: string): Promise<Announcement> {
  const row = isUuid(id) ? await store.find(tx, id.toLowerCase()) : undefined
  if (row === undefined || row.event_id !== eventId) throw new Problem('not_found')
  return present(row)
}

/** Lists the announcements of an event, newest first. */
export async function list(tx: ReadTx, eventId: string, page: Page): Promise<Iterable<Listed<Announcement>>> {
  return toListed(await store.listPage(tx, eventId, page), present)
}

/**
 * Writes a draft.
 *
 * @param by the actor's name in the access log
 * @throws Problem invalid_parameter as `checkPlaceholders`
 */
export async function create(
  tx: WriteTx,
  eventId: string,
  input: AnnouncementInput,
  by: string,
): Promise<Announcement> {
  checkPlaceholders(input, placeholdersFor(input.audience))
  const id = newUuid()
  const { subject, body, audience } = input
  const row = { id, event_id: eventId, subject, body, audience: JSON.stringify(audience), created_by: by }
  await store.insert(tx, { ...row, origin_id: null }, await tx.now())
  return get(tx, eventId, id)
}

/** @throws Problem not_found; announcement_sent; invalid_parameter as `checkPlaceholders` */
export async function update(
  tx: WriteTx,
  eventId: string,
  id: string,
  changes: Partial<AnnouncementInput>,
): Promise<Announcement> {
  const draft = await getDraft(tx, eventId, id)
  const { subject, body, audience } = { ...draft, ...changes }
  checkPlaceholders({ subject, body }, placeholdersFor(audience))
  const row = { subject, body, audience: JSON.stringify(audience) }
  await store.update(tx, draft.id, row, await tx.now())
  return get(tx, eventId, id)
}

/** Deletes a draft. @throws Problem not_found; announcement_sent */
export async function remove(tx: WriteTx, eventId: string, id: string): Promise<Announcement> {
  const draft = await getDraft(tx, eventId, id)
  await store.remove(tx, draft.id)
  return draft
}

/**
 * Returns an announcement that was not sent.
 *
 * @throws Problem not_found; announcement_sent
 */
export async function getDraft(tx: ReadTx, eventId: string, id: string): Promise<Announcement> {
  const announcement = await get(tx, eventId, id)
  if (announcement.status !== 'draft') throw new Problem('announcement_sent')
  return announcement
}

export interface Sending {
  /** The number of recipients that the organizer was shown. It is null if nobody counted them all. */
  total: number | null
  /** The language of the mail's frame for those whose language is not known. */
  language: Language
  /** The actor's name in the access log. */
  by: string
}

/**
 * Starts a job that sends a draft.
 *
 * @throws Problem not_found; announcement_sent
 */
export async function send(
  tx: WriteTx,
  eventId: string,
  id: string,
  { total, language, by }: Sending,
): Promise<Announcement> {
  const draft = await getDraft(tx, eventId, id)
  const input = { announcement_id: draft.id, language }
  const job = await jobs.start(tx, { kind: SEND, eventId, input, total, by })
  await store.markSent(tx, draft.id, job.id, await tx.now())
  return get(tx, eventId, id)
}

/**
 * Stops an announcement, so that nothing more of it is sent, not even from the outbox. A draft stays a draft.
 *
 * @throws Problem not_found
 */
export async function stop(tx: WriteTx, eventId: string, id: string): Promise<Announcement> {
  const announcement = await get(tx, eventId, id)
  const job = await findJob(tx, announcement)
  if (job !== undefined) await jobs.stop(tx, job.id)
  await store.markStopped(tx, announcement.id, await tx.now())
  return get(tx, eventId, id)
}

/**
 * Restarts an announcement whose job failed, from the first of its recipients. Nobody gets it twice.
 *
 * @throws Problem not_found, also if there is nothing to restart
 */
export async function resume(tx: WriteTx, eventId: string, id: string, by: string): Promise<Announcement> {
  const announcement = await get(tx, eventId, id)
  const job = await findJob(tx, announcement)
  if (job?.state !== 'failed' || announcement.status !== 'sent') throw new Problem('not_found')
  await jobs.restart(tx, job.id, { input: job.input, by })
  return announcement
}

/** Finds the job of an announcement that is not a draft. It returns undefined once the job was cleaned away. */
export async function findJob(
  tx: ReadTx,
  { job_id }: Pick<Announcement, 'job_id'>,
): Promise<Job | undefined> {
  return job_id === null ? undefined : unlessMissing(jobs.get(tx, job_id))
}

/** Presents a row. */
export function present(row: store.AnnouncementRow): Announcement {
  const status = row.sent_at === null ? 'draft' : row.stopped_at === null ? 'sent' : 'stopped'
  return { ...row, audience: JSON.parse(row.audience) as Audience, status }
}
