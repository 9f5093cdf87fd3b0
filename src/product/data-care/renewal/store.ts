import type { InstanceReadTx } from '#machinery/db/port.ts'

interface MissingCounts {
  users: number
  api_keys: number
  devices: number
  stripe: number
}

/** Counts what a copy without secrets lacks, in all accounts. */
export async function countMissing(tx: InstanceReadTx): Promise<MissingCounts> {
  const row = await tx.one<MissingCounts>(
    `SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM api_keys) AS api_keys,
       (SELECT count(*) FROM devices) AS devices,
       (SELECT count(*) FROM payment_connections WHERE secret_key = '') AS stripe`,
  )
  return row ?? { users: 0, api_keys: 0, devices: 0, stripe: 0 }
}
