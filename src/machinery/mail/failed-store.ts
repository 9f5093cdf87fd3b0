import { keptTexts, readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/** Failed mails that do not count are passed over up to this many mails in all. */
const MOST_PASSED = 20_000

/** Selects mails that failed. */
export interface Failed {
  /** The events that do not count. */
  without: readonly string[]
  /** When the oldest was made, in milliseconds. */
  since: number
}

interface FailedRow {
  /** Null for a mail of no event. */
  event_id: string | null
}

const FAILED = `SELECT m.event_id FROM emails m WHERE m.account_id = $1 AND m.status = 'failed' AND m.created_at >= $2`
const failedOf = keptTexts(ids => `${FAILED} AND m.event_id IN ${ids} LIMIT $3`)

/** Lists the events of mails that failed, at most `most` mails. */
export async function listFailed(tx: ReadTx, { without, since }: Failed, most: number): Promise<FailedRow[]> {
  const limit = without.length === 0 ? most : MOST_PASSED
  const params = [tx.accountId, since, limit]
  if (without.length === 0) return tx.all(`${FAILED} LIMIT $3`, params)
  const others = without.map((_, at) => `slice.event_id <> $${at + 4}`).join(' AND ')
  const rows = await tx.all<FailedRow>(
    `SELECT slice.event_id FROM (${FAILED} LIMIT $3) AS slice WHERE slice.event_id IS NULL OR ${others}`,
    [...params, ...without],
  )
  return rows.slice(0, most)
}

/** Does the same for some events, at most `most` mails of each 128 of them. */
export function listFailedOf(
  tx: ReadTx,
  eventIds: readonly string[],
  since: number,
  most: number,
): Promise<FailedRow[]> {
  return readInList(tx, eventIds, [tx.accountId, since, most], failedOf)
}
