/** The part of version 2 for receipts and for the texts of sellers. It comes after the tables of orders. */
export const receiptTables = `ALTER TABLE accounts ADD COLUMN receipt_prefix TEXT;
   ALTER TABLE accounts ADD COLUMN receipt_years INTEGER NOT NULL DEFAULT 10 CHECK (receipt_years BETWEEN 6 AND 12);
   ALTER TABLE accounts ADD COLUMN tax_exemption TEXT;
   ALTER TABLE accounts ADD COLUMN terms_url TEXT;
   ALTER TABLE accounts ADD COLUMN imprint_text TEXT CHECK (imprint_text IS NULL OR imprint_url IS NULL);
   ALTER TABLE accounts ADD COLUMN privacy_text TEXT CHECK (privacy_text IS NULL OR privacy_url IS NULL);
   ALTER TABLE accounts ADD COLUMN terms_text TEXT CHECK (terms_text IS NULL OR terms_url IS NULL);
   ALTER TABLE accounts ADD COLUMN invoice_from INTEGER CHECK (invoice_from BETWEEN 0 AND 1000000);
   ALTER TABLE accounts ADD COLUMN embed_origins TEXT;
   UPDATE accounts SET invoice_from = 250 WHERE currency = 'EUR';
   ALTER TABLE accounts ADD COLUMN forget_after_days INTEGER CHECK (forget_after_days BETWEEN 30 AND 3650);
   ALTER TABLE accounts ADD COLUMN forget_told_at BIGINT;
   ALTER TABLE attendees ADD COLUMN tax_basis_points INTEGER CHECK (tax_basis_points BETWEEN 0 AND 10000);
   ALTER TABLE orders ADD COLUMN buyer_company TEXT;
   ALTER TABLE orders ADD COLUMN buyer_address TEXT;
   ALTER TABLE orders ADD COLUMN buyer_vat_id TEXT;
   CREATE TABLE receipts (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('receipt', 'credit_note')),
     number INTEGER NOT NULL CHECK (number >= 1),
     of_id TEXT REFERENCES receipts (id),
     cancels_id TEXT REFERENCES receipts (id),
     order_id TEXT NOT NULL REFERENCES orders (id),
     event_id TEXT NOT NULL,
     payment_id TEXT,
     refund_id TEXT,
     amount BIGINT NOT NULL CHECK (amount > 0),
     currency TEXT NOT NULL CHECK (length(currency) = 3),
     issued_at BIGINT NOT NULL,
     snapshot TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     erased_at BIGINT,
     UNIQUE (account_id, kind, number),
     UNIQUE (account_id, payment_id),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK ((kind = 'receipt') = (payment_id IS NOT NULL)),
     CHECK ((kind = 'credit_note') = (refund_id IS NOT NULL)),
     CHECK ((kind = 'credit_note') = (of_id IS NOT NULL)),
     CHECK (cancels_id IS NULL OR kind = 'credit_note')
   );
   CREATE INDEX receipts_by_event ON receipts (account_id, event_id);
   CREATE INDEX receipts_by_order ON receipts (order_id, account_id, created_at, id);
   CREATE INDEX receipts_by_receipt ON receipts (of_id) WHERE of_id IS NOT NULL;
   CREATE UNIQUE INDEX receipts_by_cancelled ON receipts (cancels_id) WHERE cancels_id IS NOT NULL;
   CREATE INDEX receipts_by_refund ON receipts (account_id, refund_id) WHERE refund_id IS NOT NULL;
   CREATE INDEX receipts_by_issue ON receipts (account_id, issued_at, id);
   CREATE INDEX receipts_to_erase ON receipts (account_id, issued_at, id) WHERE erased_at IS NULL`
