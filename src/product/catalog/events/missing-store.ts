import type { ReadTx } from '#machinery/db/port.ts'

export async function hasActiveType(tx: ReadTx, eventId: string): Promise<boolean> {
  const query = `SELECT t.id FROM registration_types t WHERE t.account_id = $1 AND t.event_id = $2 AND t.active = 1
    AND t.kind = 'ticket' LIMIT 1`
  return (await tx.one(query, [tx.accountId, eventId])) !== undefined
}

/** Reads what publishing needs: whether a seller has said who they are, and whether a ticket type has a price or takes one. */
export async function readSeller(tx: ReadTx, eventId: string): Promise<SellerRow> {
  const query = `SELECT a.slug,
      CASE WHEN a.legal_name IS NOT NULL AND a.address IS NOT NULL
        AND (a.imprint_url IS NOT NULL OR a.imprint_text IS NOT NULL)
        AND (a.privacy_url IS NOT NULL OR a.privacy_text IS NOT NULL) THEN 1 ELSE 0 END AS is_complete,
      CASE WHEN EXISTS (SELECT 1 FROM registration_types t
        WHERE t.account_id = $1 AND t.event_id = $2 AND t.active = 1 AND (t.price > 0 OR t.open_price = 1)) THEN 1 ELSE 0 END AS is_paid
    FROM accounts a WHERE a.id = $1`
  return (await tx.one<SellerRow>(query, [tx.accountId, eventId])) as SellerRow
}

export interface SellerRow {
  slug: string | null
  /** Whether there are a legal name, a postal address, an imprint and a privacy notice. */
  is_complete: 0 | 1
  is_paid: 0 | 1
}
