import type { ReadTx } from '#machinery/db/port.ts'

/** The tables that are counted, each with the condition for the rows of an event. */
const counted = {
  registrations: 'registrations i WHERE i.account_id = $1 AND i.event_id = $2',
  tickets: `registrations r JOIN attendees i ON i.registration_id = r.id
    WHERE r.account_id = $1 AND r.event_id = $2`,
  check_ins: 'check_ins i WHERE i.account_id = $1 AND i.event_id = $2',
  scans: 'scans i WHERE i.account_id = $1 AND i.event_id = $2',
  orders: 'orders i WHERE i.account_id = $1 AND i.event_id = $2',
  waitlist: 'waitlist_entries i WHERE i.account_id = $1 AND i.event_id = $2',
  abstracts: 'abstracts i WHERE i.account_id = $1 AND i.event_id = $2',
  files: 'abstract_files i WHERE i.account_id = $1 AND i.event_id = $2',
  mails: 'emails i WHERE i.account_id = $1 AND i.event_id = $2',
  waiting_mails: "emails i WHERE i.account_id = $1 AND i.event_id = $2 AND i.status = 'waiting'",
  announcements: 'announcements i WHERE i.account_id = $1 AND i.event_id = $2',
  doors: 'devices i WHERE i.account_id = $1 AND i.event_id = $2',
  types: 'registration_types i WHERE i.account_id = $1 AND i.event_id = $2',
  codes: 'codes i WHERE i.account_id = $1 AND i.event_id = $2',
  import_lines: `jobs j JOIN import_lines i ON i.job_id = j.id WHERE j.account_id = $1 AND j.event_id = $2`,
} as const

export type Counted = keyof typeof counted

export const allCounted = Object.keys(counted) as Counted[]

/** Counts some rows of an event, up to `most`. */
export async function countUpTo(tx: ReadTx, eventId: string, what: Counted, most: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM ${counted[what]} LIMIT $3) AS slice`,
    [tx.accountId, eventId, most],
  )
  return row?.count ?? 0
}

/** What stands in the way of a deletion, as far as a table shows it. Each with the condition for the rows of an event. */
const hindering = {
  event_has_receipts: 'receipts i WHERE i.account_id = $1 AND i.event_id = $2',
  event_has_money: 'ledger_entries i WHERE i.account_id = $1 AND i.event_id = $2',
  event_has_refunds: 'refunds i WHERE i.account_id = $1 AND i.event_id = $2',
  // Whoever has begun to pay may still pay, and a bank or a processor names the payment for years. Only one at the door that
  // ended without money leaves nothing.
  event_has_payments: `payments i WHERE i.account_id = $1 AND i.event_id = $2
    AND (i.method <> 'door' OR i.ended_at IS NULL OR i.received IS NOT NULL)`,
  event_has_jobs: `jobs i WHERE i.account_id = $1 AND i.event_id = $2
    AND i.state IN ('preparing', 'waiting', 'running')`,
  event_has_scans_to_come: `devices i WHERE i.account_id = $1 AND i.event_id = $2
    AND i.revoked_at IS NULL AND i.waiting > 0`,
} as const

export type Hindering = keyof typeof hindering

/** Lists what the tables of an event show to be in the way of its deletion. */
export async function listHindering(tx: ReadTx, eventId: string): Promise<Hindering[]> {
  const found: Hindering[] = []
  for (const [reason, condition] of Object.entries(hindering)) {
    const row = await tx.one(`SELECT 1 FROM ${condition} LIMIT 1`, [tx.accountId, eventId])
    if (row !== undefined) found.push(reason as Hindering)
  }
  return found
}
