import type { Page, Position } from '../db/keyset.ts'
import type { RunningJob } from '../jobs/rules.ts'
import type { Recipient, Some } from './audience.ts'

/** How long a batch takes at most, in milliseconds, and its registrations: the writes of everybody else wait for it. */
const BATCH_TIME = 4
const BATCH = 20

/** What a batch has written. */
export interface Written {
  /** The last whose people have their mails; undefined where there is none yet. */
  after: Position | undefined
  /** Mails of the whole job. */
  done: number
  finished: boolean
}

/**
 * Writes the mails of the next people of a job.
 *
 * @param list those after a position, in their order: who came once the job was begun is at the end, or left out
 * @param until in milliseconds: who came later gets none
 * @param write says whether somebody gets a mail who did not
 */
export async function writeBatch(
  { done }: Pick<RunningJob, 'done'>,
  { after, until }: { after: Position | undefined; until: number },
  list: (page: Page) => Promise<Some[]>,
  write: (recipient: Recipient, position: Position) => Promise<boolean>,
): Promise<Written> {
  const deadline = performance.now() + BATCH_TIME
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
