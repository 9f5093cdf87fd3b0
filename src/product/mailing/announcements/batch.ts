import type { Page, Position } from '#machinery/db/keyset.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { RunningJob } from '#product/administration/jobs/rules.ts'
import type { Recipient, Some } from './audience.ts'

/** The most registrations of a batch. */
const BATCH = 20

/** Says what a batch has written. */
export interface Written {
  /** The last position whose people have their mails. It is undefined if there is none yet. */
  after: Position | undefined
  /** The number of mails of the whole job. */
  done: number
  finished: boolean
}

/**
 * Writes the mails of the next people of a job.
 *
 * @param list lists those after a position, in their order; those added after the job started are at the end or left out
 * @param until an instant in milliseconds; those added later get no mail
 * @param write returns whether somebody gets a mail who did not have it
 */
export async function writeBatch(
  tx: WriteTx,
  { done }: Pick<RunningJob, 'done'>,
  { after, until }: { after: Position | undefined; until: number },
  list: (page: Page) => Promise<Some[]>,
  write: (recipient: Recipient, position: Position) => Promise<boolean>,
): Promise<Written> {
  const deadline = performance.now() + tx.batchTime
  const some = await list({ limit: BATCH, after })
  const due = some.filter(({ position }) => position.created_at <= until)
  const written: Written = { after, done, finished: false }
  let at = 0
  for (; at < due.length && (at === 0 || performance.now() < deadline); at++) {
    const { position, recipients } = due[at] as Some
    for (const recipient of recipients) if (await write(recipient, position)) written.done++
    written.after = position
  }
  return { ...written, finished: at === due.length && due.length < BATCH }
}
