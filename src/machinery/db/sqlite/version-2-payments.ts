/**
 * The part of version 2 for payments, with the last columns of events. Earlier payments become entries of the ledger. Version 1
 * had no mails. The programs that decide abstracts of its events may write to the authors themselves, so decision mails are off
 * for these events and nobody is told twice. Version 1 showed abstracts for every event, so they stay shown.
 */
export const paymentTables = `ALTER TABLE events ADD COLUMN payment_ways TEXT NOT NULL DEFAULT 'set_up'
     CHECK (payment_ways IN ('set_up', 'set_up_and_door', 'stripe', 'transfer', 'door'));
   ALTER TABLE events ADD COLUMN decision_mails INTEGER NOT NULL DEFAULT 1 CHECK (decision_mails IN (0, 1));
   ALTER TABLE events ADD COLUMN takes_abstracts INTEGER NOT NULL DEFAULT 0 CHECK (takes_abstracts IN (0, 1));
   ALTER TABLE events ADD COLUMN archived_at BIGINT;
   ALTER TABLE events ADD COLUMN deleting_at BIGINT;
   ALTER TABLE events ADD COLUMN give_on INTEGER NOT NULL DEFAULT 0 CHECK (give_on IN (0, 1));
   UPDATE events SET decision_mails = 0, takes_abstracts = 1;
   CREATE INDEX events_by_end ON events
     (account_id, status, (coalesce(ends_at, starts_at + 86400000, 253402300799999)), id)
     WHERE archived_at IS NULL AND deleting_at IS NULL;
   CREATE INDEX events_drafts ON events (account_id, created_at, id)
     WHERE status = 'draft' AND archived_at IS NULL AND deleting_at IS NULL;
   CREATE INDEX events_archived ON events (account_id, archived_at, id)
     WHERE archived_at IS NOT NULL AND deleting_at IS NULL;
   CREATE INDEX events_being_deleted ON events (account_id, id) WHERE deleting_at IS NOT NULL;
   CREATE TABLE payments (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     order_id TEXT NOT NULL,
     method TEXT NOT NULL CHECK (method IN ('test', 'stripe', 'transfer', 'door')),
     status TEXT NOT NULL CHECK (status IN ('created', 'pending', 'confirmed', 'failed', 'cancelled')),
     currency TEXT NOT NULL CHECK (length(currency) = 3),
     amount BIGINT NOT NULL CHECK (amount > 0),
     received BIGINT CHECK (received >= 0),
     reference TEXT,
     session_id TEXT,
     charge_id TEXT,
     call TEXT,
     url TEXT,
     expires_at BIGINT,
     next_look_at BIGINT,
     looks INTEGER NOT NULL CHECK (looks >= 0),
     trouble TEXT,
     ended_at BIGINT,
     next_method TEXT CHECK (next_method IN ('test', 'stripe', 'transfer', 'door')),
     back TEXT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK (back IS NULL OR ended_at IS NULL),
     CHECK (next_method IS NULL OR status = 'created'),
     CHECK ((status IN ('created', 'pending')) = (ended_at IS NULL)),
     CHECK (status <> 'confirmed' OR received >= amount)
   );
   CREATE INDEX payments_by_order ON payments (account_id, order_id, created_at, id);
   CREATE INDEX payments_under_way ON payments (account_id, method) WHERE ended_at IS NULL;
   CREATE UNIQUE INDEX payments_open ON payments (order_id) WHERE ended_at IS NULL;
   CREATE UNIQUE INDEX payments_by_reference ON payments (account_id, reference) WHERE reference IS NOT NULL;
   CREATE UNIQUE INDEX payments_by_session ON payments (account_id, session_id) WHERE session_id IS NOT NULL;
   CREATE INDEX payments_named ON payments (account_id, created_at, id) WHERE reference IS NOT NULL;
   CREATE INDEX payments_by_charge ON payments (account_id, charge_id) WHERE charge_id IS NOT NULL;
   CREATE INDEX payments_to_begin ON payments (next_look_at, id) WHERE status = 'created' AND session_id IS NULL;
   CREATE INDEX payments_idle ON payments (next_look_at, id) WHERE ended_at IS NULL;
   CREATE INDEX payments_due ON payments (next_look_at, id) WHERE next_look_at IS NOT NULL;
   CREATE INDEX payments_waiting ON payments (created_at) WHERE ended_at IS NULL AND next_look_at IS NOT NULL;
   CREATE INDEX payments_troubled ON payments (account_id, created_at, id) WHERE trouble IS NOT NULL;
   CREATE INDEX payments_by_account ON payments (account_id, created_at, id);
   CREATE INDEX payments_by_status ON payments (account_id, status, created_at, id);
   CREATE INDEX payments_by_event ON payments (account_id, event_id);
   CREATE TABLE refunds (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     order_id TEXT,
     registration_id TEXT,
     payment_id TEXT,
     method TEXT NOT NULL CHECK (method IN ('test', 'stripe', 'transfer', 'door', 'recorded')),
     charge_id TEXT,
     status TEXT NOT NULL CHECK (status IN ('requested', 'pending', 'requires_action', 'done', 'failed', 'dropped')),
     currency TEXT NOT NULL CHECK (length(currency) = 3),
     amount BIGINT NOT NULL CHECK (amount > 0),
     reason TEXT NOT NULL CHECK (reason IN
       ('organizer', 'buyer', 'withdrawn', 'event_cancelled', 'line_cancelled', 'late', 'twice', 'excess', 'processor', 'orphan')),
     note TEXT,
     tickets TEXT,
     processor_id TEXT,
     call TEXT,
     next_look_at BIGINT,
     looks INTEGER NOT NULL CHECK (looks >= 0),
     trouble TEXT,
     ended_at BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK ((order_id IS NULL) <> (registration_id IS NULL)),
     CHECK ((status IN ('done', 'failed', 'dropped')) = (ended_at IS NOT NULL))
   );
   CREATE INDEX refunds_by_event ON refunds (account_id, event_id);
   CREATE INDEX refunds_by_order ON refunds (account_id, order_id, created_at, id) WHERE order_id IS NOT NULL;
   CREATE INDEX refunds_by_registration ON refunds (account_id, registration_id, created_at, id) WHERE registration_id IS NOT NULL;
   CREATE UNIQUE INDEX refunds_by_processor ON refunds (account_id, processor_id) WHERE processor_id IS NOT NULL;
   CREATE INDEX refunds_due ON refunds (next_look_at, id) WHERE next_look_at IS NOT NULL;
   CREATE INDEX refunds_waiting ON refunds (created_at) WHERE next_look_at IS NOT NULL;
   CREATE INDEX refunds_owed ON refunds (account_id, created_at, id) WHERE status NOT IN ('done', 'dropped');
   CREATE INDEX refunds_owed_of_event ON refunds (account_id, event_id, created_at, id) WHERE status NOT IN ('done', 'dropped');
   CREATE TABLE ledger_entries (
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('payment', 'payment_reversal', 'fee', 'fee_reversal', 'refund', 'refund_reversal',
       'dispute', 'dispute_reversal', 'dispute_fee', 'dispute_fee_reversal')),
     entry_id TEXT NOT NULL,
     order_id TEXT,
     registration_id TEXT,
     payment_id TEXT,
     refund_id TEXT,
     method TEXT NOT NULL CHECK (method IN ('test', 'stripe', 'transfer', 'door', 'recorded')),
     amount BIGINT NOT NULL,
     currency TEXT NOT NULL CHECK (length(currency) = 3),
     moved_at BIGINT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, kind, entry_id),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK ((order_id IS NULL) <> (registration_id IS NULL)),
     CHECK (CASE WHEN kind IN ('payment', 'fee_reversal', 'refund_reversal', 'dispute_reversal', 'dispute_fee_reversal')
       THEN amount >= 0 ELSE amount <= 0 END)
   );
   CREATE INDEX ledger_entries_by_event ON ledger_entries (account_id, event_id);
   CREATE INDEX ledger_entries_by_time ON ledger_entries (account_id, moved_at, kind, entry_id);
   CREATE INDEX ledger_entries_by_order ON ledger_entries (account_id, order_id) WHERE order_id IS NOT NULL;
   CREATE INDEX ledger_entries_by_registration ON ledger_entries (account_id, registration_id) WHERE registration_id IS NOT NULL;
   CREATE TABLE payment_connections (
     account_id TEXT NOT NULL REFERENCES accounts (id),
     method TEXT NOT NULL CHECK (method IN ('stripe', 'transfer')),
     bank TEXT,
     secret_key TEXT,
     is_live INTEGER CHECK (is_live IN (0, 1)),
     processor_account TEXT,
     processor_name TEXT,
     webhook_id TEXT,
     webhook_url TEXT,
     webhook_secret TEXT,
     former_webhook_secret TEXT,
     events_cursor TEXT,
     events_read_at BIGINT,
     trouble TEXT,
     takes_delayed INTEGER NOT NULL DEFAULT 0 CHECK (takes_delayed IN (0, 1)),
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, method),
     CHECK ((method = 'transfer') = (bank IS NOT NULL)),
     CHECK ((method = 'stripe') = (secret_key IS NOT NULL)),
     CHECK ((method = 'stripe') = (is_live IS NOT NULL)),
     CHECK ((method = 'stripe') = (processor_account IS NOT NULL))
   );
   CREATE TABLE orphan_payments (
     account_id TEXT NOT NULL REFERENCES accounts (id),
     session_id TEXT NOT NULL,
     charge_id TEXT,
     amount BIGINT NOT NULL CHECK (amount > 0),
     currency TEXT NOT NULL CHECK (length(currency) = 3),
     paid_at BIGINT NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('found', 'refund_requested', 'refunded', 'left')),
     refund_id TEXT,
     call TEXT,
     trouble TEXT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, session_id)
   );
   CREATE INDEX orphan_payments_open ON orphan_payments (account_id, paid_at, session_id) WHERE state IN ('found', 'refund_requested');
   CREATE TABLE disputes (
     id TEXT NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     order_id TEXT NOT NULL,
     payment_id TEXT NOT NULL,
     charge_id TEXT NOT NULL,
     status TEXT NOT NULL CHECK (status IN ('warning', 'needs_response', 'under_review', 'won', 'lost', 'closed')),
     reason TEXT NOT NULL,
     currency TEXT NOT NULL CHECK (length(currency) = 3),
     amount BIGINT NOT NULL CHECK (amount >= 0),
     due_by BIGINT,
     is_fee_foreign INTEGER NOT NULL CHECK (is_fee_foreign IN (0, 1)),
     opened_at BIGINT NOT NULL,
     decision TEXT CHECK (decision IN ('voided', 'kept')),
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, id),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK (decision IS NULL OR status = 'lost')
   );
   CREATE INDEX disputes_by_event ON disputes (account_id, event_id);
   CREATE INDEX disputes_by_order ON disputes (account_id, order_id, opened_at, id);
   CREATE INDEX disputes_open ON disputes (account_id, opened_at, id) WHERE status IN ('warning', 'needs_response', 'under_review');
   CREATE INDEX disputes_to_decide ON disputes (account_id, opened_at, id) WHERE status = 'lost' AND decision IS NULL;
   CREATE TABLE test_sessions (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL REFERENCES accounts (id),
     call_key TEXT NOT NULL,
     payment_id TEXT NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('open', 'processing', 'paid', 'failed', 'expired')),
     is_declined INTEGER NOT NULL CHECK (is_declined IN (0, 1)),
     currency TEXT NOT NULL CHECK (length(currency) = 3),
     amount BIGINT NOT NULL CHECK (amount > 0),
     fee BIGINT CHECK (fee >= 0),
     refunds TEXT NOT NULL,
     expires_at BIGINT NOT NULL,
     paid_at BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (account_id, call_key)
   );
   CREATE INDEX test_sessions_by_payment ON test_sessions (account_id, payment_id, created_at, id);
   INSERT INTO ledger_entries (account_id, event_id, kind, entry_id, registration_id, method, amount, currency, moved_at, created_at, updated_at)
     SELECT r.account_id, r.event_id, 'payment', r.id, r.id, 'recorded', r.amount_total, r.currency, r.confirmed_at,
       i.latest_write_at, i.latest_write_at
     FROM registrations r, instance i WHERE r.confirmed_at IS NOT NULL AND r.amount_total > 0;
   INSERT INTO ledger_entries (account_id, event_id, kind, entry_id, registration_id, method, amount, currency, moved_at, created_at, updated_at)
     SELECT r.account_id, r.event_id, 'fee', r.id, r.id, 'recorded', -r.processor_fee, r.currency, r.confirmed_at,
       i.latest_write_at, i.latest_write_at
     FROM registrations r, instance i WHERE r.confirmed_at IS NOT NULL AND r.processor_fee IS NOT NULL;
   INSERT INTO ledger_entries (account_id, event_id, kind, entry_id, registration_id, method, amount, currency, moved_at, created_at, updated_at)
     SELECT r.account_id, r.event_id, 'refund', r.id, r.id, 'recorded', -r.refunded_amount, r.currency, r.refunded_at,
       i.latest_write_at, i.latest_write_at
     FROM registrations r, instance i WHERE r.refunded_at IS NOT NULL AND r.refunded_amount > 0`
