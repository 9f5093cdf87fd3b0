import { createHash } from 'node:crypto'
import { join } from 'node:path'
import Router from '@koa/router'
import type SqliteConnection from 'better-sqlite3'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import { newUuid } from '#base/ids.ts'
import { openSqliteFile } from '#machinery/db/sqlite/addon/open-file.ts'
import { databasePath } from '#machinery/db/sqlite/data-folder.ts'
import { decodeTicket } from '#product/guests/attendees/ticket-code.ts'

/**
 * This is the floor of the packages: what Koa, @koa/router, koa-body and better-sqlite3 take by themselves, for a service that
 * authenticates a key, writes and answers the same, and promises nothing else. An import writes the registration, its ticket, the
 * count of its type, the answer for a retry, the event for a webhook and a line of the access log: 9 b-trees. It has no word
 * search, limits or log; it signs nothing; and a commit, which the writes of a turn of the event loop share, does not wait for the
 * disk.
 *
 * node floor-packages.cjs DIR
 */
function main(data: string): void {
  const sqlite = openSqliteFile(join(data, 'packages.sqlite'))
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = NORMAL')
  copyRows(sqlite, databasePath(data))
  const koa = new Koa()
  const router = routes(sqlite)
  koa.use(koaBody({ text: false, urlencoded: false, multipart: false }))
  koa.use(router.routes())
  const server = koa.listen(0, '127.0.0.1', () => {
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    process.stdout.write(`listening on http://127.0.0.1:${port}/v1\n`)
  })
  server.keepAliveTimeout = 65_000
  process.on('SIGTERM', () => process.exit())
}

const SCHEMA = `
  CREATE TABLE api_keys (hash TEXT PRIMARY KEY, account_id TEXT NOT NULL, scopes TEXT NOT NULL, revoked_at INTEGER) WITHOUT ROWID;
  CREATE TABLE types (id TEXT PRIMARY KEY, event_id TEXT NOT NULL, name TEXT NOT NULL, price INTEGER NOT NULL,
    currency TEXT NOT NULL, capacity INTEGER NOT NULL, sold INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE registrations (id TEXT PRIMARY KEY, account_id TEXT NOT NULL, event_id TEXT NOT NULL, type_id TEXT NOT NULL,
    status TEXT NOT NULL, buyer_name TEXT NOT NULL, buyer_email TEXT NOT NULL, quantity INTEGER NOT NULL,
    amount INTEGER NOT NULL, currency TEXT NOT NULL, answers TEXT NOT NULL, created_at INTEGER NOT NULL);
  CREATE TABLE attendees (id TEXT PRIMARY KEY, registration_id TEXT NOT NULL, name TEXT, email TEXT, code TEXT NOT NULL);
  CREATE INDEX attendees_by_registration ON attendees (registration_id);
  CREATE TABLE check_ins (id TEXT PRIMARY KEY, attendee_id TEXT NOT NULL UNIQUE, checked_in_at INTEGER NOT NULL);
  CREATE TABLE answers (account_id TEXT NOT NULL, key TEXT NOT NULL, print TEXT NOT NULL, status INTEGER NOT NULL,
    body TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (account_id, key)) WITHOUT ROWID;
  CREATE TABLE events (number INTEGER PRIMARY KEY, id TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL);
  CREATE TABLE access_log (number INTEGER PRIMARY KEY, account_id TEXT NOT NULL, action TEXT NOT NULL, target TEXT NOT NULL,
    created_at INTEGER NOT NULL);`

/** Copies the rows that the floor needs from the filled database. */
function copyRows(sqlite: SqliteConnection.Database, filled: string): void {
  if (sqlite.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined) return
  sqlite.exec(SCHEMA)
  sqlite.prepare('ATTACH $1 AS filled').run({ 1: filled })
  sqlite.exec(`
    INSERT INTO api_keys SELECT key_hash, account_id, scopes, revoked_at FROM filled.api_keys;
    INSERT INTO types SELECT t.id, t.event_id, t.name, t.price, e.currency, t.capacity, t.sold
      FROM filled.registration_types t JOIN filled.events e ON e.id = t.event_id;
    INSERT INTO registrations SELECT id, account_id, event_id, registration_type_id, status, buyer_name, buyer_email, quantity,
      amount_subtotal, currency, answers, created_at FROM filled.registrations;
    INSERT INTO attendees SELECT id, registration_id, name, email, qr_code FROM filled.attendees;
    DETACH filled`)
}

interface TypeRow {
  id: string
  name: string
  price: number
  currency: string
}

interface RegistrationRow {
  id: string
  event_id: string
  type_id: string
  type_name: string
  status: string
  buyer_name: string
  buyer_email: string
  quantity: number
  amount: number
  currency: string
  answers: string
  created_at: number
}

interface TicketRow {
  id: string
  registration_id: string
  event_id: string
  status: string
  name: string | null
  email: string | null
  code: string
  checked_in_at: number | null
}

interface Import {
  event_id: string
  registration_type_id: string
  buyer: { name: string; email: string }
  answers?: Record<string, string>
}

interface Changed {
  id: string
  object: string
}

interface Outcome {
  status: number
  body: string
}

function routes(sqlite: SqliteConnection.Database): Router<{ accountId: string }> {
  const findKey = sqlite.prepare('SELECT account_id, scopes, revoked_at FROM api_keys WHERE hash = ?')
  const findRegistration = sqlite.prepare(
    `SELECT r.*, t.name AS type_name FROM registrations r JOIN types t ON t.id = r.type_id
     WHERE r.account_id = ? AND r.id = ?`,
  )
  const ticket = `SELECT a.*, c.checked_in_at, r.event_id, r.status FROM attendees a JOIN registrations r ON r.id = a.registration_id
    LEFT JOIN check_ins c ON c.attendee_id = a.id WHERE r.account_id = ?`
  const listTickets = sqlite.prepare(`${ticket} AND a.registration_id = ?`)
  const findTicket = sqlite.prepare(`${ticket} AND a.id = ?`)
  const findAnswer = sqlite.prepare(
    'SELECT print, status, body FROM answers WHERE account_id = ? AND key = ?',
  )
  const keepAnswer = sqlite.prepare('INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?)')
  const reserve = sqlite.prepare(
    'UPDATE types SET sold = sold + 1 WHERE id = ? AND event_id = ? AND sold < capacity RETURNING id, name, price, currency',
  )
  const insertRegistration = sqlite.prepare(
    'INSERT INTO registrations VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)',
  )
  const insertTicket = sqlite.prepare('INSERT INTO attendees VALUES (?, ?, ?, ?, ?)')
  const insertCheckIn = sqlite.prepare('INSERT INTO check_ins VALUES (?, ?, ?)')

  const insertEvent = sqlite.prepare('INSERT INTO events (id, type, body) VALUES (?, ?, ?)')
  const insertAccess = sqlite.prepare(
    'INSERT INTO access_log (account_id, action, target, created_at) VALUES (?, ?, ?, ?)',
  )

  const write = (accountId: string, key: string, print: string, change: () => Changed): Outcome => {
    const kept = findAnswer.get(accountId, key) as (Outcome & { print: string }) | undefined
    if (kept !== undefined) return kept.print === print ? kept : { status: 409, body: '{}' }
    const changed = change()
    const body = JSON.stringify(changed)
    const now = Date.now()
    const eventId = newUuid()
    const type = `${changed.object}.created`
    insertEvent.run(eventId, type, `{"id":"${eventId}","type":"${type}","data":{"object":${body}}}`)
    insertAccess.run(accountId, type, changed.id, now)
    keepAnswer.run(accountId, key, print, 201, body, now)
    return { status: 201, body }
  }
  const queue: (() => () => void)[] = []
  const commit = sqlite.transaction(() => queue.splice(0).map(run => run()))
  const inOneWrite = (...input: Parameters<typeof write>) =>
    new Promise<Outcome>(resolve => {
      if (queue.length === 0)
        setImmediate(() => {
          for (const answer of commit.immediate()) answer()
        })
      queue.push(() => {
        const outcome = write(...input)
        return () => resolve(outcome)
      })
    })

  const create = (accountId: string, input: Import) => {
    const type = reserve.get(input.registration_type_id, input.event_id) as TypeRow | undefined
    if (type === undefined) throw new Error('The type is sold out.')
    const { name, email } = input.buyer
    const now = Date.now()
    const id = newUuid()
    const ticketId = newUuid()
    const answers = JSON.stringify(input.answers ?? {})
    const { price, currency } = type
    const values = [id, accountId, input.event_id, type.id, 'confirmed', name, email, price, currency]
    insertRegistration.run(...values, answers, now)
    const code = `SVC1.${ticketId}`
    insertTicket.run(ticketId, id, name, email, code)
    const row = {
      ...{ id, event_id: input.event_id, type_id: type.id, type_name: type.name, status: 'confirmed' },
      ...{ buyer_name: name, buyer_email: email, quantity: 1, amount: price, currency, answers },
      created_at: now,
    }
    const none = { checked_in_at: null, registration_id: id, event_id: row.event_id, status: row.status }
    return present(row, [{ id: ticketId, name, email, code, ...none }])
  }

  const checkIn = (accountId: string, input: { qr_code: string }) => {
    const row = findTicket.get(accountId, decodeTicket(input.qr_code)?.ticketId) as TicketRow | undefined
    if (row === undefined || row.code !== input.qr_code || row.status !== 'confirmed')
      throw new Error('The ticket is not valid.')
    const id = newUuid()
    const now = Date.now()
    insertCheckIn.run(id, row.id, now)
    const attendee = presentTicket({ ...row, checked_in_at: now })
    const at = new Date(now).toISOString()
    return { id, object: 'check_in', event_id: row.event_id, source: 'api', checked_in_at: at, attendee }
  }

  const router = new Router<{ accountId: string }>({ prefix: '/v1' })
  router.use(async (context, next) => {
    const key = context.get('authorization').slice('Bearer '.length)
    const hash = createHash('sha256').update(key).digest('hex')
    const row = findKey.get(hash) as
      | { account_id: string; scopes: string; revoked_at: number | null }
      | undefined
    if (row === undefined || row.revoked_at !== null || !Array.isArray(JSON.parse(row.scopes)))
      return context.throw(401)
    context.state.accountId = row.account_id
    return next()
  })
  router.get('/registrations/:id', async context => {
    const { accountId } = context.state
    const row = findRegistration.get(accountId, context.params.id) as RegistrationRow | undefined
    if (row === undefined) return context.throw(404)
    context.body = present(row, listTickets.all(accountId, row.id) as TicketRow[])
  })
  const post = (path: string, change: (accountId: string, input: never) => Changed) =>
    router.post(path, async context => {
      const { accountId } = context.state
      const input = context.request.body
      const print = createHash('sha256').update(path).update(JSON.stringify(input)).digest('hex')
      const outcome = await inOneWrite(accountId, context.get('idempotency-key'), print, () =>
        change(accountId, input as never),
      )
      context.status = outcome.status
      context.type = 'json'
      context.body = outcome.body
    })
  post('/registrations', create)
  post('/check-ins', checkIn)
  return router
}

function presentTicket({ id, name, email, checked_in_at: at }: Omit<TicketRow, 'code'>) {
  const checkedIn = at === null ? null : new Date(at).toISOString()
  const fixed = { seat: null, voided: false, answers: {} }
  return { id, object: 'attendee', name, email, ...fixed, checked_in: at !== null, checked_in_at: checkedIn }
}

function present(row: RegistrationRow, tickets: readonly TicketRow[]) {
  const at = new Date(row.created_at).toISOString()
  return {
    ...{ id: row.id, object: 'registration', event_id: row.event_id, status: row.status },
    ...{ registration_type_id: row.type_id, registration_type_name: row.type_name },
    buyer: { name: row.buyer_name, email: row.buyer_email },
    ...{ quantity: row.quantity, amount_subtotal: row.amount, amount_total: 0, currency: row.currency },
    answers: JSON.parse(row.answers),
    ...{ source: 'api', created_at: at, confirmed_at: at, cancelled_at: null },
    attendees: tickets.map(ticket => ({ ...presentTicket(ticket), qr_code: ticket.code })),
  }
}

main(process.argv[2] ?? '')
