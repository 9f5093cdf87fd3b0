import type { InstanceWriteTx } from '#machinery/db/port.ts'
import { nextAttemptAt } from './schedule.ts'
import type { AttemptResult } from './sender.ts'
import * as store from './store.ts'

export interface Claim extends store.DueRow {
  manual: boolean
  /** The end of the lease, in milliseconds. */
  until: number
}

/** An attempt that ended. Without a result, it is a claim to release. */
export interface Ended {
  claim: Claim
  result: AttemptResult | undefined
}

/** `retrying` means that another attempt follows. `failed` means that this was the last one. */
export type AttemptOutcome = 'succeeded' | 'retrying' | 'failed'

/**
 * Records how an attempt ended, and when the next one is due.
 *
 * @param random from 0 to 1, for the jitter
 * @returns undefined for a claim that is released
 */
export async function recordAttempt(
  tx: InstanceWriteTx,
  { claim, result }: Ended,
  random: number,
): Promise<AttemptOutcome | undefined> {
  const { id, manual } = claim
  const now = await tx.now()
  if (result === undefined) {
    await (manual ? store.releaseManual : store.release)(tx, id, tx.clock(), now)
    return undefined
  }
  const { succeeded, statusCode, error } = result
  const number = manual ? null : claim.attempts + 1
  await store.insertAttempt(tx, {
    delivery_id: id,
    number,
    duration_ms: result.duration,
    status_code: statusCode,
    error,
    response: result.response,
    created_at: result.startedAt,
    url: result.url,
  })
  if (number === null) {
    if (succeeded) await store.concludeManual(tx, id, statusCode, now)
    else await store.failManual(tx, id, statusCode, error, now)
    return succeeded ? 'succeeded' : 'failed'
  }
  const next = succeeded ? null : nextAttemptAt(claim.type, number, result.endedAt, random)
  await store.conclude(
    tx,
    {
      id,
      status: succeeded ? 'succeeded' : next === null ? 'failed' : 'pending',
      attempts: number,
      next_attempt_at: next,
      last_status_code: statusCode,
      last_error: error,
    },
    now,
  )
  return succeeded ? 'succeeded' : next === null ? 'failed' : 'retrying'
}
