import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { logLevels, readConfig } from '#base/config.ts'
import { emailKey } from '#base/fields.ts'
import { Refusal } from '#base/refusal.ts'
import { type Clock, DAY } from '#base/time.ts'
import { engineOf } from '#machinery/db/open.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'
import * as uses from '#product/administration/users/link-uses.ts'
import * as links from '#product/administration/users/links.ts'
import { hashPassword } from '#product/administration/users/passwords.ts'
import * as users from '#product/administration/users/rules.ts'
import { ALONE } from '#product/administration/users/scrypt-lanes.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { withDatabase } from './database.ts'
import { DEMO_EMAIL, DEMO_EVENT, DEMO_FREE_TYPE, DEMO_USER, demoOrganization } from './demo-organization.ts'
import { flag, jsonFlag } from './flags.ts'
import { makeDemo, pastClock } from './place-demo-orders.ts'
import { addServerFlags, type ServerFlags, startFor, toSettings, untilStopped } from './serve.ts'
import type { Terminal } from './terminal.ts'

const KEY_NAME = 'sandbox'

interface SandboxFlags extends ServerFlags {
  databaseUrl?: string
  data?: string
}

interface Demo {
  accountId: string
  key: string
  eventId: string
  freeTypeId: string
  /** The id of a ticket that may be checked in today. */
  attendeeId: string
  /** The token of a sign-in link. */
  signIn: string
}

export function addSandbox(program: Command, terminal: Terminal): void {
  addServerFlags(program.command('sandbox'))
    .description('run a server on demo data, and print requests to try')
    .addOption(
      flag('--data <dir>', 'keep the data in this folder; without it, the data is deleted at the end'),
    )
    .addOption(flag('--log-level <level>', `one of ${logLevels.join(', ')}`).default('warn'))
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout sandbox --port 8080')
    .action(async (flags: SandboxFlags) => {
      refuseDatabaseUrl(flags)
      const data = resolve(flags.data ?? makeTemporaryFolder())
      const config = readConfig({ ...toSettings(flags), data, showMail: true, testPayments: true })
      if (await engineOf(config).exists())
        await withDatabase(config, terminal.clock, db => refuseOtherData(db, data))
      else await fill(data, terminal.clock())
      const app = await startFor(terminal, config)
      const stopped = untilStopped()
      try {
        const demo = await withDatabase(config, terminal.clock, db => prepare(db, terminal.clock))
        const manageUrl = links.linkUrl(app.siteUrl, 'sign-in', demo.signIn)
        if (flags.json) {
          const { accountId: account_id, key } = demo
          const document = { base_url: app.url, manage_url: manageUrl, key, account_id, data }
          terminal.out(`${JSON.stringify(document)}\n`)
        } else {
          terminal.out(describe(app, manageUrl, demo, data, flags.data === undefined))
        }
        await stopped
      } finally {
        await app.close()
      }
    })
}

/** @throws Refusal */
function refuseDatabaseUrl({ databaseUrl }: SandboxFlags): void {
  if (databaseUrl === undefined) return
  throw new Refusal(
    'The sandbox has a database file of its own: leave --database-url and TURNOUT_DATABASE_URL out. To try PostgreSQL, run "turnout serve" on an empty database.',
  )
}

/** The exit handler also removes the folder when the process has to end at once. */
function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-sandbox-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Makes the demo in a new folder, by a clock that goes through the weeks in which its guests ordered. */
async function fill(data: string, now: number): Promise<void> {
  const clock = pastClock(now - 31 * DAY)
  await withDatabase({ data }, clock, db => makeDemo(db, clock, now))
}

/** @throws Refusal for a folder with other data */
async function refuseOtherData(db: Database, folder: string): Promise<void> {
  const others = await db.read(INSTANCE, accounts.list)
  if (others.length > 0 && !others.some(({ email }) => emailKey(email) === DEMO_EMAIL)) {
    throw new Refusal(
      `${folder} holds data that is not a sandbox's. Run "turnout serve" on it, or choose another folder with --data.`,
    )
  }
}

async function prepare(db: Database, clock: Clock): Promise<Demo> {
  const { account_id: accountId, events } = await applyOrganization(db, demoOrganization(clock()), { clock })
  const event = events[DEMO_EVENT]
  const eventId = event?.id as string
  const freeTypeId = event?.registration_types[DEMO_FREE_TYPE] as string
  const key = await renewKey(db, accountId)
  const attendeeId = await findTicket(db, accountId, eventId)
  const signIn = await makeSignIn(db, accountId)
  return { accountId: accountId, key, eventId, freeTypeId, attendeeId, signIn }
}

/** Makes the demo's owner, with a password that nobody knows, and a sign-in link. */
async function makeSignIn(db: Database, accountId: string): Promise<string> {
  const password = randomBytes(32).toString('base64url')
  const passwordHash = await hashPassword(password, DEMO_USER, ALONE)
  const origin = { requestId: null, address: null }
  return db.write(accountId, async tx => {
    const owner = { email: DEMO_USER.email, role: 'owner', event_ids: null } as const
    let user = await users.findUserByEmail(tx, owner.email)
    if (user === undefined || (await users.findMembership(tx, user.id)) === undefined) {
      const { token } = await links.invite(tx, owner)
      const joined =
        user === undefined
          ? await uses.accept(tx, token, { name: DEMO_USER.name, language: 'en', passwordHash }, origin)
          : await uses.acceptAs(tx, token, user.id, origin)
      user = joined.user
    }
    return (await links.makeSignIn(tx, user.id)).token
  })
}

async function renewKey(db: Database, accountId: string): Promise<string> {
  const actor = commandOn(accountId)
  for (const { id, name, revoked_at } of await db.read(accountId, tx => keys.list(tx))) {
    if (name !== KEY_NAME || revoked_at !== null) continue
    const entry = { action: 'key.revoke', targetType: 'api_key', targetId: id }
    await recordedWrite(db, actor, tx => keys.revoke(tx, id), entry)
  }
  const input = { name: KEY_NAME, scopes: allScopes, expiresAt: null, rateLimit: keys.DEFAULT_RATE_LIMIT }
  const made = await recordedWrite(db, actor, tx => keys.create(tx, input), {
    action: 'key.create',
    targetType: 'api_key',
    targetOf: ({ id }) => id,
  })
  return made.key
}

/** Returns a ticket that is not checked in yet, or any ticket once all of them are. */
async function findTicket(db: Database, accountId: string, eventId: string): Promise<string> {
  const filters = { event_id: eventId, status: 'confirmed' } as const
  const { rows } = await db.read(accountId, tx => registrations.list(tx, filters, { limit: 1000 }))
  const tickets = [...rows].flatMap(({ resource }) => resource.attendees)
  return (tickets.find(ticket => !ticket.checked_in) ?? tickets[0])?.id as string
}

function describe(
  { url, siteUrl }: { url: string; siteUrl: string },
  manageUrl: string,
  demo: Demo,
  data: string,
  temporary: boolean,
): string {
  const newRegistration = {
    event_id: demo.eventId,
    registration_type_id: demo.freeTypeId,
    buyer: { name: 'Grace', email: 'grace@example.org' },
  }
  const key = `-H 'Authorization: Bearer ${demo.key}'`
  const post = (path: string, body: object) =>
    `curl ${key} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}' '${url}${path}'`
  return `listening on ${url}

Dashboard     ${manageUrl} (signs you in once)
Event pages   ${siteUrl}/
Base address  ${url}
Scanner       ${siteUrl}/door/ (for a door that you add in an event, under Doors)
Reference     ${url}/reference
API key       ${demo.key}
Data          ${data}${temporary ? ' (removed at the end)' : ''}

List the events, import a registration, and check a ticket in:

curl ${key} '${url}/events'

${post('/registrations', newRegistration)}

${post('/check-ins', { attendee_id: demo.attendeeId })}

Stop with Ctrl-C.
`
}
