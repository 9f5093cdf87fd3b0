/** The part of version 2 for bank statements. */
export const statementTables = `CREATE TABLE statement_mappings (
     account_id TEXT PRIMARY KEY NOT NULL REFERENCES accounts (id),
     mapping TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL
   );
   CREATE TABLE statement_files (
     account_id TEXT NOT NULL REFERENCES accounts (id),
     job_id TEXT NOT NULL,
     part INTEGER NOT NULL CHECK (part >= 0),
     content TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, job_id, part)
   );
   CREATE INDEX statement_files_by_age ON statement_files (account_id, created_at);
   CREATE TABLE statement_lines (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL REFERENCES accounts (id),
     key TEXT NOT NULL,
     job_id TEXT NOT NULL,
     line INTEGER NOT NULL CHECK (line > 0),
     date TEXT NOT NULL,
     amount BIGINT NOT NULL,
     currency TEXT NOT NULL CHECK (length(currency) = 3),
     counterparty TEXT NOT NULL,
     text TEXT NOT NULL,
     bank_id TEXT,
     state TEXT NOT NULL CHECK (state IN ('read', 'matched', 'unmatched', 'ignored')),
     reason TEXT,
     outcome TEXT CHECK (outcome IN ('confirmed', 'kept', 'returned', 'paid_back', 'paid_out')),
     payment_id TEXT,
     refund_id TEXT,
     payout_id TEXT,
     entry_id TEXT,
     erased_at BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (account_id, key),
     CHECK ((state = 'matched') = (outcome IS NOT NULL)),
     CHECK (state <> 'matched' OR (outcome = 'paid_back') = (refund_id IS NOT NULL)),
     CHECK (state <> 'matched' OR (outcome IN ('paid_back', 'paid_out')) = (payment_id IS NULL)),
     FOREIGN KEY (account_id, payout_id) REFERENCES payouts (account_id, id),
     CHECK (state <> 'matched' OR (payment_id IS NULL) = (entry_id IS NULL)),
     CHECK ((coalesce(outcome, '') = 'paid_out') = (payout_id IS NOT NULL))
   );
   CREATE INDEX statement_lines_by_state ON statement_lines (account_id, state, created_at, id);
   CREATE INDEX statement_lines_by_job ON statement_lines (account_id, job_id, state, line, id);
   CREATE UNIQUE INDEX statement_lines_by_payout ON statement_lines (account_id, payout_id) WHERE payout_id IS NOT NULL;
   CREATE INDEX statement_lines_matched ON statement_lines (account_id, date, amount, id) WHERE state = 'matched';
   CREATE INDEX statement_lines_to_erase ON statement_lines (account_id, created_at, id)
     WHERE erased_at IS NULL AND state IN ('unmatched', 'ignored')`
