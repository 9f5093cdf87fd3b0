import * as accessLog from '../access-log/store.ts'
import * as accounts from '../accounts/store.ts'
import { deleteExpired } from '../api/idempotency.ts'
import * as doorChanges from '../attendees/door-change-store.ts'
import * as statements from '../bank-statements/cleaning.ts'
import type { CleaningBatch } from '../db/batches.ts'
import type { Position } from '../db/keyset.ts'
import { type Database, INSTANCE, type Owner, type WriteTx } from '../db/port.ts'
import { CHANGES_KEPT } from '../doors/copy.ts'
import * as emails from '../emails/store.ts'
import * as formReceipts from '../form-receipts/store.ts'
import * as imports from '../imports/rules.ts'
import * as jobs from '../jobs/rules.ts'
import * as erasing from '../orders/erasing.ts'
import * as receipts from '../receipts/retention.ts'
import { type Clock, DAY } from '../time.ts'
import * as links from '../users/link-store.ts'
import * as sessions from '../users/session-store.ts'
import { deleteOldAttempts } from '../webhooks/all-accounts-store.ts'
import { EVENT_RETENTION } from '../webhooks/outbox.ts'
import * as webhooks from '../webhooks/store.ts'

/** Bytes count too, as deleting a long text reads each of its pages. */
const CLEANING_BATCH: CleaningBatch = { rows: 500, bytes: 4 * 1024 * 1024 }
/** Before every row. */
const START: Position = { created_at: 0, id: '' }

/** How long a form that was carried out is remembered: nobody sends it again after that. */
const RECEIPT_RETENTION = 7 * DAY
/** How long jobs that have ended are kept, and what they were given: the lines of an import are people's. */
const JOB_RETENTION = 30 * DAY
/** How long an order that came to nothing names its people. */
const ABANDONED_RETENTION = 30 * DAY
/** Such orders that one write makes anonymous: each has up to 20 tickets. */
const ABANDONED_A_WRITE = 5
/** How long it is told what was mailed to whom. */
const MAIL_RETENTION = 365 * DAY

/**
 * Deletes expired rows: idempotent answers, sessions, one-time links, deliveries with their attempts and events, receipts of
 * forms, mails, access log entries, jobs, and what doors have caught up with; makes the people of orders anonymous that came to nothing, and those of receipts
 * that need be kept no longer.
 */
export async function cleanUp(
  db: Pick<Database, 'read' | 'write'>,
  clock: Clock,
  accessLogDays: number,
  signal?: AbortSignal,
): Promise<void> {
  const now = clock()
  const isStopped = () => signal?.aborted === true
  const deleteAll = async (owner: Owner, work: (tx: WriteTx) => Promise<number>) => {
    while (!isStopped() && (await db.write(owner, work)) > 0);
  }
  const goThrough = async (
    owner: Owner,
    work: (tx: WriteTx, after: Position) => Promise<Position | undefined>,
  ) => {
    let next: Position | undefined = START
    while (next !== undefined && !isStopped()) {
      const after: Position = next
      next = await db.write(owner, tx => work(tx, after))
    }
  }
  await deleteAll(INSTANCE, tx => deleteExpired(tx, now, CLEANING_BATCH))
  await deleteAll(INSTANCE, tx => sessions.deleteExpired(tx, now, CLEANING_BATCH.rows))
  await deleteAll(INSTANCE, tx => links.deleteExpired(tx, now, CLEANING_BATCH.rows))
  const oldest = now - EVENT_RETENTION
  await deleteAll(INSTANCE, tx => deleteOldAttempts(tx, oldest, CLEANING_BATCH))
  for (const { id } of await db.read(tx => accounts.list(tx))) {
    // A write waits for the disk, also where there is nothing to delete.
    if (await db.read(tx => webhooks.hasOldEvents(tx, id, oldest))) {
      await goThrough(id, (tx, after) => webhooks.deleteOldDeliveries(tx, id, oldest, after, CLEANING_BATCH))
      await goThrough(id, (tx, after) => webhooks.deleteOldEvents(tx, id, oldest, after, CLEANING_BATCH))
    }
    const oldestReceipt = now - RECEIPT_RETENTION
    if (await db.read(tx => formReceipts.hasOlder(tx, id, oldestReceipt))) {
      await deleteAll(id, tx => formReceipts.deleteOlder(tx, id, oldestReceipt, CLEANING_BATCH))
    }
    const oldestChange = now - CHANGES_KEPT
    if (await db.read(tx => doorChanges.hasOlder(tx, id, oldestChange))) {
      await deleteAll(id, tx => doorChanges.deleteOlder(tx, id, oldestChange, CLEANING_BATCH.rows))
    }
    const oldestMail = now - MAIL_RETENTION
    if (await db.read(tx => emails.hasOlder(tx, id, oldestMail))) {
      await deleteAll(id, tx => emails.deleteOlder(tx, id, oldestMail, CLEANING_BATCH))
    }
    const abandoned = now - ABANDONED_RETENTION
    if (await db.read(tx => erasing.hasAbandoned(tx, id, abandoned))) {
      await deleteAll(id, tx => erasing.eraseAbandoned(tx, id, abandoned, ABANDONED_A_WRITE))
    }
    if (await db.read(tx => receipts.hasExpired(tx, id, now))) {
      await deleteAll(id, tx => receipts.eraseExpired(tx, id, now, CLEANING_BATCH.rows))
    }
    const oldestEntry = now - accessLogDays * DAY
    if (await db.read(tx => accessLog.hasOlder(tx, id, oldestEntry))) {
      await deleteAll(id, tx => accessLog.deleteOlder(tx, id, oldestEntry, CLEANING_BATCH))
    }
    if (await db.read(tx => statements.hasToClean(tx, id, now))) {
      await deleteAll(id, tx => statements.cleanSome(tx, id, now))
    }
    const findOldJob = () => db.read(tx => jobs.findOld(tx, id, { before: now - JOB_RETENTION, now }))
    for (let job = await findOldJob(); job !== undefined && !isStopped(); job = await findOldJob()) {
      const old = job
      await deleteAll(id, tx => imports.deleteLines(tx, id, old, CLEANING_BATCH))
      if (!isStopped()) await db.write(id, tx => jobs.remove(tx, id, old))
    }
  }
}
