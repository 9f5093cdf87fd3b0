import { scryptSync } from 'node:crypto'
import type { TestContext } from 'node:test'
import { Problem } from '#base/problem.ts'
import type { Clock } from '#base/time.ts'
import {
  type Database,
  INSTANCE,
  type InstanceReadTx,
  type InstanceWriteTx,
  type ReadTx,
  type WriteTx,
} from '#machinery/db/port.ts'
import { places } from '#machinery/http/client-address.ts'
import { KnownDevices } from '#product/administration/users/known-device.ts'
import * as uses from '#product/administration/users/link-uses.ts'
import * as links from '#product/administration/users/links.ts'
import type { Role } from '#product/administration/users/roles.ts'
import { SignIn } from '#product/administration/users/sign-in.ts'
import { asInstance } from '#test/support/as-instance.ts'
import { dataFolder } from '#test/support/blank-database.ts'
import { testClock } from '#test/support/clock.ts'
import { openTestDatabase } from '#test/support/engine.ts'

export const PASSWORD = 'correct horse battery'
/** It costs next to nothing, as an old one did. */
export const CHEAP_HASH = cheapHash(PASSWORD)
export const ORIGIN = { requestId: 'req_1', address: '192.0.2.1' }
export const HOME = { address: '192.0.2.1', browser: 'Firefox', requestId: 'req_1' }

export function cheapHash(password: string): string {
  const salt = Buffer.alloc(32, 7)
  const key = scryptSync(password.normalize('NFKC'), salt, 32, { N: 16, r: 1, p: 1 })
  return `$scrypt$ln=4,r=1,p=1$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** Opens a database with the account of Ada, who is its owner and runs the instance. */
export async function withAda(t: TestContext, data = dataFolder(t)) {
  const clock = testClock()
  const db = await openTestDatabase(t, { data, clock })
  const { token } = await db.write(INSTANCE, links.makeSetup)
  const account = { name: 'Ada Events', timezone: 'Europe/Madrid', currency: 'EUR' }
  const user = { email: 'Ada@example.org', name: 'Ada', passwordHash: CHEAP_HASH, language: 'en' } as const
  const made = await db.write(INSTANCE, tx => uses.setUp(tx, token, { account, user }, ORIGIN))
  const { accountId } = made
  const join = (email: string, role: Role, event_ids: string[] | null = null) =>
    addUser(db, accountId, email, role, event_ids)
  const { devices, signIn } = peopleServices(db, clock)
  const read = <T>(work: (tx: ReadTx & InstanceReadTx) => Promise<T>) =>
    db.read(accountId, tx => work(asInstance(tx)))
  const write = <T>(work: (tx: WriteTx & InstanceWriteTx) => Promise<T>) =>
    db.write(accountId, tx => work(asInstance(tx)))
  return {
    accountId,
    ada: made.user,
    adaMember: made.member,
    clock,
    data,
    db,
    devices,
    join,
    read,
    signIn,
    write,
  }
}

/** Makes the services that a server has. */
export function peopleServices(db: Database, clock: Clock, secret = 'secret') {
  const devices = new KnownDevices({ clock, secret })
  return { devices, signIn: new SignIn({ db, clock, secret, devices, places }) }
}

/** Adds a person to an account by an invitation that they accept. */
export async function addUser(
  db: Database,
  accountId: string,
  email: string,
  role: Role = 'door',
  event_ids: string[] | null = null,
) {
  return db.write(accountId, async tx => {
    const { token } = await links.invite(tx, { email, role, event_ids })
    const input = { name: email, passwordHash: CHEAP_HASH, language: 'es' } as const
    return uses.accept(tx, token, input, ORIGIN)
  })
}

/** Adds events to an account, without the rest of an organization. @returns their ids */
export async function addEvents(db: Database, accountId: string, ...slugs: string[]): Promise<string[]> {
  const ids = slugs.map((_, at) => `00000000-0000-7000-8000-${accountId.slice(-8)}000${at}`)
  await db.write(accountId, async tx => {
    for (const [at, slug] of slugs.entries()) {
      await tx.run(
        `INSERT INTO events (id, account_id, slug, title, timezone, currency, status, requires_approval, created_at,
           updated_at) VALUES ($1, $2, $3, $3, 'UTC', 'EUR', 'draft', 0, 1, 1)`,
        [ids[at] as string, accountId, slug],
      )
    }
  })
  return ids
}

/** Says how something was refused: its code, and the reason where it has one. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return String(error.details?.reason ?? error.code)
  }
  return 'nothing'
}

export function count(db: Database, table: string): Promise<number> {
  return db.read(INSTANCE, async tx => {
    const row = await tx.one<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)
    return row?.count as number
  })
}
