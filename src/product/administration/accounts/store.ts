import type { AnyReadTx, AnyWriteTx, ReadTx, WriteTx } from '#machinery/db/port.ts'

/** An account without its legal texts, which may be long. It says only which of them there are. */
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
  /** In whole units of the account's currency. */
  invoice_from: number | null
  /** The origins that may show its pages in a frame, a JSON array. */
  embed_origins: string | null
  /** So many days after the end of an event, its guests are made anonymous. It is null if they never are. */
  forget_after_days: number | null
  /** When the owners were told that this begins. It is null before. */
  forget_told_at: number | null
  terms_url: string | null
  has_imprint_text: 0 | 1
  has_privacy_text: 0 | 1
  has_terms_text: 0 | 1
  created_at: number
}

/** The texts that are written here. They are Markdown. */
export interface LegalTextsRow {
  imprint_text: string | null
  privacy_text: string | null
  terms_text: string | null
}

/** An account as it is written. */
export type StoredAccount = Omit<AccountRow, 'has_imprint_text' | 'has_privacy_text' | 'has_terms_text'> &
  LegalTextsRow

const SELECT = `SELECT a.id, a.name, a.email, a.timezone, a.currency, a.service_fee_basis_points, a.service_fee_per_ticket,
  a.slug, a.legal_name, a.address, a.tax_id, a.imprint_url, a.privacy_url, a.receipt_prefix, a.receipt_years, a.tax_exemption, a.invoice_from,
  a.embed_origins, a.forget_after_days, a.forget_told_at,
  a.terms_url, CASE WHEN a.imprint_text IS NULL THEN 0 ELSE 1 END AS has_imprint_text,
  CASE WHEN a.privacy_text IS NULL THEN 0 ELSE 1 END AS has_privacy_text,
  CASE WHEN a.terms_text IS NULL THEN 0 ELSE 1 END AS has_terms_text, a.created_at FROM accounts a`

export function find(tx: ReadTx, id: string): Promise<AccountRow | undefined> {
  return tx.one(`${SELECT} WHERE a.id = $1`, [id])
}

export function findByEmailKey(tx: AnyReadTx, emailKey: string): Promise<AccountRow | undefined> {
  return tx.one(`${SELECT} WHERE a.email_key = $1`, [emailKey])
}

export function findBySlug(tx: AnyReadTx, slug: string): Promise<AccountRow | undefined> {
  return tx.one(`${SELECT} WHERE a.slug = $1`, [slug])
}

/** Returns the legal texts of an account that exists. */
export async function findTexts(tx: AnyReadTx, id: string): Promise<LegalTextsRow> {
  const query = 'SELECT a.imprint_text, a.privacy_text, a.terms_text FROM accounts a WHERE a.id = $1'
  return (await tx.one<LegalTextsRow>(query, [id])) as LegalTextsRow
}

/** Returns an account with its legal texts. */
export async function complete(tx: AnyReadTx, row: AccountRow): Promise<StoredAccount> {
  const { has_imprint_text: _, has_privacy_text: __, has_terms_text: ___, ...rest } = row
  return { ...rest, ...(await findTexts(tx, row.id)) }
}

/** Finds an account with its legal texts. */
export async function findStored(tx: AnyReadTx, emailKey: string): Promise<StoredAccount | undefined> {
  const row = await findByEmailKey(tx, emailKey)
  return row && complete(tx, row)
}

/** Returns the terms of an account, without its other texts. */
export function findTerms(tx: ReadTx): Promise<Pick<StoredAccount, 'terms_text' | 'terms_url'> | undefined> {
  return tx.one('SELECT a.terms_text, a.terms_url FROM accounts a WHERE a.id = $1', [tx.accountId])
}

/** Returns from which amount invoices of an account need an address, in whole units. One without a tax number makes no invoices. */
export function findInvoiceFrom(tx: ReadTx): Promise<{ invoice_from: number; currency: string } | undefined> {
  return tx.one(
    'SELECT a.invoice_from, a.currency FROM accounts a WHERE a.id = $1 AND a.tax_id IS NOT NULL AND a.invoice_from IS NOT NULL',
    [tx.accountId],
  )
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

export function insert(tx: AnyWriteTx, row: StoredAccount & { email_key: string }): Promise<number> {
  return tx.run(
    `INSERT INTO accounts (id, name, email, email_key, timezone, currency, service_fee_basis_points,
       service_fee_per_ticket, slug, created_at, updated_at, legal_name, address, tax_id, imprint_url, privacy_url,
       receipt_prefix, receipt_years, tax_exemption, terms_url, imprint_text, privacy_text, terms_text, invoice_from, embed_origins,
       forget_after_days, forget_told_at, number)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
       $24, $25, $26, (${NEXT_NUMBER}))`,
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
      row.terms_url,
      row.imprint_text,
      row.privacy_text,
      row.terms_text,
      row.invoice_from,
      row.embed_origins,
      row.forget_after_days,
      row.forget_told_at,
    ],
  )
}

export function update(
  tx: WriteTx,
  row: Omit<StoredAccount, 'created_at'> & { email_key: string },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE accounts SET name = $2, email = $3, email_key = $4, timezone = $5, currency = $6,
       service_fee_basis_points = $7, service_fee_per_ticket = $8, slug = $9, updated_at = $10, legal_name = $11,
       address = $12, tax_id = $13, imprint_url = $14, privacy_url = $15, receipt_prefix = $16, receipt_years = $17,
       tax_exemption = $18, terms_url = $19, imprint_text = $20, privacy_text = $21, terms_text = $22,
       invoice_from = $23, embed_origins = $24, forget_after_days = $25, forget_told_at = $26 WHERE id = $1`,
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
      row.terms_url,
      row.imprint_text,
      row.privacy_text,
      row.terms_text,
      row.invoice_from,
      row.embed_origins,
      row.forget_after_days,
      row.forget_told_at,
    ],
  )
}

/** Notes when the owners of an account were told that guests will be forgotten. */
export function setForgetTold(tx: WriteTx, now: number): Promise<number> {
  return tx.run('UPDATE accounts SET forget_told_at = $2, updated_at = $2 WHERE id = $1', [tx.accountId, now])
}
