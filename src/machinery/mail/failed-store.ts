import type { ReadTx } from '#machinery/db/port.ts'

/** Failed mails that do not count are passed over up to this many mails in all. */
const MOST_PASSED = 20_000

/** Selects mails that failed. */
export interface Failed {
  /** A single event, or undefined for all. */
  event_id: string | undefined
  /** The events that do not count. */
  without: readonly string[]
  /** When the oldest was made, in milliseconds. */
  since: number
}

interface FailedRow {
  /** Null for a mail of no event. */
  event_id: string | null
}

/** Lists the events of mails that failed, at most `most` mails. */
export async function listFailed(
  tx: ReadTx,
  { event_id, without, since }: Failed,
  most: number,
): Promise<FailedRow[]> {
  const limit = without.length === 0 ? most : MOST_PASSED
  const params = [tx.accountId, since, limit, ...(event_id === undefined ? [] : [event_id])]
  const ofEvent = event_id === undefined ? '' : 'AND m.event_id = $4'
  const failed = `SELECT m.event_id FROM emails m
    WHERE m.account_id = $1 AND m.status = 'failed' AND m.created_at >= $2 ${ofEvent} LIMIT $3`
  if (without.length === 0) return tx.all(failed, params)
  const others = without.map(id => `slice.event_id <> $${params.push(id)}`).join(' AND ')
  const rows = await tx.all<FailedRow>(
    `SELECT slice.event_id FROM (${failed}) AS slice WHERE slice.event_id IS NULL OR ${others}`,
    params,
  )
  return rows.slice(0, most)
}
