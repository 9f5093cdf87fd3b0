-- The whole current schema, in the text that SQLite and PostgreSQL share.
-- Ids are text made by the program; instants are UTC milliseconds; booleans are 0 and 1; money is in minor units.
-- Every table carries created_at and updated_at, taken inside the write. created_at never goes back, but for the
-- history that an organization file brings.

-- One row: what belongs to the whole database.
CREATE TABLE instance (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  cursor_secret TEXT NOT NULL, -- base64url; signs the cursors of lists
  latest_write_at BIGINT NOT NULL, -- so that a clock set back, or a second process, cannot make created_at go back
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE accounts (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE, -- the e-mail in lower case: what is compared
  timezone TEXT NOT NULL,
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  service_fee_basis_points INTEGER NOT NULL CHECK (service_fee_basis_points BETWEEN 0 AND 10000),
  service_fee_per_ticket INTEGER NOT NULL CHECK (service_fee_per_ticket BETWEEN 0 AND 99999999),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE, -- SHA-256 in hex: the key itself is never stored
  last_four TEXT NOT NULL,
  scopes TEXT NOT NULL, -- a JSON array
  rate_limit INTEGER NOT NULL CHECK (rate_limit >= 0), -- requests a minute; 0 is none
  expires_at BIGINT,
  revoked_at BIGINT,
  last_used_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at, id);

CREATE TABLE events (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  starts_at BIGINT,
  ends_at BIGINT,
  timezone TEXT NOT NULL,
  venue TEXT,
  city TEXT,
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  status TEXT NOT NULL CHECK (status IN ('draft', 'published', 'cancelled', 'completed')),
  visibility TEXT CHECK (visibility IN ('public', 'unlisted', 'private')),
  requires_approval INTEGER NOT NULL CHECK (requires_approval IN (0, 1)),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (account_id, slug),
  UNIQUE (account_id, id),
  CHECK (starts_at IS NULL OR ends_at IS NULL OR ends_at >= starts_at)
);
CREATE INDEX events_by_account ON events (account_id, created_at, id);

-- The Ed25519 keys that sign the tickets of an event. Apart from events, so that no read of an event touches a secret.
CREATE TABLE ticket_keys (
  id TEXT PRIMARY KEY NOT NULL, -- the 4-byte key id of the QR code, in hex
  event_id TEXT NOT NULL UNIQUE REFERENCES events (id),
  public_key TEXT NOT NULL, -- base64url, as in a JWK
  private_key TEXT NOT NULL, -- base64url, as in a JWK
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE registration_types (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  price INTEGER NOT NULL CHECK (price BETWEEN 0 AND 99999999),
  capacity INTEGER NOT NULL CHECK (capacity BETWEEN 0 AND 1000000),
  sold INTEGER NOT NULL, -- tickets of pending and confirmed registrations
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  sales_start BIGINT,
  sales_end BIGINT,
  valid_from BIGINT,
  valid_until BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (event_id, name),
  UNIQUE (event_id, id),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK (sold BETWEEN 0 AND capacity)
);
CREATE INDEX registration_types_by_event ON registration_types (account_id, event_id, created_at, id);

CREATE TABLE registrations (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  registration_type_id TEXT NOT NULL,
  reference TEXT NOT NULL, -- of the organization file; the id, where the API made it
  status TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('checkout', 'api')),
  buyer_name TEXT NOT NULL,
  buyer_email TEXT NOT NULL,
  buyer_email_key TEXT NOT NULL, -- the e-mail in lower case: what is compared
  quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 100),
  amount_subtotal BIGINT NOT NULL CHECK (amount_subtotal >= 0),
  amount_total BIGINT NOT NULL CHECK (amount_total >= 0),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  processor_fee BIGINT CHECK (processor_fee >= 0), -- null: not known
  refunded_amount BIGINT CHECK (refunded_amount BETWEEN 0 AND amount_total),
  answers TEXT NOT NULL, -- a JSON object of strings
  language TEXT NOT NULL CHECK (language IN ('en', 'es')),
  confirmed_at BIGINT,
  cancelled_at BIGINT,
  refunded_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (event_id, reference),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  FOREIGN KEY (event_id, registration_type_id) REFERENCES registration_types (event_id, id),
  CHECK (source = 'checkout' OR amount_total = 0),
  CHECK (
    (status IN ('pending', 'failed') AND confirmed_at IS NULL AND cancelled_at IS NULL AND refunded_at IS NULL)
    OR (status = 'confirmed' AND confirmed_at IS NOT NULL AND cancelled_at IS NULL AND refunded_at IS NULL)
    OR (status = 'cancelled' AND cancelled_at IS NOT NULL AND refunded_at IS NULL)
    OR (status = 'refunded' AND confirmed_at IS NOT NULL AND refunded_at IS NOT NULL)
  ),
  CHECK ((refunded_at IS NULL) = (refunded_amount IS NULL))
);
CREATE INDEX registrations_by_account ON registrations (account_id, created_at, id);
CREATE INDEX registrations_by_status ON registrations (account_id, status, created_at, id);
CREATE INDEX registrations_by_event ON registrations (account_id, event_id, created_at, id);
CREATE INDEX registrations_by_event_status ON registrations (account_id, event_id, status, created_at, id);
CREATE INDEX registrations_by_confirmation ON registrations (account_id, confirmed_at, id)
  WHERE confirmed_at IS NOT NULL;
CREATE INDEX registrations_by_refund ON registrations (account_id, refunded_at, id)
  WHERE refunded_at IS NOT NULL;
CREATE INDEX registrations_by_buyer ON registrations (account_id, buyer_email_key, created_at, id);

-- One row a ticket.
CREATE TABLE attendees (
  id TEXT PRIMARY KEY NOT NULL,
  registration_id TEXT NOT NULL REFERENCES registrations (id),
  position INTEGER NOT NULL CHECK (position >= 0),
  name TEXT,
  email TEXT,
  seat TEXT,
  qr_code TEXT NOT NULL,
  voided INTEGER NOT NULL CHECK (voided IN (0, 1)),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (registration_id, position)
);

-- A ticket is checked in when it has a row here: UNIQUE (attendee_id) is what admits it once.
CREATE TABLE check_ins (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  attendee_id TEXT NOT NULL UNIQUE REFERENCES attendees (id),
  source TEXT NOT NULL CHECK (source IN ('scanner', 'api')),
  created_at BIGINT NOT NULL, -- the instant of the check-in
  updated_at BIGINT NOT NULL,
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);
CREATE INDEX check_ins_by_account ON check_ins (account_id, created_at, id);
CREATE INDEX check_ins_by_event ON check_ins (account_id, event_id, created_at, id);

CREATE TABLE waitlist_entries (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  registration_type_id TEXT NOT NULL,
  reference TEXT NOT NULL,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 100),
  notified_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (event_id, reference),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  FOREIGN KEY (event_id, registration_type_id) REFERENCES registration_types (event_id, id)
);
CREATE INDEX waitlist_entries_by_event ON waitlist_entries (account_id, event_id, created_at, id);
CREATE INDEX waitlist_entries_waiting ON waitlist_entries (registration_type_id, created_at, id)
  WHERE notified_at IS NULL;

CREATE TABLE abstracts (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  code TEXT NOT NULL,
  title TEXT NOT NULL,
  abstract TEXT NOT NULL,
  keywords TEXT,
  authors TEXT NOT NULL, -- a JSON array
  contact TEXT NOT NULL, -- a JSON object
  file_name TEXT,
  status TEXT NOT NULL,
  decision_note TEXT,
  decided_at BIGINT,
  submitted_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (event_id, code),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK (
    (status IN ('submitted', 'in_review') AND decided_at IS NULL)
    OR (status IN ('accepted', 'rejected') AND decided_at IS NOT NULL)
  )
);
CREATE INDEX abstracts_by_account ON abstracts (account_id, created_at, id);
CREATE INDEX abstracts_by_status ON abstracts (account_id, status, created_at, id);
CREATE INDEX abstracts_by_event ON abstracts (account_id, event_id, created_at, id);
CREATE INDEX abstracts_by_event_status ON abstracts (account_id, event_id, status, created_at, id);

CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL,
  types TEXT NOT NULL, -- a JSON array
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  secret TEXT NOT NULL, -- the HMAC key itself: a hash could sign nothing
  previous_secret TEXT, -- signs too, until it expires after a rotation
  previous_secret_expires_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (account_id, url),
  CHECK ((previous_secret IS NULL) = (previous_secret_expires_at IS NULL))
);

-- The outbox: the envelope of each event as it will be sent, written in the transaction of the change.
CREATE TABLE webhook_events (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX webhook_events_by_age ON webhook_events (created_at, id);

-- One row for each endpoint that an event goes to, written with the event.
CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  event_id TEXT NOT NULL REFERENCES webhook_events (id),
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id),
  type TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  attempts INTEGER NOT NULL CHECK (attempts BETWEEN 0 AND 8), -- of the schedule; those by hand do not count
  next_attempt_at BIGINT, -- of the schedule, null once it has ended; a claim moves it past the attempt's deadline
  manual_attempt_at BIGINT, -- of a retry by hand that was asked for
  last_status_code INTEGER,
  last_error TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (event_id, endpoint_id),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at, id)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_due_by_hand ON webhook_deliveries (endpoint_id, manual_attempt_at, id)
  WHERE manual_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at, id);
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (status, created_at, id);
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_by_endpoint_status ON webhook_deliveries (endpoint_id, status, created_at, id);

CREATE TABLE webhook_attempts (
  id TEXT PRIMARY KEY NOT NULL,
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id),
  number INTEGER CHECK (number BETWEEN 1 AND 8), -- null for one by hand
  duration_ms INTEGER NOT NULL,
  status_code INTEGER,
  error TEXT,
  response TEXT, -- the first 1 KiB
  created_at BIGINT NOT NULL, -- when it began
  updated_at BIGINT NOT NULL
);
CREATE INDEX webhook_attempts_by_delivery ON webhook_attempts (delivery_id, created_at, id);
CREATE INDEX webhook_attempts_by_age ON webhook_attempts (created_at, id);

-- What each Idempotency-Key was answered, so that a retry gets the same bytes.
CREATE TABLE idempotent_responses (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  idempotency_key TEXT NOT NULL,
  fingerprint TEXT NOT NULL, -- SHA-256 over method, path and raw body
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, idempotency_key)
);
CREATE INDEX idempotent_responses_by_age ON idempotent_responses (created_at);

CREATE TABLE access_log (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  actor TEXT NOT NULL, -- key:<id> or cli
  action TEXT NOT NULL,
  target_type TEXT NOT NULL,
  target_id TEXT,
  request_id TEXT,
  address TEXT,
  details TEXT NOT NULL, -- a JSON object
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX access_log_by_account ON access_log (account_id, created_at, id);
