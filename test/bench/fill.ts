import { mkdirSync } from 'node:fs'
import SqliteConnection from 'better-sqlite3'
import { newUuid } from '#base/ids.ts'
import { DAY, HOUR } from '#base/time.ts'
import { wordsOf } from '#base/words.ts'
import type { Database } from '#machinery/db/port.ts'
import { databasePath, openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'
import * as linkUses from '#product/administration/users/link-uses.ts'
import * as links from '#product/administration/users/links.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { encodeTicket, newTicketKey } from '#product/guests/attendees/ticket-code.ts'
import { asInstance } from '#test/support/as-instance.ts'
import { organizationToday } from '#test/support/data-folder.ts'

/** The filled registrations are spread over these types, because a type has at most a million tickets. */
const TYPES = 4
/** This text stands for the signature of a ticket that nobody will check in. */
const UNSIGNED = `SVC1.${'A'.repeat(136)}`

export interface Filled {
  data: string
  accountId: string
  eventId: string
  /** The type that imports go to. */
  typeId: string
  key: string
  /** The codes of the tickets that can be checked in, oldest first. */
  codes: string[]
  /** These ids come from all over the list, oldest first. */
  someIds: string[]
  /** The sessions of people who are signed in. */
  cookies: string[]
}

/**
 * Makes a data folder with an organization whose event is today, a key without a limit, and `size` registrations with one
 * ticket each. The first `signed` of the tickets have real codes.
 */
export async function fill(data: string, size: number, signed: number): Promise<Filled> {
  mkdirSync(data, { recursive: true })
  const db = openDatabaseForCommand(data, Date.now)
  const types = ['Standard', ...Array.from({ length: TYPES }, (_, number) => `Filled ${number}`)]
  const { account, events } = organizationToday()
  const registrationTypes = types.map(name => ({ name, price: 5000, capacity: 1_000_000 }))
  const event = { ...events[0], registration_types: registrationTypes, badge_layout: layout }
  const applied = await applyOrganization(db, { account, events: [event] }, { clock: Date.now })
  const [ids] = Object.values(applied.events)
  if (ids === undefined) throw new Error('The organization lacks its event.')
  const input = { name: 'bench', scopes: allScopes, expiresAt: null, rateLimit: 0 }
  const { key } = await db.write(applied.account_id, tx => keys.create(tx, input))
  const cookies = await signIn(db, applied.account_id)
  await db.close()

  const typeIds = types.map(name => ids.registration_types[name] as string)
  const [typeId = '', ...filledTypes] = typeIds
  const rows = insertRows(databasePath(data), {
    accountId: applied.account_id,
    eventId: ids.id,
    typeIds: filledTypes,
    size,
    signed,
  })
  return { data, accountId: applied.account_id, eventId: ids.id, typeId, key, cookies, ...rows }
}

/** How the badges of the event are printed: with codes, on sheets of labels. */
const layout = {
  ...{ format: 'labels_14', width: 620, height: 400, offset_x: 0, offset_y: 0 },
  ...{ question: null, qr: true },
} as const

/** The instant of a print, and how many badges it has. */
export const PRINT = { at: Date.parse('2026-01-01T00:00:00Z'), badges: 1_000 }

/** This many people click at the same time. */
export const PEOPLE = 10

async function signIn(db: Database, accountId: string): Promise<string[]> {
  const cookies: string[] = []
  for (let person = 0; person < PEOPLE; person++) {
    const email = `person-${person}@example.org`
    cookies.push(
      await db.write(accountId, async tx => {
        const { token } = await links.invite(tx, { email, role: 'owner', event_ids: null })
        const user = { name: 'Person', language: 'en', passwordHash: 'none' } as const
        const joined = await linkUses.accept(tx, token, user, { requestId: null, address: null })
        const session = await sessions.open(asInstance(tx), joined.user.id, {
          address: '127.0.0.1',
          browser: null,
        })
        return `session=${session.token}`
      }),
    )
  }
  return cookies
}

interface Rows {
  accountId: string
  eventId: string
  typeIds: readonly string[]
  size: number
  signed: number
}

/** Inserts rows by SQL in one transaction that waits for no disk, because only a copy of the file is measured. */
function insertRows(
  path: string,
  { accountId, eventId, typeIds, size, signed }: Rows,
): { codes: string[]; someIds: string[] } {
  const sqlite = new SqliteConnection(path)
  sqlite.pragma('synchronous = OFF')
  sqlite.pragma('cache_size = -500000')
  const now = Date.now()
  const key = newTicketKey()
  sqlite
    .prepare('INSERT INTO ticket_keys VALUES (?, ?, ?, ?, ?, ?)')
    .run(key.id, eventId, key.public_key, key.private_key, now, now)
  const insertRegistration = sqlite.prepare(
    `INSERT INTO registrations (id, account_id, event_id, registration_type_id, reference, status, source, buyer_name,
       buyer_email, buyer_email_key, quantity, amount_subtotal, amount_total, currency, answers, language, confirmed_at,
       created_at, updated_at, number)
     VALUES (@id, @accountId, @eventId, @typeId, @id, 'confirmed', 'api', @name, @email, @email, 1, 5000, 0, 'EUR', @answers,
       'en', @at, @at, @at, @number)`,
  )
  const insertTicket = sqlite.prepare(
    `INSERT INTO attendees (id, registration_id, position, name, email, seat, qr_code, voided, created_at, updated_at)
     VALUES (@ticketId, @id, 0, @name, @email, NULL, @code, 0, @at, @at)`,
  )
  const insertWord = sqlite.prepare('INSERT INTO registration_words VALUES (1, ?, ?, ?, 1, ?)')
  const codes: string[] = []
  const someIds: string[] = []
  const every = Math.max(1, Math.floor(size / 10_000))
  sqlite.transaction(() => {
    for (let number = 0; number < size; number++) {
      const ticketId = newUuid()
      const code = number < signed ? encodeTicket(key, ticketId) : UNSIGNED
      const row = {
        id: newUuid(),
        accountId,
        eventId,
        typeId: typeIds[number % typeIds.length],
        name: `Guest ${number}`,
        email: `guest-${number}@example.org`,
        answers: '{"diet":"vegan"}',
        // The instants spread over the thirty days before, and the latest is an hour ago.
        at: now - HOUR - Math.floor((30 * DAY * (size - number)) / size),
        ticketId,
        code,
        number: number + 1,
      }
      insertRegistration.run(row)
      insertTicket.run(row)
      for (const word of wordsOf([row])) insertWord.run(word, row.at, row.number, row.at)
      if (number < signed) codes.push(code)
      if (number % every === 0) someIds.push(row.id)
    }
    sqlite
      .prepare('UPDATE attendees SET badge_printed_at = ? WHERE id IN (SELECT id FROM attendees LIMIT ?)')
      .run(PRINT.at, PRINT.badges)
    sqlite.prepare("INSERT INTO answer_keys VALUES (?, ?, 'diet', ?, ?)").run(accountId, eventId, now, now)
    sqlite
      .prepare(
        `UPDATE registration_types SET sold =
           (SELECT count(*) FROM registrations r WHERE r.registration_type_id = registration_types.id)`,
      )
      .run()
  })()
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
  return { codes, someIds }
}
