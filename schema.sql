-- The whole current schema, in the text that SQLite and PostgreSQL share.
-- Ids are text made by the program; instants are UTC milliseconds; booleans are 0 and 1; money is in minor units.
-- Every table carries created_at and updated_at, taken inside the write. created_at never goes back, but for the
-- history that an organization file brings.

-- One row: what belongs to the whole database.
CREATE TABLE instance (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  cursor_secret TEXT NOT NULL, -- base64url; signs the cursors of lists
  latest_write_at BIGINT NOT NULL, -- so that a clock set back, or a second process, cannot make created_at go back
  heartbeat_at BIGINT, -- the clock of the running server, as it said last; null before there was one
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  run_mark TEXT, -- of the last start, and in a file beside the database: a copy or an older backup lacks the file's
  held_at BIGINT, -- since when nothing is mailed, as this may be a copy; null once somebody has said that it is none
  write_number BIGINT NOT NULL DEFAULT 0, -- grows with each commit that takes its instant: what has changed since is found by it
  epoch TEXT NOT NULL DEFAULT '', -- numbers of writes hold in one: another in a copy and in an older database that takes its place, none before the first start
  epoch_at BIGINT -- since when it is one of these; null where it is none
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
  updated_at BIGINT NOT NULL,
  number INTEGER, -- from 1: stands for the id in registration_words, in a tenth of the room
  slug TEXT, -- its name in addresses; null where nobody chose one
  legal_name TEXT, -- who sells, as the law asks for it
  address TEXT,
  tax_id TEXT,
  imprint_url TEXT,
  privacy_url TEXT,
  receipt_prefix TEXT, -- what the numbers of its receipts begin with
  receipt_years INTEGER NOT NULL DEFAULT 10
    CHECK (receipt_years BETWEEN 6 AND 12), -- that they name their people, after the year that they are of
  tax_exemption TEXT, -- why there is no tax in what it sells
  terms_url TEXT,
  imprint_text TEXT CHECK (imprint_text IS NULL OR imprint_url IS NULL), -- Markdown, served here; or else a link leads elsewhere
  privacy_text TEXT CHECK (privacy_text IS NULL OR privacy_url IS NULL),
  terms_text TEXT CHECK (terms_text IS NULL OR terms_url IS NULL), -- of each event that has none of its own
  invoice_from INTEGER CHECK (invoice_from BETWEEN 0 AND 1000000), -- from such an order, in whole units of the account's currency, an invoice needs an address; null: never
  embed_origins TEXT, -- a JSON array: the sites that may show its pages in a frame; null: none
  forget_after_days INTEGER CHECK (forget_after_days BETWEEN 30 AND 3650), -- after the end of an event, its guests are made anonymous; null: never
  forget_told_at BIGINT -- when its owners were mailed that this begins
);
CREATE UNIQUE INDEX accounts_by_number ON accounts (number);
CREATE UNIQUE INDEX accounts_by_slug ON accounts (slug);

-- People who sign in. One may be a member of several accounts.
CREATE TABLE users (
  id TEXT PRIMARY KEY NOT NULL,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE, -- the e-mail in lower case: what is compared
  name TEXT NOT NULL,
  password_hash TEXT NOT NULL, -- scrypt, with its parameters and salt
  operator INTEGER NOT NULL CHECK (operator IN (0, 1)), -- of the instance: backups, and all that is of no single account
  language TEXT NOT NULL CHECK (language IN ('en', 'es')),
  totp_secret TEXT, -- base32; null without a second factor
  totp_last_step BIGINT, -- the time step of the last code that was accepted: each is accepted once (RFC 6238)
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  CHECK (totp_secret IS NOT NULL OR totp_last_step IS NULL)
);

CREATE TABLE recovery_codes (
  code_hash TEXT NOT NULL, -- SHA-256 in hex; a code is deleted when it is used
  user_id TEXT NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE members (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'finance', 'door', 'chair', 'reviewer')),
  all_events INTEGER NOT NULL CHECK (all_events IN (0, 1)), -- 0: those of member_events alone, even where they are none
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (account_id, user_id)
);
CREATE INDEX members_by_user ON members (user_id, created_at, id);

CREATE TABLE sessions (
  token_hash TEXT PRIMARY KEY NOT NULL, -- SHA-256 in hex: the token itself is never stored
  id TEXT NOT NULL UNIQUE, -- what its person names it by
  user_id TEXT NOT NULL REFERENCES users (id),
  address TEXT,
  browser TEXT, -- the User-Agent, as far as it was kept
  last_used_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL, -- whatever its use
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id, created_at, id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Links that work once: to set the instance up, to become a member, to choose a new password, to sign in to a sandbox.
CREATE TABLE one_time_links (
  token_hash TEXT PRIMARY KEY NOT NULL, -- SHA-256 in hex
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('setup', 'invitation', 'reset', 'sign-in')),
  account_id TEXT REFERENCES accounts (id),
  user_id TEXT REFERENCES users (id),
  email TEXT, -- of whom is invited
  role TEXT CHECK (role IN ('owner', 'manager', 'finance', 'door', 'chair', 'reviewer')),
  event_ids TEXT, -- a JSON array; null for all of the account's
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  CHECK (
    (kind = 'setup' AND account_id IS NULL AND user_id IS NULL)
    OR (kind = 'invitation' AND account_id IS NOT NULL AND email IS NOT NULL AND role IS NOT NULL)
    OR (kind IN ('reset', 'sign-in') AND user_id IS NOT NULL)
  )
);
CREATE INDEX one_time_links_by_account ON one_time_links (account_id, created_at, id) WHERE account_id IS NOT NULL;
CREATE INDEX one_time_links_by_expiry ON one_time_links (expires_at);

-- Where a form that creates something has led: sent again, it leads there.
CREATE TABLE form_receipts (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  form_id TEXT NOT NULL, -- the one-time id in the form
  location TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, user_id, form_id)
);
CREATE INDEX form_receipts_by_age ON form_receipts (account_id, created_at, user_id, form_id);

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

-- Events that repeat one another. Each date is a whole event.
CREATE TABLE series (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  slug TEXT NOT NULL, -- no event of the account has it
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (account_id, slug)
);
CREATE INDEX series_by_account ON series (account_id, created_at, id);

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
  number INTEGER, -- from 1 in each account
  description TEXT, -- Markdown
  address TEXT, -- of the venue, in lines
  online_url TEXT, -- for holders of tickets alone
  contact_email TEXT,
  terms TEXT, -- Markdown; what a buyer accepts
  names_locked_at BIGINT, -- from then on buyers change no names; null: until the event begins
  cancel_until BIGINT, -- buyers may cancel until then; null: they may not
  cancel_refund_basis_points INTEGER NOT NULL DEFAULT 10000
    CHECK (cancel_refund_basis_points BETWEEN 0 AND 10000), -- of what was paid, when a buyer cancels
  payment_days INTEGER NOT NULL DEFAULT 7 CHECK (payment_days BETWEEN 1 AND 365), -- to pay a transfer in
  withdrawal_excluded INTEGER NOT NULL DEFAULT 1 CHECK (withdrawal_excluded IN (0, 1)), -- as of leisure with a date
  waitlist_mode TEXT NOT NULL DEFAULT 'notify' CHECK (waitlist_mode IN ('off', 'notify', 'offer')),
  waitlist_hours INTEGER NOT NULL DEFAULT 24 CHECK (waitlist_hours BETWEEN 1 AND 720), -- that an offer is held
  revision INTEGER NOT NULL DEFAULT 0, -- grows with each change: the SEQUENCE of calendar files
  reminder TEXT NOT NULL DEFAULT 'orders' CHECK (reminder IN ('off', 'orders', 'all')), -- whom a mail reminds the day before
  reminded_for BIGINT, -- the start that they were reminded of
  untold TEXT, -- a JSON object: date and place as those who have tickets know them, where they have changed since
  approval_days INTEGER NOT NULL DEFAULT 7 CHECK (approval_days BETWEEN 1 AND 60), -- that an order waits for the organizer
  payment_ways TEXT NOT NULL DEFAULT 'set_up' CHECK (payment_ways IN ('set_up', 'set_up_and_door', 'stripe', 'transfer', 'door')),
  decision_mails INTEGER NOT NULL DEFAULT 1 CHECK (decision_mails IN (0, 1)), -- whether the contact of an abstract is told what is decided
  takes_abstracts INTEGER NOT NULL DEFAULT 0 CHECK (takes_abstracts IN (0, 1)), -- whether the dashboard shows its abstracts
  archived_at BIGINT, -- since when the dashboard's list leaves it out; null: it does not
  deleting_at BIGINT, -- since when it is being deleted, and nobody sees anything of it; null: it is not
  give_on INTEGER NOT NULL DEFAULT 0 CHECK (give_on IN (0, 1)), -- whether holders may give their tickets to others, until names are locked
  badge_layout TEXT, -- a JSON object: how its badges are printed; null: it has none
  series_id TEXT REFERENCES series (id), -- null: of none
  UNIQUE (account_id, slug),
  UNIQUE (account_id, id),
  CHECK (starts_at IS NULL OR ends_at IS NULL OR ends_at >= starts_at)
);
CREATE INDEX events_by_account ON events (account_id, created_at, id);
CREATE UNIQUE INDEX events_by_number ON events (account_id, number);
CREATE INDEX events_to_come_by_account ON events (account_id, starts_at, id)
  WHERE status = 'published' AND visibility = 'public';
CREATE INDEX events_to_come ON events (starts_at, id) WHERE status = 'published' AND visibility = 'public';
CREATE INDEX events_to_remind ON events (starts_at, id) WHERE status = 'published' AND reminder <> 'off';
-- By when they are over, a day after their start where nobody said: those without a date never are.
CREATE INDEX events_by_end ON events (account_id, status, (coalesce(ends_at, starts_at + 86400000, 253402300799999)), id)
  WHERE archived_at IS NULL AND deleting_at IS NULL;
CREATE INDEX events_drafts ON events (account_id, created_at, id)
  WHERE status = 'draft' AND archived_at IS NULL AND deleting_at IS NULL;
CREATE INDEX events_archived ON events (account_id, archived_at, id)
  WHERE archived_at IS NOT NULL AND deleting_at IS NULL;
CREATE INDEX events_of_series ON events (series_id, account_id, starts_at, id) WHERE series_id IS NOT NULL;
CREATE INDEX events_being_deleted ON events (account_id, id) WHERE deleting_at IS NOT NULL;

-- The cover of an event's page. Apart from events, so that no read of an event carries it.
CREATE TABLE event_pictures (
  event_id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  hash TEXT NOT NULL, -- SHA-256 of the file, in hex
  type TEXT NOT NULL CHECK (type IN ('image/png', 'image/jpeg', 'image/webp')),
  width INTEGER NOT NULL CHECK (width > 0), -- pixels
  height INTEGER NOT NULL CHECK (height > 0),
  sized INTEGER NOT NULL DEFAULT 0 CHECK (sized IN (0, 1)), -- whether it has all sizes that it will have
  size_attempts INTEGER NOT NULL DEFAULT 0 CHECK (size_attempts >= 0), -- how often its sizes were begun
  content TEXT NOT NULL, -- the file, in base64
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);
CREATE INDEX event_pictures_by_account ON event_pictures (account_id, event_id);
CREATE INDEX event_pictures_to_size ON event_pictures (sized, size_attempts, event_id) WHERE sized = 0;

-- Smaller files of a cover, made of it by the program.
CREATE TABLE event_picture_sizes (
  event_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  use TEXT NOT NULL CHECK (use IN ('page', 'share')), -- on pages, or beside a shared address
  width INTEGER NOT NULL CHECK (width > 0), -- pixels
  height INTEGER NOT NULL CHECK (height > 0),
  hash TEXT NOT NULL, -- SHA-256 of the file, in hex
  type TEXT NOT NULL CHECK (type IN ('image/jpeg', 'image/webp')),
  content TEXT NOT NULL, -- the file, in base64
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (event_id, use, width),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);

-- How the pages, mails and tickets of an account look, and those of an event that has a look of its own.
CREATE TABLE looks (
  id TEXT PRIMARY KEY NOT NULL CHECK (id = coalesce(event_id, account_id)),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  event_id TEXT, -- null: of the account
  colour TEXT CHECK (length(colour) = 7), -- #rrggbb; null: of the account, or else Turnout's
  logo_hash TEXT, -- SHA-256 of the file, in hex; null: none of its own
  logo_width INTEGER CHECK (logo_width > 0), -- pixels
  logo_height INTEGER CHECK (logo_height > 0),
  logo_content TEXT, -- the file, a PNG in base64
  logo_page_content TEXT, -- a WebP in base64 for pages, where the file is too heavy for them; null: they show the file
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK (colour IS NOT NULL OR logo_hash IS NOT NULL),
  CHECK ((logo_hash IS NULL) = (logo_content IS NULL) AND (logo_hash IS NULL) = (logo_width IS NULL)
    AND (logo_hash IS NULL) = (logo_height IS NULL)),
  CHECK (logo_hash IS NOT NULL OR logo_page_content IS NULL)
);
CREATE INDEX looks_by_account ON looks (account_id, event_id);
CREATE INDEX looks_by_logo ON looks (account_id, logo_hash) WHERE logo_hash IS NOT NULL;

-- The events of a member who has not all.
CREATE TABLE member_events (
  member_id TEXT NOT NULL REFERENCES members (id),
  event_id TEXT NOT NULL REFERENCES events (id),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (member_id, event_id)
);
CREATE INDEX member_events_by_event ON member_events (event_id);

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
  position INTEGER NOT NULL DEFAULT 0, -- where it stands among the types of its event, for people; then the older first
  min_per_order INTEGER NOT NULL DEFAULT 1 CHECK (min_per_order BETWEEN 1 AND 100), -- of whoever takes any
  max_per_order INTEGER CHECK (max_per_order BETWEEN 1 AND 100), -- null: as many as an order may have
  hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)), -- 1: shown with a code alone
  tax_basis_points INTEGER NOT NULL DEFAULT 0 CHECK (tax_basis_points BETWEEN 0 AND 10000), -- that the price includes
  kind TEXT NOT NULL DEFAULT 'ticket' CHECK (kind IN ('ticket', 'extra')), -- an extra is bought beside a ticket
  open_price INTEGER NOT NULL DEFAULT 0 CHECK (open_price IN (0, 1)), -- 1: the price is the least, and buyers may give more
  entries TEXT NOT NULL DEFAULT 'once' CHECK (entries IN ('once', 'each_day')), -- how often a ticket admits
  reentry INTEGER NOT NULL DEFAULT 0 CHECK (reentry IN (0, 1)), -- 1: again after each exit
  UNIQUE (event_id, name),
  UNIQUE (event_id, id),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK (sold BETWEEN 0 AND capacity)
);
CREATE INDEX registration_types_by_event ON registration_types (account_id, event_id, created_at, id);

-- Capacity that several types of an event share: a ticket takes from its type and from each pool of it.
CREATE TABLE capacity_pools (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  name TEXT NOT NULL,
  capacity INTEGER NOT NULL CHECK (capacity BETWEEN 0 AND 1000000),
  sold INTEGER NOT NULL, -- tickets of pending and confirmed registrations of its types
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (event_id, name),
  UNIQUE (event_id, id),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK (sold BETWEEN 0 AND capacity)
);
CREATE INDEX capacity_pools_by_event ON capacity_pools (account_id, event_id, created_at, id);

CREATE TABLE registration_type_pools (
  event_id TEXT NOT NULL,
  registration_type_id TEXT NOT NULL,
  pool_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (registration_type_id, pool_id),
  FOREIGN KEY (event_id, registration_type_id) REFERENCES registration_types (event_id, id),
  FOREIGN KEY (event_id, pool_id) REFERENCES capacity_pools (event_id, id)
);
CREATE INDEX registration_type_pools_by_pool ON registration_type_pools (pool_id, registration_type_id);

-- What an event asks whoever orders, of each ticket, or of each abstract.
CREATE TABLE questions (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  key TEXT NOT NULL, -- its answers stand under it
  label TEXT NOT NULL,
  help TEXT,
  kind TEXT NOT NULL
    CHECK (kind IN ('text', 'long_text', 'one_of', 'several_of', 'yes_no', 'date', 'number', 'phone', 'country')),
  choices TEXT NOT NULL, -- a JSON array of strings
  required INTEGER NOT NULL CHECK (required IN (0, 1)),
  asked_for TEXT NOT NULL CHECK (asked_for IN ('order', 'ticket', 'abstract')),
  for_reviewers INTEGER NOT NULL CHECK (for_reviewers IN (0, 1)), -- whether they see the answer
  answered_at BIGINT, -- since when an abstract that was sent has an answer
  registration_type_ids TEXT, -- a JSON array; null for all types. A type that was removed may still be among them
  position INTEGER NOT NULL, -- where it stands among those of its event; then the older first
  retired_at BIGINT, -- since when nobody is asked it any more
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (event_id, key),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK (asked_for = 'abstract' OR (for_reviewers = 0 AND answered_at IS NULL))
);
CREATE INDEX questions_by_event ON questions (account_id, event_id, created_at, id);

-- What people enter when they order: it shows them hidden types, or makes tickets cheaper.
CREATE TABLE codes (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  code TEXT NOT NULL,
  code_key TEXT NOT NULL, -- the code in lower case: what is compared
  percent INTEGER CHECK (percent BETWEEN 1 AND 100), -- off each ticket
  amount INTEGER CHECK (amount BETWEEN 1 AND 99999999), -- off each ticket
  registration_type_ids TEXT, -- a JSON array; null for all types. A type that was removed may still be among them
  valid_from BIGINT,
  valid_until BIGINT,
  max_tickets INTEGER CHECK (max_tickets BETWEEN 1 AND 1000000), -- null: any number
  used INTEGER NOT NULL CHECK (used >= 0), -- tickets that have it, and are not void
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  note TEXT, -- of the organizer, whom alone it is shown to
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (event_id, code_key),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK (percent IS NULL OR amount IS NULL),
  CHECK (max_tickets IS NULL OR used <= max_tickets)
);
CREATE INDEX codes_by_event ON codes (account_id, event_id, created_at, id);

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
  number INTEGER, -- from 1 in each account
  note TEXT, -- of the organizer, whom alone it is shown to
  erased_at BIGINT, -- when its people were made anonymous
  order_id TEXT, -- what it was bought with, in one line of it; null for one of the API or a file
  secret_version INTEGER NOT NULL DEFAULT 1 CHECK (secret_version >= 1), -- of the links to its tickets; those of an order have its
  exchanged_for TEXT, -- the ticket of its order whose place it took; null for what was bought
  beside TEXT, -- the registration that an extra without an order stands beside; null for every other
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
-- What stands behind the id is there to be compared without the row.
CREATE INDEX registrations_by_account ON registrations (account_id, created_at, id, status);
CREATE INDEX registrations_by_event
  ON registrations (account_id, event_id, created_at, id, registration_type_id, status);
-- Most are confirmed, and are found by the two above: an import does not write these.
CREATE INDEX registrations_unconfirmed ON registrations (account_id, status, created_at, id)
  WHERE status <> 'confirmed';
CREATE INDEX registrations_unconfirmed_by_event ON registrations (account_id, event_id, status, created_at, id)
  WHERE status <> 'confirmed';
CREATE INDEX registrations_by_confirmation ON registrations (account_id, confirmed_at, id)
  WHERE confirmed_at IS NOT NULL;
-- What stands behind the id is there to be compared without the row: a buyer may have any number.
CREATE INDEX registrations_by_buyer
  ON registrations (account_id, buyer_email_key, created_at, id, event_id, status);

CREATE UNIQUE INDEX registrations_by_number ON registrations (account_id, number);
-- Those that may have more words than are kept: with fewer tickets, none has so many.
CREATE INDEX registrations_with_many_tickets ON registrations (account_id, created_at, id) WHERE quantity >= 24;

CREATE INDEX registrations_by_order ON registrations (account_id, order_id, created_at, id) WHERE order_id IS NOT NULL;
-- A ticket is exchanged once.
CREATE UNIQUE INDEX registrations_by_exchange ON registrations (account_id, exchanged_for) WHERE exchanged_for IS NOT NULL;
CREATE INDEX registrations_beside ON registrations (account_id, beside, created_at, id) WHERE beside IS NOT NULL;

-- The words of the names and e-mails of a registration's people, which it is found by. Several rows a registration: they have
-- numbers instead of ids, and no foreign keys.
CREATE TABLE registration_words (
  account_number INTEGER NOT NULL,
  word TEXT NOT NULL,
  created_at BIGINT NOT NULL, -- of the registration
  registration_number INTEGER NOT NULL,
  event_number INTEGER NOT NULL,
  updated_at BIGINT NOT NULL
);
-- What stands behind the registration is there to be compared without the row.
CREATE UNIQUE INDEX registration_words_by_word
  ON registration_words (account_number, word, created_at, registration_number, event_number);

-- The distinct keys of an event's answers: the columns of its report, bounded in number.
CREATE TABLE answer_keys (
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  key TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (event_id, key),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);

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
  answers TEXT NOT NULL DEFAULT '{}', -- to the questions of each ticket: a JSON object of strings
  code_id TEXT REFERENCES codes (id), -- that it was ordered with
  price INTEGER CHECK (price >= 0), -- of the type when it was ordered; null outside of orders, as are the three below
  discount INTEGER CHECK (discount BETWEEN 0 AND price), -- taken off by a code
  tax INTEGER CHECK (tax >= 0), -- that price less discount includes
  tax_basis_points INTEGER CHECK (tax_basis_points BETWEEN 0 AND 10000), -- of the type when it was ordered: the rate of that tax
  mailed_at BIGINT, -- when a mail with the ticket was last written to whom it is for; null: never, only to another address, or with another code
  badge_printed_at BIGINT, -- when its badge was last printed: those of one print have the same instant; null: it was not
  UNIQUE (registration_id, position)
);
CREATE INDEX attendees_by_print ON attendees (badge_printed_at) WHERE badge_printed_at IS NOT NULL;
CREATE INDEX attendees_by_code ON attendees (code_id) WHERE code_id IS NOT NULL;

-- A ticket is checked in when it has a row here: UNIQUE (attendee_id) is what admits it once.
CREATE TABLE check_ins (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  attendee_id TEXT NOT NULL UNIQUE REFERENCES attendees (id),
  source TEXT NOT NULL CHECK (source IN ('scanner', 'api')),
  created_at BIGINT NOT NULL, -- when it was recorded: lists are in this order
  updated_at BIGINT NOT NULL,
  checked_in_at BIGINT NOT NULL DEFAULT 0, -- when the ticket was admitted: at a door without network before it was recorded
  scan_id TEXT, -- the scan that holds it; null where no scanner has made it
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);
CREATE INDEX check_ins_by_account ON check_ins (account_id, created_at, id);
CREATE INDEX check_ins_by_event ON check_ins (account_id, event_id, created_at, id);
CREATE INDEX check_ins_by_instant ON check_ins (account_id, checked_in_at, id);

-- How often a ticket has been in, beside its check-in: only for types that allow more than one entry. `slot` is the day, or `-`
-- where days do not count, and how many exits of it were known: two doors that admit one slot are a conflict.
CREATE TABLE entries (
  attendee_id TEXT NOT NULL REFERENCES attendees (id),
  slot TEXT NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  scan_id TEXT, -- the scan that holds it; null where no scanner has made it
  entered_at BIGINT NOT NULL,
  left_scan_id TEXT, -- the exit that ended it
  left_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (attendee_id, slot),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK ((left_scan_id IS NULL) = (left_at IS NULL))
);
CREATE INDEX entries_by_event ON entries (account_id, event_id, entered_at, attendee_id, slot);
CREATE INDEX entries_by_ticket ON entries (attendee_id, entered_at, slot);

-- Phones and computers at the doors of an event.
CREATE TABLE devices (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  name TEXT NOT NULL, -- of the door
  registration_type_ids TEXT, -- a JSON array: whom it admits; null for all
  search INTEGER NOT NULL CHECK (search IN (0, 1)), -- whether it has names, and admits by them
  unlisted INTEGER NOT NULL CHECK (unlisted IN (0, 1)), -- whether it admits without a network who is not in its copy yet
  pairing_hash TEXT UNIQUE, -- SHA-256 in hex of the secret that is exchanged for a token; null once a token was used
  pairing_expires_at BIGINT,
  token_hash TEXT UNIQUE, -- SHA-256 in hex; null until it is paired
  token_unused INTEGER NOT NULL DEFAULT 0 CHECK (token_unused IN (0, 1)), -- 1 from the exchange of the secret until its first use
  paired_at BIGINT, -- first: no scan is before
  last_seen_at BIGINT, -- within a minute
  waiting INTEGER NOT NULL DEFAULT 0, -- scans that are on the phone alone, as it said last
  taken INTEGER NOT NULL DEFAULT 0, -- scans of it that are here: one that was stolen does not fill the disk
  revoked_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  way TEXT NOT NULL DEFAULT 'in' CHECK (way IN ('in', 'out')),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);
CREATE INDEX devices_by_event ON devices (account_id, event_id, created_at, id);
CREATE INDEX devices_at_work ON devices (event_id) WHERE revoked_at IS NULL;

-- What scanners have sent, each once: also refusals, doubles and what was undone. A check-in is held by one of them.
CREATE TABLE scans (
  id TEXT NOT NULL, -- that the scanner gave it
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL, -- of the door
  device_id TEXT, -- null where another server has brought it
  door TEXT NOT NULL, -- its name then
  kind TEXT NOT NULL CHECK (kind IN ('scan', 'undo', 'exit')),
  of_id TEXT, -- that is undone: it may come later
  attendee_id TEXT, -- of the ticket, which may be one that an older database does not know
  by_hand INTEGER NOT NULL CHECK (by_hand IN (0, 1)), -- 1: picked from the list, without its code
  device_at BIGINT NOT NULL, -- as the clock of the scanner said
  clock_offset BIGINT NOT NULL, -- milliseconds that it lacked
  scanned_at BIGINT NOT NULL, -- both together, and not before the pairing or after the receipt
  shown TEXT CHECK (shown IN ('admitted', 'refused')), -- what the guest saw; null where nobody has said yet
  note TEXT, -- why, as the scanner or whoever undid it says
  outcome TEXT NOT NULL CHECK (outcome IN ('admitted', 'refused', 'conflict', 'undone', 'held', 'left')),
  reason TEXT, -- a code; null where it was admitted
  number BIGINT NOT NULL, -- of the write that gave it its outcome
  changed INTEGER NOT NULL DEFAULT 0 CHECK (changed IN (0, 1)), -- 1 once that is another than its first
  seen_at BIGINT, -- when somebody has set a conflict aside
  case_id TEXT, -- with what else somebody has to look at it; null where nobody has to
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK ((kind = 'undo') = (of_id IS NOT NULL)),
  CHECK (kind = 'undo' OR attendee_id IS NOT NULL),
  CHECK (outcome <> 'conflict' OR shown = 'admitted'),
  CHECK (outcome <> 'admitted' OR shown IS NULL OR shown = 'admitted'),
  CHECK (outcome <> 'left' OR kind = 'exit')
);
CREATE INDEX scans_by_event ON scans (account_id, event_id, created_at, id);
CREATE INDEX scans_by_number ON scans (account_id, event_id, number, id);
CREATE INDEX scans_to_look_at ON scans (account_id, event_id, outcome, created_at, id)
  WHERE outcome IN ('conflict', 'held') AND seen_at IS NULL;
CREATE INDEX scans_to_decide ON scans (account_id, event_id, outcome, scanned_at, id)
  WHERE outcome IN ('conflict', 'held') AND seen_at IS NULL;
CREATE INDEX scans_by_case ON scans (account_id, case_id, scanned_at, id) WHERE case_id IS NOT NULL;
CREATE INDEX scans_to_decide_by_device ON scans (account_id, device_id, outcome, scanned_at, id)
  WHERE outcome IN ('conflict', 'held') AND seen_at IS NULL;
CREATE INDEX scans_standing ON scans (account_id, attendee_id, event_id, scanned_at, id) WHERE outcome = 'conflict';
CREATE INDEX scans_by_ticket ON scans (account_id, attendee_id, scanned_at, id);
CREATE INDEX scans_by_hand ON scans (account_id, device_id, scanned_at) WHERE by_hand = 1;
CREATE INDEX scans_undone ON scans (account_id, of_id, event_id, outcome, scanned_at, id) WHERE kind = 'undo';
CREATE INDEX scans_of_exits ON scans (account_id, attendee_id, event_id, outcome, reason, scanned_at, id) WHERE kind = 'exit';

-- What somebody has to look at: the scans of one ticket at one door that are held, or conflicts. Ten thousand of them are one.
CREATE TABLE scan_cases (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL, -- of the door
  outcome TEXT NOT NULL CHECK (outcome IN ('conflict', 'held')),
  device_id TEXT NOT NULL, -- empty where another server has brought them
  door TEXT NOT NULL, -- its name then
  ticket_id TEXT NOT NULL, -- empty for all that are of no ticket of the event
  scans INTEGER NOT NULL CHECK (scans > 0), -- that nobody has looked at yet
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);
CREATE UNIQUE INDEX scan_cases_by_ticket ON scan_cases (account_id, event_id, outcome, device_id, door, ticket_id);
CREATE INDEX scan_cases_by_age ON scan_cases (account_id, event_id, outcome, created_at, id);

-- Which tickets doors see otherwise than before, while an event has devices: what a copy of the list catches up by.
CREATE TABLE door_changes (
  event_id TEXT NOT NULL,
  number BIGINT NOT NULL, -- of the write
  attendee_id TEXT NOT NULL, -- of the ticket, or empty where so many have changed that the list is copied again
  account_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, event_id, number, attendee_id),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);
CREATE INDEX door_changes_by_age ON door_changes (account_id, created_at);

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
  language TEXT NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'es')),
  order_id TEXT, -- of the latest offer: what holds its places, or held them
  UNIQUE (event_id, reference),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  FOREIGN KEY (event_id, registration_type_id) REFERENCES registration_types (event_id, id)
);
CREATE INDEX waitlist_entries_by_event ON waitlist_entries (account_id, event_id, created_at, id);
CREATE INDEX waitlist_entries_by_type ON waitlist_entries (account_id, registration_type_id, created_at, id);
-- With the quantity, as those who want more than is free are passed over.
CREATE INDEX waitlist_entries_waiting
  ON waitlist_entries (account_id, registration_type_id, created_at, id, quantity) WHERE notified_at IS NULL;

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
  language TEXT, -- of its text, as BCP 47 has it
  topic_id TEXT, -- of the call
  kind_id TEXT, -- of the call
  revision INTEGER NOT NULL DEFAULT 0 CHECK (revision >= 0), -- the newest of its revisions; 0: it was not submitted here
  withdrawn_at BIGINT,
  decision_number INTEGER NOT NULL DEFAULT 0 CHECK (decision_number >= 0), -- rises with each decision that says something else
  decided_kind_id TEXT, -- of the call, that it was accepted as; null: as its authors asked for
  comments_told_at BIGINT, -- since when its authors may read what reviewers wrote to them
  registration_code_id TEXT, -- of the code that its presenter registers with. It may be removed
  confirm_by BIGINT, -- until when its authors are asked to confirm that they come
  confirm_reminded INTEGER, -- so many days before that they were reminded last
  confirmed_at BIGINT, -- when they confirmed
  unavailable TEXT, -- a JSON array of dates of the event on which nobody can present it
  UNIQUE (event_id, code),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK (
    (status IN ('submitted', 'in_review') AND decided_at IS NULL)
    OR (status IN ('accepted', 'rejected') AND decided_at IS NOT NULL)
  )
);
CREATE INDEX abstracts_by_account ON abstracts (account_id, created_at, id) WHERE withdrawn_at IS NULL;
CREATE INDEX abstracts_by_status ON abstracts (account_id, status, created_at, id) WHERE withdrawn_at IS NULL;
CREATE INDEX abstracts_by_event ON abstracts (account_id, event_id, created_at, id) WHERE withdrawn_at IS NULL;
CREATE INDEX abstracts_withdrawn ON abstracts (account_id, event_id, created_at, id) WHERE withdrawn_at IS NOT NULL;
CREATE INDEX abstracts_of_event ON abstracts (account_id, event_id, created_at, id);
CREATE INDEX abstracts_of_account ON abstracts (account_id, created_at, id);
CREATE INDEX abstracts_by_event_status ON abstracts (account_id, event_id, status, created_at, id) WHERE withdrawn_at IS NULL;
CREATE INDEX abstracts_withdrawn_by_status ON abstracts (account_id, status, created_at, id) WHERE withdrawn_at IS NOT NULL;
CREATE INDEX abstracts_withdrawn_of_account ON abstracts (account_id, created_at, id) WHERE withdrawn_at IS NOT NULL;
CREATE INDEX abstracts_withdrawn_by_event_status ON abstracts (account_id, event_id, status, created_at, id)
  WHERE withdrawn_at IS NOT NULL;
CREATE INDEX abstracts_unconfirmed ON abstracts (account_id, event_id, created_at, id)
  WHERE status = 'accepted' AND confirm_by IS NOT NULL AND confirmed_at IS NULL AND withdrawn_at IS NULL;
CREATE INDEX abstracts_to_confirm ON abstracts (confirm_by, id)
  WHERE status = 'accepted' AND confirm_by IS NOT NULL AND confirmed_at IS NULL AND withdrawn_at IS NULL;

-- Decisions that chairs have agreed on, and nobody else knows of yet.
CREATE TABLE proposals (
  abstract_id TEXT NOT NULL REFERENCES abstracts (id),
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('accepted', 'rejected')),
  kind_id TEXT, -- of the call, that it is accepted as; null: as its authors asked for
  note TEXT, -- to its authors
  proposed_by TEXT NOT NULL, -- as the access log names an actor
  job_id TEXT, -- what sends it. As long as that is under way, nobody changes it
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, abstract_id),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK (kind_id IS NULL OR decision = 'accepted')
);
CREATE INDEX proposals_by_abstract ON proposals (abstract_id);
CREATE INDEX proposals_by_event ON proposals (account_id, event_id, abstract_id);
CREATE INDEX proposals_by_job ON proposals (account_id, job_id, abstract_id) WHERE job_id IS NOT NULL;

-- Each version of an abstract that was sent.
CREATE TABLE abstract_revisions (
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  abstract_id TEXT NOT NULL REFERENCES abstracts (id),
  number INTEGER NOT NULL CHECK (number > 0),
  content TEXT NOT NULL, -- a JSON object: all of it
  formulas TEXT, -- a JSON object: the MathML of each, as it was made when this was sent
  changed_by TEXT, -- who made it, as the access log names them; null: its author
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (abstract_id, number),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);
CREATE INDEX abstract_revisions_by_event ON abstract_revisions (account_id, event_id);

-- Who asks for abstracts, until when, and what for. An event without one gets them by file alone.
CREATE TABLE calls (
  event_id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  opens_at BIGINT NOT NULL,
  closes_at BIGINT NOT NULL, -- the minute that people read; its last second is in time
  zone TEXT, -- in which people read it; null: that of the event
  about TEXT,
  sections TEXT NOT NULL, -- a JSON array of strings; none: one text without a heading
  max_words INTEGER NOT NULL CHECK (max_words BETWEEN 1 AND 2000),
  per_person INTEGER NOT NULL CHECK (per_person BETWEEN 1 AND 50),
  topics TEXT NOT NULL, -- a JSON array of objects
  kinds TEXT NOT NULL, -- a JSON array of objects
  file TEXT NOT NULL CHECK (file IN ('none', 'optional', 'required')),
  max_file_mib INTEGER NOT NULL CHECK (max_file_mib BETWEEN 1 AND 10),
  reminded_for BIGINT, -- the deadline that people were reminded of
  reminded_days INTEGER, -- so many days before it
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK (opens_at <= closes_at),
  CHECK ((reminded_for IS NULL) = (reminded_days IS NULL))
);
CREATE INDEX calls_by_account ON calls (account_id, event_id);
CREATE INDEX calls_by_end ON calls (closes_at, event_id);

-- The people who submit, by their e-mail.
CREATE TABLE submitters (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  reference TEXT NOT NULL, -- what an organization file calls them; their own id unless one has brought them
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL, -- the e-mail in the form that is compared
  language TEXT NOT NULL CHECK (language IN ('en', 'es')),
  secret_version INTEGER NOT NULL, -- of their links, which can be renewed
  confirmed_at BIGINT, -- since when it is known that the mailed link has reached them
  late_until BIGINT, -- until when the call is open for them alone
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (account_id, id),
  UNIQUE (event_id, email_key),
  UNIQUE (event_id, reference),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);
CREATE INDEX submitters_by_event ON submitters (account_id, event_id, created_at, id);
CREATE INDEX submitters_by_email ON submitters (account_id, email_key, id);

-- What somebody writes, and what was sent of it.
CREATE TABLE submissions (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  reference TEXT NOT NULL, -- what an organization file calls it; its own id unless one has brought it
  submitter_id TEXT NOT NULL,
  form_id TEXT NOT NULL, -- the id of the form that began it: sent twice, it begins one
  draft TEXT, -- a JSON object: as it was typed; null: as it was sent
  draft_revision INTEGER NOT NULL CHECK (draft_revision >= 0), -- rises with each change of the draft
  abstract_id TEXT REFERENCES abstracts (id), -- null: it was never sent
  confirmed_at BIGINT, -- since when it is known that the submitter has written it
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (event_id, form_id),
  UNIQUE (event_id, reference),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  FOREIGN KEY (account_id, submitter_id) REFERENCES submitters (account_id, id)
);
CREATE INDEX submissions_by_event ON submissions (account_id, event_id, created_at, id);
CREATE INDEX submissions_with_draft ON submissions (account_id, event_id, created_at, id) WHERE draft IS NOT NULL;
CREATE INDEX submissions_by_submitter ON submissions (account_id, submitter_id, created_at, id);
CREATE UNIQUE INDEX submissions_by_abstract ON submissions (abstract_id) WHERE abstract_id IS NOT NULL;
CREATE INDEX submissions_begun ON submissions (account_id, event_id, created_at, id) WHERE abstract_id IS NULL;
CREATE INDEX submissions_sent ON submissions (account_id, event_id) WHERE abstract_id IS NOT NULL;
CREATE INDEX submissions_unconfirmed ON submissions (account_id, event_id, id) WHERE confirmed_at IS NULL;

-- Files of submissions, in pieces, so that none of them is a long write.
CREATE TABLE abstract_files (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  submission_id TEXT, -- that it is attached to; null while its pieces come, and again while they go
  sha256 TEXT, -- of its bytes, in hex; null unless it is whole
  size INTEGER NOT NULL CHECK (size >= 0), -- bytes that are here
  name TEXT NOT NULL, -- on the machine that it came from
  replaced_at BIGINT, -- when another took its place, or none
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK ((submission_id IS NULL) = (sha256 IS NULL)),
  CHECK (replaced_at IS NULL OR submission_id IS NOT NULL)
);
CREATE INDEX abstract_files_by_event ON abstract_files (account_id, event_id, submission_id, size);
CREATE UNIQUE INDEX abstract_files_attached ON abstract_files (account_id, event_id, submission_id)
  WHERE submission_id IS NOT NULL AND replaced_at IS NULL;
CREATE INDEX abstract_files_loose ON abstract_files (account_id, created_at, id) WHERE submission_id IS NULL;
CREATE INDEX abstract_files_replaced ON abstract_files (account_id, replaced_at, id) WHERE replaced_at IS NOT NULL;

-- The pieces of files. Each is as it came, and goes only with all after it.
CREATE TABLE file_chunks (
  account_id TEXT NOT NULL,
  file_id TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number >= 0), -- from 0, without gaps
  content BYTEA NOT NULL CHECK (octet_length(content) <= 262144), -- of each but the last exactly as many
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, file_id, number),
  FOREIGN KEY (account_id, file_id) REFERENCES abstract_files (account_id, id)
);

-- How the abstracts of an event are reviewed, in one round.
CREATE TABLE review_rounds (
  event_id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  closes_at BIGINT NOT NULL, -- the minute that people read; its last second is in time
  blind INTEGER NOT NULL CHECK (blind IN (0, 1)), -- whether reviewers see who has written an abstract
  wanted INTEGER NOT NULL CHECK (wanted BETWEEN 1 AND 10), -- reviews of an abstract
  criteria TEXT NOT NULL, -- a JSON array of objects
  about TEXT,
  reminded_for BIGINT, -- the deadline that reviewers were reminded of by themselves
  reminded_days INTEGER, -- so many days before it
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK ((reminded_for IS NULL) = (reminded_days IS NULL))
);
CREATE INDEX review_rounds_by_account ON review_rounds (account_id, event_id);
CREATE INDEX review_rounds_by_end ON review_rounds (closes_at, event_id);
-- Who reviews abstracts, by their e-mail. They need not be members.
CREATE TABLE reviewers (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  reference TEXT NOT NULL, -- what an organization file calls them; their own id unless one has brought them
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL, -- the e-mail in the form that is compared
  affiliation TEXT,
  language TEXT NOT NULL CHECK (language IN ('en', 'es')),
  topics TEXT NOT NULL, -- a JSON array of ids of topics of the call, that they know
  conflicts TEXT NOT NULL, -- a JSON array of names, e-mails and affiliations, whose abstracts they do not review
  secret_version INTEGER NOT NULL, -- of their links, which can be renewed
  left_at BIGINT, -- when a chair took them out; their reviews stay
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (account_id, id),
  UNIQUE (event_id, email_key),
  UNIQUE (event_id, reference),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);
CREATE INDEX reviewers_by_event ON reviewers (account_id, event_id, created_at, id);
CREATE INDEX reviewers_by_email ON reviewers (account_id, email_key, id);
-- What reviewers have to review, and what they say of it.
CREATE TABLE reviews (
  abstract_id TEXT NOT NULL REFERENCES abstracts (id),
  reviewer_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  returned TEXT CHECK (returned IN ('conflict', 'field')), -- why it was given back
  scores TEXT NOT NULL, -- a JSON object of the ids of criteria
  recommendation TEXT CHECK (recommendation IN ('accept', 'unsure', 'reject')),
  to_authors TEXT,
  to_chairs TEXT,
  told TEXT, -- what the authors were told, once it was changed after that; empty for nothing
  done_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, abstract_id, reviewer_id),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  FOREIGN KEY (account_id, reviewer_id) REFERENCES reviewers (account_id, id),
  CHECK (done_at IS NULL OR (returned IS NULL AND recommendation IS NOT NULL))
);
CREATE INDEX reviews_by_event ON reviews (account_id, event_id, abstract_id, reviewer_id);
CREATE INDEX reviews_by_reviewer ON reviews (account_id, reviewer_id, abstract_id);
CREATE INDEX reviews_by_abstract ON reviews (abstract_id);

-- Where the sessions of an event are held, in the order in which its programme shows them.
CREATE TABLE rooms (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL CHECK (position >= 0),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);
CREATE INDEX rooms_by_event ON rooms (account_id, event_id, position, id);
-- The sessions of a programme. Those of people who sign in are called sessions alone.
CREATE TABLE programme_sessions (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  room_id TEXT, -- null: it has no room yet
  title TEXT NOT NULL,
  about TEXT,
  starts_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  chairs TEXT NOT NULL, -- a JSON array of objects, with a name and an e-mail or null
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  FOREIGN KEY (account_id, room_id) REFERENCES rooms (account_id, id),
  CHECK (starts_at < ends_at)
);
CREATE INDEX programme_sessions_by_event ON programme_sessions (account_id, event_id, starts_at, id);
CREATE INDEX programme_sessions_by_room ON programme_sessions (account_id, room_id, starts_at, id);
-- What follows on each other in a session: abstracts, and texts such as a welcome.
CREATE TABLE slots (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  position INTEGER NOT NULL CHECK (position >= 0),
  minutes INTEGER NOT NULL CHECK (minutes BETWEEN 0 AND 1440), -- 0: all of the session, as a poster hangs
  abstract_id TEXT REFERENCES abstracts (id),
  title TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  FOREIGN KEY (account_id, session_id) REFERENCES programme_sessions (account_id, id),
  CHECK ((abstract_id IS NULL) <> (title IS NULL))
);
CREATE INDEX slots_by_event ON slots (account_id, event_id, session_id, position, id);
CREATE INDEX slots_by_session ON slots (account_id, session_id, position, id);
CREATE INDEX slots_by_abstract ON slots (abstract_id);
-- Each programme that was published, as it was then.
CREATE TABLE programme_versions (
  event_id TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  account_id TEXT NOT NULL,
  content TEXT NOT NULL, -- a JSON object of ids, times and numbers, without names
  published_by TEXT NOT NULL, -- as the access log names who did it
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (event_id, number),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);
CREATE INDEX programme_versions_by_event ON programme_versions (account_id, event_id, number);
-- What is public of the programme of an event. Without a row, nothing is.
CREATE TABLE programmes (
  event_id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  texts_from BIGINT, -- from when the texts of abstracts are public; null: with the programme
  published INTEGER, -- the number of the version that is public; null: none
  verdicts TEXT NOT NULL DEFAULT '[]', -- a JSON array of what chairs have said of people who may be one, by their fingerprints
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  FOREIGN KEY (event_id, published) REFERENCES programme_versions (event_id, number)
);
CREATE INDEX programmes_by_account ON programmes (account_id, event_id);
CREATE INDEX programmes_by_version ON programmes (event_id, published);

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
  failing_since BIGINT, -- the first attempt that failed since one succeeded
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
CREATE INDEX webhook_events_by_account ON webhook_events (account_id, created_at, id);

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
CREATE INDEX webhook_deliveries_by_account ON webhook_deliveries (account_id, created_at, id);
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (account_id, status, created_at, id);
-- The endpoint comes first, for whoever deletes one looks for its deliveries.
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, account_id, created_at, id);
CREATE INDEX webhook_deliveries_by_endpoint_status
  ON webhook_deliveries (endpoint_id, account_id, status, created_at, id);

CREATE TABLE webhook_attempts (
  id TEXT PRIMARY KEY NOT NULL,
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id),
  number INTEGER CHECK (number BETWEEN 1 AND 8), -- null for one by hand
  duration_ms INTEGER NOT NULL,
  status_code INTEGER,
  error TEXT,
  response TEXT, -- the first 1 KiB
  created_at BIGINT NOT NULL, -- when it began
  updated_at BIGINT NOT NULL,
  url TEXT -- where it was sent: the endpoint may have moved since
);
CREATE INDEX webhook_attempts_by_delivery ON webhook_attempts (delivery_id, created_at, id);
CREATE INDEX webhook_attempts_by_age ON webhook_attempts (created_at, id);

-- What each Idempotency-Key was answered, so that a retry gets the same bytes. An answer expires, and so created_at is what
-- the clock said, even when that of other tables is ahead.
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
  actor TEXT NOT NULL, -- key:<id>, user:<id> or cli
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
-- Not of imports and check-ins, which are many, and are found by their instants.
CREATE INDEX access_log_by_target ON access_log (account_id, target_id, created_at, id)
  WHERE action <> 'registration.create' AND action <> 'check_in.create';

-- Work that takes longer than a page: done in batches, each in a transaction with its position, so that any server goes on
-- where another stopped.
CREATE TABLE jobs (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  event_id TEXT,
  kind TEXT NOT NULL,
  input TEXT NOT NULL, -- a JSON object
  state TEXT NOT NULL CHECK (state IN ('preparing', 'waiting', 'running', 'done', 'failed', 'stopped')),
  position TEXT, -- what the next batch goes on from; null for the first
  done INTEGER NOT NULL CHECK (done >= 0),
  total INTEGER CHECK (total >= 0), -- null: not known
  outcome TEXT, -- a JSON object: what came of it so far
  started_by TEXT NOT NULL, -- as the access log names an actor
  not_before BIGINT, -- no server begins it before; null: as soon as one is free
  lease_until BIGINT, -- a server works on it until then
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);
CREATE INDEX jobs_by_account ON jobs (account_id, created_at, id);
CREATE INDEX jobs_by_event ON jobs (account_id, event_id, created_at, id);
CREATE INDEX jobs_to_do ON jobs (account_id, created_at, id) WHERE state IN ('waiting', 'running');

-- The lines of an import, each with what came of it.
CREATE TABLE import_lines (
  job_id TEXT NOT NULL REFERENCES jobs (id),
  line INTEGER NOT NULL, -- of the file, from 1, as a spreadsheet numbers them
  input TEXT NOT NULL, -- a JSON array of its cells
  fate TEXT NOT NULL CHECK (fate IN ('read', 'new', 'known', 'wrong', 'sold_out', 'left_out', 'added')),
  details TEXT NOT NULL, -- a JSON object: why
  reference TEXT, -- where the line has one of its own
  email_key TEXT, -- of its buyer, once the line was checked
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (job_id, line)
);
CREATE INDEX import_lines_by_fate ON import_lines (job_id, fate, line);
CREATE INDEX import_lines_by_reference ON import_lines (job_id, reference, line) WHERE reference IS NOT NULL;
CREATE INDEX import_lines_by_email ON import_lines (job_id, email_key, line) WHERE email_key IS NOT NULL;

-- What is counted of an event in the background, as it takes longer than a page.
CREATE TABLE event_figures (
  event_id TEXT PRIMARY KEY NOT NULL REFERENCES events (id),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  figures TEXT NOT NULL, -- a JSON object
  counted_at BIGINT NOT NULL, -- the instant that they are of
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX event_figures_by_account ON event_figures (account_id, event_id);

-- The outbox of mails: one row a recipient and cause, written in the transaction of the change. What it says is made of the data
-- when it is sent.
CREATE TABLE emails (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  event_id TEXT,
  kind TEXT NOT NULL,
  cause TEXT NOT NULL, -- what set it off: of one cause, nobody gets a kind twice
  subject_id TEXT, -- what it is about: a registration, an abstract, a member
  recipient TEXT NOT NULL,
  recipient_key TEXT NOT NULL, -- the e-mail in lower case: what is compared
  language TEXT NOT NULL CHECK (language IN ('en', 'es')),
  details TEXT NOT NULL, -- a JSON object: what no other table keeps; emptied once it has ended, but for one that failed without a secret
  lane INTEGER NOT NULL CHECK (lane BETWEEN 1 AND 3), -- orders, others, announcements: the first that waits goes first
  status TEXT NOT NULL CHECK (status IN ('waiting', 'sent', 'failed', 'withdrawn')),
  attempts INTEGER NOT NULL CHECK (attempts >= 0), -- those that a server answered, or may have
  next_attempt_at BIGINT, -- null once it has ended; a claim moves it past the attempt's end
  sent_at BIGINT,
  answer TEXT, -- what the server said last, or why it was not asked
  subject TEXT, -- as it was sent, without secrets
  body TEXT, -- the plain text, as it was sent, without secrets
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (account_id, kind, cause, recipient_key),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK ((status = 'waiting') = (next_attempt_at IS NOT NULL)),
  CHECK ((status = 'sent') = (sent_at IS NOT NULL))
);
CREATE INDEX emails_due ON emails (lane, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX emails_by_account ON emails (account_id, created_at, id);
CREATE INDEX emails_by_status ON emails (account_id, status, created_at, id);
CREATE INDEX emails_by_event ON emails (account_id, event_id, created_at, id);
CREATE INDEX emails_by_event_status ON emails (account_id, event_id, status, created_at, id);
CREATE INDEX emails_by_recipient ON emails (account_id, recipient_key, created_at, id);
-- What stands behind the id is there to be counted without the row.
CREATE INDEX emails_by_subject ON emails (account_id, subject_id, created_at, id, status)
  WHERE subject_id IS NOT NULL;

-- The turns of mails that strangers set off, by the network that they came from: so many an hour, and the next ones later.
CREATE TABLE mail_turns (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  network TEXT NOT NULL, -- hashed
  pace TEXT NOT NULL CHECK (pace IN ('buyers', 'others', 'confirmed')),
  subject_id TEXT NOT NULL, -- what the mail is about: an order, a registration type
  due_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX mail_turns_by_network ON mail_turns (account_id, network, pace, due_at, id);
CREATE INDEX mail_turns_by_age ON mail_turns (account_id, due_at, id);

-- What an organizer wrote in the place of our text of a mail.
CREATE TABLE email_texts (
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  language TEXT NOT NULL CHECK (language IN ('en', 'es')),
  subject TEXT NOT NULL,
  body TEXT NOT NULL, -- Markdown, with placeholders
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (event_id, kind, language),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
);
CREATE INDEX email_texts_by_account ON email_texts (account_id, event_id, kind, language);

-- Who wants no announcements of an account any more. Other mails reach them all the same.
CREATE TABLE unsubscribed (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  email_key TEXT NOT NULL, -- the e-mail in lower case
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, email_key)
);

-- What an organizer wrote to many at once.
CREATE TABLE announcements (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL, -- Markdown, with placeholders
  audience TEXT NOT NULL, -- a JSON object: whom it is for
  created_by TEXT NOT NULL, -- as the access log names an actor
  job_id TEXT, -- what writes its mails; null: a draft
  sent_at BIGINT, -- when somebody had it sent
  stopped_at BIGINT, -- what was not sent by then is not sent
  origin_id TEXT, -- the announcement of another date of the series that it was sent with; that one may be gone
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK ((job_id IS NULL) = (sent_at IS NULL)),
  CHECK (stopped_at IS NULL OR sent_at IS NOT NULL)
);
CREATE INDEX announcements_by_event ON announcements (account_id, event_id, created_at, id);
CREATE INDEX announcements_by_origin ON announcements (account_id, origin_id, id) WHERE origin_id IS NOT NULL;

-- What one buyer takes at once: each line of it is a registration, as that is of one type.
CREATE TABLE orders (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  reference TEXT NOT NULL, -- what people name it by
  status TEXT NOT NULL CHECK (status IN ('pending', 'confirmed', 'failed')),
  waits_for TEXT CHECK (waits_for IN ('approval', 'answer', 'payment')), -- of a pending one; `answer`: somebody on the waitlist is offered it
  failed_for TEXT CHECK (failed_for IN
    ('declined', 'undecided', 'unpaid', 'withdrawn', 'turned_down', 'lapsed', 'cancelled')),
  buyer_name TEXT NOT NULL,
  buyer_email TEXT NOT NULL,
  buyer_email_key TEXT NOT NULL, -- the e-mail in lower case: what is compared
  language TEXT NOT NULL CHECK (language IN ('en', 'es')),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  amount_total BIGINT NOT NULL CHECK (amount_total >= 0),
  terms TEXT, -- those that the buyer accepted, as they were
  form_id TEXT NOT NULL, -- the one-time id of the form: sent twice, it makes one order
  secret_version INTEGER NOT NULL CHECK (secret_version >= 1), -- of its links
  expires_at BIGINT, -- when its places are given back, while it is pending
  confirmed_at BIGINT,
  failed_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  erased_at BIGINT, -- when its buyer was made anonymous
  verified_at BIGINT, -- when it was known that its buyer wants it: by the link in their mail, by money, by the organizer; null: nobody else is mailed
  placed_from TEXT, -- of one that is not verified: the networks it came from, hashed, by which its mails are counted
  buyer_company TEXT, -- whom its receipt is made out to, where that is not the buyer alone
  buyer_address TEXT, -- in lines
  buyer_vat_id TEXT,
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
CREATE INDEX orders_waiting ON orders (account_id, event_id, waits_for, created_at, id) WHERE waits_for IS NOT NULL;

CREATE TABLE payments (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  order_id TEXT NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('test', 'stripe', 'transfer', 'door')),
  status TEXT NOT NULL CHECK (status IN ('created', 'pending', 'confirmed', 'failed', 'cancelled')),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  amount BIGINT NOT NULL CHECK (amount > 0), -- that is asked for
  received BIGINT CHECK (received >= 0), -- that came; null until something does
  reference TEXT, -- what whoever pays without a processor names it by (ISO 11649)
  session_id TEXT, -- where it is paid, as the processor names it
  charge_id TEXT, -- what it was paid with, as the processor names it
  call TEXT, -- a JSON object: the call that makes the session, as it is kept before it is sent
  url TEXT, -- where it is paid
  expires_at BIGINT, -- when the processor ends the session
  next_look_at BIGINT, -- when the processor is asked again; null where nothing is to come
  looks INTEGER NOT NULL CHECK (looks >= 0), -- in a row that came to nothing
  trouble TEXT, -- the code of what stands in its way
  ended_at BIGINT, -- when it was confirmed, failed or cancelled
  next_method TEXT CHECK (next_method IN ('test', 'stripe', 'transfer', 'door')), -- that the buyer pays by instead, once the processor has ended it
  back TEXT, -- of an open one: the page of the organizer's own site that the buyer came from
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
  registration_id TEXT, -- of money for one without an order
  payment_id TEXT, -- null for money that was recorded without a payment
  method TEXT NOT NULL CHECK (method IN ('test', 'stripe', 'transfer', 'door', 'recorded')), -- that the money came by
  charge_id TEXT, -- what it goes back to, as the processor names it; null where it is paid back by hand
  status TEXT NOT NULL CHECK (status IN ('requested', 'pending', 'requires_action', 'done', 'failed', 'dropped')),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reason TEXT NOT NULL CHECK (reason IN
    ('organizer', 'buyer', 'withdrawn', 'event_cancelled', 'line_cancelled', 'late', 'twice', 'excess', 'processor', 'orphan')),
  note TEXT, -- of the organizer, whom alone it is shown to
  tickets TEXT, -- a JSON object: the part of each ticket, in minor units; null for money that is of none
  processor_id TEXT, -- as the processor names it
  call TEXT, -- a JSON object: the call that makes it, as it is kept before it is sent
  next_look_at BIGINT, -- when the processor is asked again; null where nothing is to come
  looks INTEGER NOT NULL CHECK (looks >= 0), -- in a row that came to nothing
  trouble TEXT, -- the code of what stands in its way
  ended_at BIGINT, -- when it was done, or failed
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

-- Money that has moved: rows are added, and never changed.
CREATE TABLE ledger_entries (
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'payment_reversal', 'fee', 'fee_reversal', 'refund', 'refund_reversal',
    'dispute', 'dispute_reversal', 'dispute_fee', 'dispute_fee_reversal')),
  entry_id TEXT NOT NULL, -- of what has moved it, as the processor names that; of a fee, that of its payment
  order_id TEXT,
  registration_id TEXT, -- of one without an order
  payment_id TEXT,
  refund_id TEXT,
  method TEXT NOT NULL CHECK (method IN ('test', 'stripe', 'transfer', 'door', 'recorded')), -- `recorded`: brought by a file
  amount BIGINT NOT NULL, -- below 0 where it leaves the organizer
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  moved_at BIGINT NOT NULL, -- when it moved, as the processor says: months count by it
  created_at BIGINT NOT NULL, -- when it was recorded
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

-- What takes money for an account.
CREATE TABLE payment_connections (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  method TEXT NOT NULL CHECK (method IN ('stripe', 'transfer')),
  bank TEXT, -- a JSON object, of transfers: whose account they go to, and its numbers
  secret_key TEXT, -- that our calls are made with
  is_live INTEGER CHECK (is_live IN (0, 1)),
  processor_account TEXT, -- that the key is of: another one is refused
  processor_name TEXT, -- what that account is called there
  webhook_id TEXT, -- of the endpoint that was registered there; null where it has none
  webhook_url TEXT, -- where it sends to
  webhook_secret TEXT, -- that its webhooks are signed with
  former_webhook_secret TEXT, -- of the endpoint before it, of which some may be under way
  events_cursor TEXT, -- up to when its events were read, in seconds by its clock
  events_read_at BIGINT,
  trouble TEXT, -- the code of what stands in its way
  takes_delayed INTEGER NOT NULL DEFAULT 0 CHECK (takes_delayed IN (0, 1)), -- whether it offers methods whose money comes days later
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, method),
  CHECK ((method = 'transfer') = (bank IS NOT NULL)),
  CHECK ((method = 'stripe') = (secret_key IS NOT NULL)),
  CHECK ((method = 'stripe') = (is_live IS NOT NULL)),
  CHECK ((method = 'stripe') = (processor_account IS NOT NULL))
);

-- What was paid to an account and is of no order here, as an older backup was restored: for a person to refund.
CREATE TABLE orphan_payments (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  session_id TEXT NOT NULL, -- where it was paid, as the processor names it
  charge_id TEXT, -- what it was paid with, as the processor names it
  amount BIGINT NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  paid_at BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('found', 'refund_requested', 'refunded', 'left')),
  refund_id TEXT, -- of what went back, as the processor names it
  call TEXT, -- a JSON object: the call that refunds it, as it is kept before it is sent
  trouble TEXT, -- the code of what stands in its way
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, session_id)
);
CREATE INDEX orphan_payments_open ON orphan_payments (account_id, paid_at, session_id) WHERE state IN ('found', 'refund_requested');

-- What buyers have their bank take back.
CREATE TABLE disputes (
  id TEXT NOT NULL, -- as the processor names it
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  order_id TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  charge_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('warning', 'needs_response', 'under_review', 'won', 'lost', 'closed')),
  reason TEXT NOT NULL, -- as the processor calls it
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  amount BIGINT NOT NULL CHECK (amount >= 0),
  due_by BIGINT, -- until when the organizer can answer it, there
  is_fee_foreign INTEGER NOT NULL CHECK (is_fee_foreign IN (0, 1)), -- what it costs is in another currency, and in no sum
  opened_at BIGINT NOT NULL,
  decision TEXT CHECK (decision IN ('voided', 'kept')), -- what a member has made of the tickets once it was lost
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

-- The processor of sandboxes: what it knows of a payment, apart from ours.
CREATE TABLE test_sessions (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  call_key TEXT NOT NULL, -- sent twice, it makes one
  payment_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'processing', 'paid', 'failed', 'expired')),
  is_declined INTEGER NOT NULL CHECK (is_declined IN (0, 1)), -- the last try was
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  amount BIGINT NOT NULL CHECK (amount > 0),
  fee BIGINT CHECK (fee >= 0), -- null until it is paid
  refunds TEXT NOT NULL, -- a JSON array: key and amount of each
  expires_at BIGINT NOT NULL,
  paid_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (account_id, call_key)
);
CREATE INDEX test_sessions_by_payment ON test_sessions (account_id, payment_id, created_at, id);
-- Of money that came, and of money that went back. They are never changed and never deleted: once they need no longer be kept,
-- they name nobody any more.
CREATE TABLE receipts (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('receipt', 'credit_note')),
  number INTEGER NOT NULL CHECK (number >= 1), -- from 1 among those of its account and kind, without gaps
  of_id TEXT REFERENCES receipts (id), -- the receipt that a credit note is of
  cancels_id TEXT REFERENCES receipts (id), -- the credit note that this one cancels, as its money did not get back
  order_id TEXT NOT NULL REFERENCES orders (id),
  event_id TEXT NOT NULL,
  payment_id TEXT, -- what a receipt is of
  refund_id TEXT, -- what a credit note is of: a refund, or a dispute that was lost
  amount BIGINT NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  issued_at BIGINT NOT NULL,
  snapshot TEXT NOT NULL, -- a JSON object: all that it says, as it was
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  erased_at BIGINT, -- when its buyer was made anonymous
  UNIQUE (account_id, kind, number),
  UNIQUE (account_id, payment_id),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
  CHECK ((kind = 'receipt') = (payment_id IS NOT NULL)),
  CHECK ((kind = 'credit_note') = (refund_id IS NOT NULL)),
  CHECK ((kind = 'credit_note') = (of_id IS NOT NULL)),
  CHECK (cancels_id IS NULL OR kind = 'credit_note')
);
CREATE INDEX receipts_by_event ON receipts (account_id, event_id);
-- The order comes first, for whoever deletes one looks for its receipts.
CREATE INDEX receipts_by_order ON receipts (order_id, account_id, created_at, id);
CREATE INDEX receipts_by_receipt ON receipts (of_id) WHERE of_id IS NOT NULL;
CREATE UNIQUE INDEX receipts_by_cancelled ON receipts (cancels_id) WHERE cancels_id IS NOT NULL;
CREATE INDEX receipts_by_refund ON receipts (account_id, refund_id) WHERE refund_id IS NOT NULL;
CREATE INDEX receipts_by_issue ON receipts (account_id, issued_at, id);
CREATE INDEX receipts_to_erase ON receipts (account_id, issued_at, id) WHERE erased_at IS NULL;

-- What the processor has paid to the bank account of the organizer.
CREATE TABLE payouts (
  id TEXT NOT NULL, -- as the processor names it
  account_id TEXT NOT NULL REFERENCES accounts (id),
  amount BIGINT NOT NULL, -- below 0 where the processor took it from the bank account
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  status TEXT NOT NULL CHECK (status IN ('pending', 'in_transit', 'paid', 'failed', 'canceled')),
  arrives_on TEXT NOT NULL, -- when the bank is to have it: YYYY-MM-DD
  list TEXT NOT NULL CHECK (list IN ('waiting', 'complete', 'manual')), -- of what it holds; the processor has none of a manual one
  lines INTEGER CHECK (lines >= 0), -- how many the list has
  net BIGINT, -- what they come to
  difference BIGINT, -- what the amount has more than they come to
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

-- What a payout holds: each change of the balance at the processor, once.
CREATE TABLE payout_lines (
  id TEXT NOT NULL, -- as the processor names it
  account_id TEXT NOT NULL,
  payout_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund', 'refund_reversal', 'dispute', 'dispute_reversal', 'fee', 'payout_return',
    'adjustment')), -- those of the ledger are named as there
  type TEXT NOT NULL, -- as the processor calls it
  amount BIGINT NOT NULL, -- below 0 where it leaves the organizer
  fee BIGINT NOT NULL, -- below 0 where it came back
  net BIGINT NOT NULL,
  source_id TEXT, -- of what has moved it, as the processor names that
  moved_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, payout_id) REFERENCES payouts (account_id, id),
  CHECK (net + fee = amount)
);
CREATE INDEX payout_lines_by_payout ON payout_lines (account_id, payout_id, kind, id);

-- How the last reading of an account's payouts went.
CREATE TABLE payout_readings (
  account_id TEXT PRIMARY KEY NOT NULL REFERENCES accounts (id),
  denied TEXT CHECK (denied IN ('payouts', 'lines')), -- what the key may not read
  read_at BIGINT, -- when all was read that there was
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

-- Which column of a bank's files is what, as somebody has said.
CREATE TABLE statement_mappings (
  account_id TEXT PRIMARY KEY NOT NULL REFERENCES accounts (id),
  mapping TEXT NOT NULL, -- a JSON object
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

-- A bank's file, until its lines are matched.
CREATE TABLE statement_files (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  job_id TEXT NOT NULL, -- that matches its lines
  part INTEGER NOT NULL CHECK (part >= 0),
  content TEXT NOT NULL, -- in base64
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, job_id, part)
);
CREATE INDEX statement_files_by_age ON statement_files (account_id, created_at);

-- Bookings of a bank account, each once.
CREATE TABLE statement_lines (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  key TEXT NOT NULL, -- a SHA-256 of what it says: the same in another file that has it
  job_id TEXT NOT NULL, -- that matches the lines of its file; a job is not kept for as long
  line INTEGER NOT NULL CHECK (line > 0), -- of its file
  date TEXT NOT NULL, -- of the booking: YYYY-MM-DD
  amount BIGINT NOT NULL, -- below 0 where it leaves the organizer
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  counterparty TEXT NOT NULL,
  text TEXT NOT NULL,
  bank_id TEXT, -- as the bank names it
  state TEXT NOT NULL CHECK (state IN ('read', 'matched', 'unmatched', 'ignored')), -- `read`: of a file that nobody has had matched yet
  reason TEXT, -- the code of why it was not matched by itself
  outcome TEXT CHECK (outcome IN ('confirmed', 'kept', 'returned', 'paid_back', 'paid_out')), -- what became of the money
  payment_id TEXT, -- that it was matched to, or may be of
  refund_id TEXT, -- that it has paid back
  payout_id TEXT, -- of the processor, that it is
  entry_id TEXT, -- of the ledger, as it was matched last
  erased_at BIGINT, -- when it ceased to say whose it is
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
  WHERE erased_at IS NULL AND state IN ('unmatched', 'ignored');
