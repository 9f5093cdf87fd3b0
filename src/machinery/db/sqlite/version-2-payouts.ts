/** The part of version 2 for payouts. */
export const payoutTables = `CREATE TABLE payouts (
     id TEXT NOT NULL,
     account_id TEXT NOT NULL REFERENCES accounts (id),
     amount BIGINT NOT NULL,
     currency TEXT NOT NULL CHECK (length(currency) = 3),
     status TEXT NOT NULL CHECK (status IN ('pending', 'in_transit', 'paid', 'failed', 'canceled')),
     arrives_on TEXT NOT NULL,
     list TEXT NOT NULL CHECK (list IN ('waiting', 'complete', 'manual')),
     lines INTEGER CHECK (lines >= 0),
     net BIGINT,
     difference BIGINT,
     made_at BIGINT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, id),
     CHECK ((list = 'complete') = (lines IS NOT NULL)),
     CHECK ((list = 'complete') = (net IS NOT NULL)),
     CHECK ((list = 'complete') = (difference IS NOT NULL)),
     CHECK (net + difference = amount)
   );
   CREATE INDEX payouts_by_arrival ON payouts (account_id, arrives_on, id);
   CREATE INDEX payouts_by_amount ON payouts (account_id, amount, arrives_on, id);
   CREATE TABLE payout_lines (
     id TEXT NOT NULL,
     account_id TEXT NOT NULL,
     payout_id TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund', 'refund_reversal', 'dispute', 'dispute_reversal', 'fee', 'payout_return',
       'adjustment')),
     type TEXT NOT NULL,
     amount BIGINT NOT NULL,
     fee BIGINT NOT NULL,
     net BIGINT NOT NULL,
     source_id TEXT,
     moved_at BIGINT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, id),
     FOREIGN KEY (account_id, payout_id) REFERENCES payouts (account_id, id),
     CHECK (net + fee = amount)
   );
   CREATE INDEX payout_lines_by_payout ON payout_lines (account_id, payout_id, kind, id);
   CREATE TABLE payout_readings (
     account_id TEXT PRIMARY KEY NOT NULL REFERENCES accounts (id),
     denied TEXT CHECK (denied IN ('payouts', 'lines')),
     read_at BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL
   )`
