/** The part of version 2 for orders. */
export const sellingTables = `ALTER TABLE attendees ADD COLUMN price INTEGER CHECK (price >= 0);
   ALTER TABLE attendees ADD COLUMN discount INTEGER CHECK (discount BETWEEN 0 AND price);
   ALTER TABLE attendees ADD COLUMN tax INTEGER CHECK (tax >= 0);
   CREATE TABLE orders (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     reference TEXT NOT NULL,
     status TEXT NOT NULL CHECK (status IN ('pending', 'confirmed', 'failed')),
     waits_for TEXT CHECK (waits_for IN ('approval', 'answer', 'payment')),
     failed_for TEXT CHECK (failed_for IN
       ('declined', 'undecided', 'unpaid', 'withdrawn', 'turned_down', 'lapsed', 'cancelled')),
     buyer_name TEXT NOT NULL,
     buyer_email TEXT NOT NULL,
     buyer_email_key TEXT NOT NULL,
     language TEXT NOT NULL CHECK (language IN ('en', 'es')),
     currency TEXT NOT NULL CHECK (length(currency) = 3),
     amount_total BIGINT NOT NULL CHECK (amount_total >= 0),
     terms TEXT,
     form_id TEXT NOT NULL,
     secret_version INTEGER NOT NULL CHECK (secret_version >= 1),
     expires_at BIGINT,
     confirmed_at BIGINT,
     failed_at BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     erased_at BIGINT,
     verified_at BIGINT,
     placed_from TEXT,
     UNIQUE (event_id, reference),
     UNIQUE (event_id, form_id),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK ((status = 'pending') = (waits_for IS NOT NULL)),
     CHECK ((status = 'pending') = (expires_at IS NOT NULL)),
     CHECK ((status = 'confirmed') = (confirmed_at IS NOT NULL)),
     CHECK ((status = 'failed') = (failed_at IS NOT NULL)),
     CHECK ((status = 'failed') = (failed_for IS NOT NULL))
   );
   CREATE INDEX orders_by_event ON orders (account_id, event_id, created_at, id);
   CREATE INDEX orders_by_event_status ON orders (account_id, event_id, status, created_at, id);
   CREATE INDEX orders_by_buyer ON orders (account_id, buyer_email_key, event_id, status, created_at, id);
   CREATE INDEX orders_due ON orders (expires_at, id) WHERE expires_at IS NOT NULL AND waits_for <> 'payment';
   CREATE INDEX orders_unpaid ON orders (expires_at, id) WHERE waits_for = 'payment';
   CREATE INDEX orders_abandoned ON orders (account_id, failed_at, id) WHERE failed_at IS NOT NULL AND erased_at IS NULL;
   CREATE INDEX orders_from_networks ON orders (account_id, created_at, id) WHERE placed_from IS NOT NULL;
   CREATE INDEX orders_to_approve ON orders (account_id, event_id) WHERE waits_for = 'approval';
   CREATE INDEX orders_waiting ON orders (account_id, event_id, waits_for, created_at, id) WHERE waits_for IS NOT NULL`
