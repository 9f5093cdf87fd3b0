import type { Clock } from '#base/time.ts'
import { cleaning as ofAnswers } from '#faces/api/cleaning.ts'
import type { CleaningBatch } from '#machinery/db/batches.ts'
import type { AccountCleaning, AccountPass, Cleaning, InstanceCleaning } from '#machinery/db/cleaning.ts'
import type { Position } from '#machinery/db/keyset.ts'
import { type Database, DatabaseUnavailable, INSTANCE } from '#machinery/db/port.ts'
import { cleaning as ofMails } from '#machinery/mail/cleaning.ts'
import { cleaning as ofAccessLog } from '#product/administration/access-log/cleaning.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { cleaning as ofSentForms } from '#product/administration/sent-forms/cleaning.ts'
import { cleaning as ofUsers } from '#product/administration/users/cleaning.ts'
import { cleaning as ofWebhooks } from '#product/administration/webhooks/cleaning.ts'
import { cleaning as ofDeletions } from '#product/data-care/deletion/cleaning.ts'
import { cleaning as ofAttendees } from '#product/guests/attendees/cleaning.ts'
import { cleaning as ofImports } from '#product/guests/imports/cleaning.ts'
import { cleaning as ofFiles } from '#product/programme/files/cleaning.ts'
import { cleaning as ofSubmissions } from '#product/programme/submissions/cleaning.ts'
import { cleaning as ofStatements } from '#product/selling/bank-statements/cleaning.ts'
import { cleaning as ofOrders } from '#product/selling/orders/cleaning.ts'
import { cleaning as ofReceipts } from '#product/selling/receipts/cleaning.ts'

/** Bytes count too, because deleting a long text reads each of its pages. */
const CLEANING_BATCH: CleaningBatch = { rows: 500, bytes: 4 * 1024 * 1024 }
/** This position is before every row. */
const START: Position = { created_at: 0, id: '' }

/** Returns all cleanings, in the order in which they run. */
function listCleanings(accessLogDays: number): readonly Cleaning[] {
  return [
    ...ofAnswers,
    ...ofUsers,
    ...ofWebhooks,
    ...ofSentForms,
    ...ofAttendees,
    ...ofMails,
    ...ofOrders,
    ...ofReceipts,
    ...ofAccessLog(accessLogDays),
    ...ofStatements,
    ...ofSubmissions,
    ...ofFiles,
    ...ofImports,
    ...ofDeletions,
  ]
}

export interface CleanUpOptions {
  /** Ends the cleaning in the middle. The rest waits for the next time. */
  signal?: AbortSignal
  /** Receives the name and the error of a cleaning that failed. The other cleanings go on. Without it, the error is thrown. */
  failed?: (name: string, error: unknown) => void
}

/**
 * Deletes what was kept for long enough, or removes what it says about people, as each feature declares it.
 *
 * @throws DatabaseUnavailable
 */
export async function cleanUp(
  db: Pick<Database, 'read' | 'write'>,
  clock: Clock,
  accessLogDays: number,
  { signal, failed }: CleanUpOptions = {},
): Promise<void> {
  const now = clock()
  const ids = (await db.read(INSTANCE, accounts.list)).map(({ id }) => id)
  for (const cleaning of listCleanings(accessLogDays)) {
    const before = now - cleaning.keptFor
    try {
      if (cleaning.owner === 'instance') await cleanInstance(db, cleaning, before, signal)
      else for (const id of ids) await cleanAccount(db, id, cleaning, before, signal)
    } catch (error) {
      if (failed === undefined || error instanceof DatabaseUnavailable) throw error
      failed(cleaning.name, error)
    }
    if (signal?.aborted) return
  }
}

type Writing = Pick<Database, 'read' | 'write'>

async function cleanInstance(
  db: Writing,
  cleaning: InstanceCleaning,
  before: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const deleteSome = () => db.write(INSTANCE, tx => cleaning.deleteSome(tx, before, CLEANING_BATCH))
  while (!signal?.aborted && (await deleteSome()) > 0);
}

async function cleanAccount(
  db: Writing,
  id: string,
  cleaning: AccountCleaning | AccountPass,
  before: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal?.aborted || !(await db.read(id, tx => cleaning.hasOld(tx, before)))) return
  if ('deleteSome' in cleaning) {
    const deleteSome = () => db.write(id, tx => cleaning.deleteSome(tx, before, CLEANING_BATCH))
    while (!signal?.aborted && (await deleteSome()) > 0);
    return
  }
  let next: Position | undefined = START
  while (next !== undefined && !signal?.aborted) {
    const after: Position = next
    next = await db.write(id, tx => cleaning.passSome(tx, before, { after, batch: CLEANING_BATCH }))
  }
}
