import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { PASSWORD, startDashboard } from './dashboard.ts'
import type { PageReader } from './page-reader.ts'

export const OWNER = 'owner@example.org'
export const NEW = 'another horse entirely'
export const WRONG = 'a wrong password'

/**
 * Starts a server behind a proxy that passes on the addresses of its clients. The owner has signed in only from that of the proxy.
 */
export async function startBehindProxy(t: TestContext) {
  const server = await startDashboard(t, undefined, { settings: { trustProxy: ['127.0.0.1'] } })
  const owner = await server.member('owner')
  const signIn = (reader: PageReader, password: string, address?: string, email = OWNER) =>
    reader.post(
      '/manage/sign-in',
      { email, password, to: '', carried: '' },
      address === undefined ? {} : { 'x-forwarded-for': address },
    )
  return { ...server, owner, signIn }
}

/** Returns a browser that the owner has signed in with, and in which nobody is signed in any more. */
export async function knownDevice({
  visitor,
  signIn,
  db,
  owner,
}: Awaited<ReturnType<typeof startBehindProxy>>) {
  const reader = visitor()
  assert.equal((await signIn(reader, PASSWORD, '198.51.100.1')).heading, 'Events')
  const session = reader.cookies.get('session')
  const open = await db.read(INSTANCE, tx =>
    sessions.list(tx, owner.user.id, Date.parse('2026-11-21T12:00:00Z')),
  )
  const own = open.find(({ address }) => address === '198.51.100.1')
  assert.ok(session !== undefined && own !== undefined)
  await db.write(INSTANCE, tx => sessions.end(tx, owner.user.id, own.id))
  reader.cookies.delete('session')
  return reader
}
