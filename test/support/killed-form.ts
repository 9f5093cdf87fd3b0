import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as linkUses from '#product/administration/users/link-uses.ts'
import * as links from '#product/administration/users/links.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { PageReader, type ReadPage } from './people/page-reader.ts'
import { startServerProcess } from './server-process.ts'

/**
 * Sends a form of the dashboard to a server that is killed at it, and the same form again, twice, to the one that comes after it.
 *
 * @param session the token of somebody who is signed in
 * @param open goes to the page with the form
 */
export async function sendToKilled(
  t: TestContext,
  { data, db, session }: { data: string; db: Database; session: string },
  {
    env,
    open,
    press,
    read,
  }: {
    env: Record<string, string>
    open: (reader: PageReader) => Promise<ReadPage>
    press: string
    read: () => Promise<object>
  },
) {
  const victim = await startServerProcess(t, data, { imports: ['test/support/killed-server.ts'], env })
  const reader = new PageReader(new URL(victim.url).origin)
  t.after(() => reader.close())
  reader.cookies.set('session', session)
  const page = await open(reader)
  const answer = await page.press(press).catch(() => undefined)
  assert.equal((await victim.ended).signal, 'SIGKILL')
  assert.equal(answer, undefined)
  const left = await read()
  const damage = await findDamage(db)
  const next = await startServerProcess(t, data)
  Object.assign(reader, { origin: new URL(next.url).origin })
  const again = await page.press(press)
  const made = await read()
  const third = await page.press(press)
  return {
    ...{ left, damage, status: again.status, made },
    ...{ leadsTo: [again.path, third.path], madeAgain: await read(), damageAfter: await findDamage(db) },
  }
}

/** Makes a manager who is signed in. @returns the token of the session */
export async function signIn(db: Database, accountId: string): Promise<string> {
  const user = await db.write(accountId, async tx => {
    const { token } = await links.invite(tx, { email: 'grace@example.org', role: 'manager', event_ids: null })
    const person = { name: 'Grace', language: 'en', passwordHash: 'none' } as const
    return (await linkUses.accept(tx, token, person, { requestId: null, address: null })).user
  })
  const place = { address: '127.0.0.1', browser: 'test' }
  return (await db.write(INSTANCE, tx => sessions.open(tx, user.id, place))).token
}
