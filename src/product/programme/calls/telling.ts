import { newUuid } from '#base/ids.ts'
import { DAY } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as events from '#product/catalog/events/rules.ts'
import { endOf, phaseOf } from './deadline.ts'
import { findDue, markReminded } from './reminders.ts'
import type { Call } from './schemas.ts'

/** Names the kind of the job that writes to those who have not sent all that they have typed. */
export const TELL = 'calls.tell'
/** Names the actor of a job that nobody has started. */
const BY_ITSELF = 'server'
/** Of a call that was over for longer, those with drafts have given up. */
const EXTENDABLE = 30 * DAY

/** What people are told. The job keeps it, so it has no personal data. */
export type Telling = {
  kind: 'abstract_reminder' | 'abstract_extended'
  /** The cause of the mails. Nobody gets two with the same cause. */
  cause: string
  /** In milliseconds. Those who have begun later know it already. */
  until: number
  /** The deadline, in milliseconds. Once there is another, nobody is told of this one. */
  closes_at: number
}

/**
 * Starts a job that reminds those who have drafts, if it is time for that and they were not reminded of this deadline.
 *
 * @returns undefined if there was nothing to do
 */
export async function remind(tx: WriteTx, eventId: string): Promise<Job | undefined> {
  // It was deleted after somebody saw that it is time.
  if ((await events.findId(tx, eventId)) === undefined) return undefined
  const { timezone, status } = await events.getDetails(tx, eventId)
  if (status !== 'published') return undefined
  const due = await findDue(tx, eventId, timezone, tx.clock())
  if (due === undefined) return undefined
  await markReminded(tx, eventId, due)
  const { closes_at, days, at: until } = due
  const cause = `${eventId} ${closes_at} ${days}`
  return start(tx, eventId, { kind: 'abstract_reminder', cause, until, closes_at })
}

type Deadline = Pick<Call, 'opens_at' | 'closes_at'>

/** Starts a job that tells those who have drafts that they have longer, if a change of a call gives them that. */
export async function tellExtension(
  tx: WriteTx,
  eventId: string,
  { was, is }: { was: Deadline; is: Deadline },
): Promise<void> {
  const now = tx.clock()
  const [before, after] = [was, is].map(({ closes_at }) => endOf(Date.parse(closes_at))) as [number, number]
  if (after <= before || phaseOf(was, now) === 'before' || now >= before + EXTENDABLE) return
  if (phaseOf(is, now) !== 'open') return
  const { status } = await events.getDetails(tx, eventId)
  if (status !== 'published') return
  const of = { kind: 'abstract_extended', cause: newUuid(), until: now } as const
  await start(tx, eventId, { ...of, closes_at: Date.parse(is.closes_at) })
}

function start(tx: WriteTx, eventId: string, input: Telling): Promise<Job> {
  return jobs.start(tx, { kind: TELL, eventId, input, total: null, by: BY_ITSELF })
}
