import type { TestContext } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as linkUses from '#product/administration/users/link-uses.ts'
import * as links from '#product/administration/users/links.ts'
import { hashPassword } from '#product/administration/users/passwords.ts'
import type { Role } from '#product/administration/users/roles.ts'
import { ALONE } from '#product/administration/users/scrypt-lanes.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { organization } from '../organization.ts'
import { type ServerOptions, startWithOrganization } from '../server.ts'
import { PageReader } from './page-reader.ts'

export const PASSWORD = 'correct horse battery'

/** Everybody has the same hash, because hashing is slow by design. */
let hashed: Promise<string> | undefined

/** Starts a server with one organization, and people who are signed in. */
export async function startDashboard(t: TestContext, file = organization(), options?: ServerOptions) {
  const server = await startWithOrganization(t, file, options)
  const { db, app, applied } = server
  const readers: PageReader[] = []
  t.after(() => Promise.all(readers.map(reader => reader.close())))

  /** Opens a browser that knows nobody. */
  const visitor = (language = 'en') => {
    const reader = new PageReader(app.siteUrl, language)
    readers.push(reader)
    return reader
  }

  /** Makes a member, in a browser where they are signed in. */
  const member = async (
    role: Role,
    {
      email = `${role}@example.org`,
      accountId = applied.account_id,
      eventIds = null,
      language = 'en',
    }: { email?: string; accountId?: string; eventIds?: string[] | null; language?: 'en' | 'es' } = {},
  ) => {
    const name = `Person ${role}`
    hashed ??= hashPassword(PASSWORD, { email, name }, ALONE)
    const passwordHash = await hashed
    const origin = { requestId: null, address: null }
    const user = await db.write(accountId, async tx => {
      const { token } = await links.invite(tx, { email, role, event_ids: eventIds })
      return (await linkUses.accept(tx, token, { name, language, passwordHash }, origin)).user
    })
    const place = { address: '127.0.0.1', browser: 'test' }
    const session = await db.write(INSTANCE, tx => sessions.open(tx, user.id, place))
    const reader = visitor(language)
    reader.cookies.set('session', session.token)
    return Object.assign(reader, { user })
  }
  return { ...server, visitor, member, accountId: applied.account_id }
}
