/**
 * The values that a copy to pass on has instead of those that only this server and its people may know. A table has no rows at
 * all, or some of its columns have an SQL expression on the row. All other columns stay as they are. With what is left, nobody
 * can sign in, use the API, pay, mint a ticket or open a link. Hashes go too, because a hash can be guessed at and would open the
 * server that the copy becomes.
 */
export const withoutSecrets: Readonly<Record<string, 'no rows' | Readonly<Record<string, string>>>> = {
  // Links, cookies and cursors are made of this secret. Only "restore" opens a database without one.
  instance: { cursor_secret: "''" },
  users: {
    password_hash: noPassword(),
    totp_secret: 'NULL',
    totp_last_step: 'NULL',
  },
  recovery_codes: 'no rows',
  sessions: 'no rows',
  one_time_links: 'no rows',
  // The target of a form may be a link that is shown once.
  form_receipts: 'no rows',
  api_keys: { key_hash: randomHex(32), revoked_at: `COALESCE(revoked_at, ${lastWrite()})` },
  ticket_keys: 'no rows',
  // The code is the ticket itself. Whoever shows it is let in.
  attendees: { qr_code: "''" },
  devices: {
    ...{ pairing_hash: 'NULL', pairing_expires_at: 'NULL', token_hash: 'NULL', token_unused: '0' },
    revoked_at: `COALESCE(revoked_at, ${lastWrite()})`,
  },
  webhook_endpoints: {
    ...{ enabled: '0', secret: "''", previous_secret: 'NULL', previous_secret_expires_at: 'NULL' },
    failing_since: 'NULL',
  },
  // The webhook events contain tickets, and the answers to them may contain anything.
  webhook_events: 'no rows',
  webhook_deliveries: 'no rows',
  webhook_attempts: 'no rows',
  // These answers contain tickets, and secrets that are shown once.
  idempotent_responses: 'no rows',
  emails: {
    // A waiting mail may contain a link, and the server of the original database sends it.
    details: "CASE status WHEN 'waiting' THEN '{}' ELSE details END",
    status: "CASE status WHEN 'waiting' THEN 'withdrawn' ELSE status END",
    next_attempt_at: 'NULL',
  },
  // Sending the form again with this id would lead to its order.
  orders: { form_id: randomHex(16) },
  // The call names where the buyer goes on, which is the link to the order, and `url` leads to the open payment page. Without
  // them the server finds the session by its id.
  payments: { call: `json_set(call, '$.parameters', json('{}'), '$.isSpent', json('true'))`, url: 'NULL' },
  payment_connections: {
    secret_key: "CASE method WHEN 'stripe' THEN '' END",
    trouble: "CASE method WHEN 'stripe' THEN 'no_key' ELSE trouble END",
    ...{ webhook_id: 'NULL', webhook_url: 'NULL', webhook_secret: 'NULL', former_webhook_secret: 'NULL' },
  },
}

/** Returns SQL for random bytes that nobody knows, in hexadecimal. */
function randomHex(bytes: number): string {
  return `lower(hex(randomblob(${bytes})))`
}

/** Returns SQL for a value in the form of a password hash, so that the time of a sign-in reveals nothing. */
function noPassword(): string {
  return `'$scrypt$ln=15,r=8,p=3$' || substr(${randomHex(32)}, 1, 43) || '$' || substr(${randomHex(32)}, 1, 43)`
}

function lastWrite(): string {
  return '(SELECT latest_write_at FROM source.instance)'
}
