import type { AnyReadTx, AnyWriteTx, ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface AccountRow {
  id: string
  name: string
  email: string
  timezone: string
  currency: string
  service_fee_basis_points: number
  service_fee_per_ticket: number
  slug: string | null
  legal_name: string | null
  address: string | null
  tax_id: string | null
  imprint_url: string | null
  privacy_url: string | null
  receipt_prefix: string | null
  receipt_years: number
  tax_exemption: string | null
  created_at: number
}

const SELECT = `SELECT a.id, a.name, a.email, a.timezone, a.currency, a.service_fee_basis_points, a.service_fee_per_ticket,
  a.slug, a.legal_name, a.address, a.tax_id, a.imprint_url, a.privacy_url, a.receipt_prefix, a.receipt_years, a.tax_exemption,
  a.created_at FROM accounts a`

export function find(tx: ReadTx, id: string): Promise<AccountRow | undefined> {
  return tx.one(`${SELECT} WHERE a.id = $1`, [id])
}

export function findByEmailKey(tx: AnyReadTx, emailKey: string): Promise<AccountRow | undefined> {
  return tx.one(`${SELECT} WHERE a.email_key = $1`, [emailKey])
}

export function findBySlug(tx: AnyReadTx, slug: string): Promise<AccountRow | undefined> {
  return tx.one(`${SELECT} WHERE a.slug = $1`, [slug])
}

const NEXT_NUMBER = 'SELECT coalesce(max(n.number), 0) + 1 AS number FROM accounts n'

/** Returns the number of an account, or the number that the next account gets. */
export async function findNumber(tx: AnyReadTx, id?: string): Promise<number> {
  const row =
    id === undefined
      ? await tx.one<{ number: number }>(NEXT_NUMBER)
      : await tx.one<{ number: number }>('SELECT a.number FROM accounts a WHERE a.id = $1', [id])
  return row?.number as number
}

/** Lists the accounts, oldest first. */
export function list(tx: AnyReadTx): Promise<AccountRow[]> {
  return tx.all(`${SELECT} ORDER BY a.created_at, a.id`)
}

export function insert(tx: AnyWriteTx, row: AccountRow & { email_key: string }): Promise<number> {
  return tx.run(
    `INSERT INTO accounts (id, name, email, email_key, timezone, currency, service_fee_basis_points,
       service_fee_per_ticket, slug, created_at, updated_at, legal_name, address, tax_id, imprint_url, privacy_url,
       receipt_prefix, receipt_years, tax_exemption, number)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $13, $14, $15, $16, $17, $18, (${NEXT_NUMBER}))`,
    [
      row.id,
      row.name,
      row.email,
      row.email_key,
      row.timezone,
      row.currency,
      row.service_fee_basis_points,
      row.service_fee_per_ticket,
      row.slug,
      row.created_at,
      row.legal_name,
      row.address,
      row.tax_id,
      row.imprint_url,
      row.privacy_url,
      row.receipt_prefix,
      row.receipt_years,
      row.tax_exemption,
    ],
  )
}

export function update(
  tx: WriteTx,
  row: Omit<AccountRow, 'created_at'> & { email_key: string },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE accounts SET name = $2, email = $3, email_key = $4, timezone = $5, currency = $6,
       service_fee_basis_points = $7, service_fee_per_ticket = $8, slug = $9, updated_at = $10, legal_name = $11,
       address = $12, tax_id = $13, imprint_url = $14, privacy_url = $15, receipt_prefix = $16, receipt_years = $17,
       tax_exemption = $18 WHERE id = $1`,
    [
      row.id,
      row.name,
      row.email,
      row.email_key,
      row.timezone,
      row.currency,
      row.service_fee_basis_points,
      row.service_fee_per_ticket,
      row.slug,
      now,
      row.legal_name,
      row.address,
      row.tax_id,
      row.imprint_url,
      row.privacy_url,
      row.receipt_prefix,
      row.receipt_years,
      row.tax_exemption,
    ],
  )
}
