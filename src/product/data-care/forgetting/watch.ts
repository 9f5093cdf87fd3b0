import type { Logger } from 'pino'
import { type Clock, DAY } from '#base/time.ts'
import { inBatches } from '#machinery/db/batches.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { Sweep } from '#machinery/ops/sweep.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { emptyLinesOf, eraseCopiesOfErased } from '#product/data-care/erasure/copies.ts'
import { findNamed, forgetEvent } from './forget-event.ts'
import { AHEAD, tellOwners } from './mails.ts'
import * as store from './store.ts'

/** One read looks at this many events. */
const READ = 100

export interface ForgettingOptions {
  db: Pick<Database, 'read' | 'write'>
  clock: Clock
  log: Logger
}

/**
 * Makes the guests of events anonymous that ended so long ago as their account has set. Most accounts have set nothing, and cost one
 * read. The owners are mailed a week before the first time.
 */
export function forgetting({ db, clock, log }: ForgettingOptions): Sweep {
  return new Sweep({
    look: async signal => {
      for (const { id } of await db.read(INSTANCE, accounts.list)) {
        if (signal.aborted) return
        await forgetOfAccount(db, id, clock(), signal)
      }
    },
    failed: error => log.error({ err: error }, 'the forgetting of guests failed'),
  })
}

async function forgetOfAccount(
  db: Pick<Database, 'read' | 'write'>,
  accountId: string,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const settings = await db.read(accountId, accounts.getDetails)
  const { forget_after_days: days, forget_told_at: told } = settings
  if (days === null) return
  if (told === null) return tellAhead(db, accountId, now - days * DAY + AHEAD)
  if (now < Date.parse(told) + AHEAD) return
  const ended = inBatches(db, accountId, READ, (tx, last: store.EndedRow | undefined, size) =>
    store.listEnded(tx, now - days * DAY, last, size),
  )
  let isAnyEnded = false
  for await (const events of ended) {
    for (const { id: eventId } of events) {
      if (signal.aborted) return
      const named = await findNamed(db, accountId, eventId)
      isAnyEnded = true
      // A night that was cut off after its last guest has left the lines of imports and the copies to the next ones.
      if (named.guests.length + named.waiting.length === 0) {
        if (named.spared === 0) await emptyLinesOf(db, accountId, eventId)
        continue
      }
      // Somebody may have turned it off, or given people more time, since this look began.
      const { forget_after_days: still } = await db.read(accountId, accounts.getDetails)
      if (still !== days) return
      await forgetEvent(db, accountId, { eventId, days, named, signal })
    }
  }
  if (isAnyEnded && !signal.aborted) await eraseCopiesOfErased(db, accountId)
}

/** Tells the owners, once the guests of an event would be forgotten within a week. @param before when such an event has ended */
async function tellAhead(
  db: Pick<Database, 'read' | 'write'>,
  accountId: string,
  before: number,
): Promise<void> {
  const ended = inBatches(db, accountId, READ, (tx, last: store.EndedRow | undefined, size) =>
    store.listEnded(tx, before, last, size),
  )
  for await (const events of ended) {
    for (const { id, title } of events) {
      const named = await findNamed(db, accountId, id)
      if (named.guests.length + named.waiting.length + named.spared === 0) continue
      return db.write(accountId, async tx => {
        // Another server may have told them meanwhile.
        const { forget_after_days: days, forget_told_at: told } = await accounts.getDetails(tx)
        if (days !== null && told === null) await tellOwners(tx, title)
      })
    }
  }
}
