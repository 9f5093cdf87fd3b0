import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { engineOf } from '#machinery/db/open.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { balancers, startBalancer } from '#test/support/balancers.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { organization } from '#test/support/organization.ts'
import { freePort, ofPostgres, postgresOfFile } from '#test/support/postgres-server.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import { eventually } from '#test/support/webhooks.ts'

/** Each has a key of its own, by which the balancers choose a server: some have the one, some the other. */
const CLIENTS = 16
/** How many imports are answered before a restart and after it. */
const SOME = 200

const postgres = postgresOfFile()

/** Makes a database with an event, and keys for it. */
async function prepare(t: TestContext) {
  const databaseUrl = postgres().makeDatabase()
  const db = await engineOf({ data: temporaryFolder(t), databaseUrl }).openForCommand(Date.now)
  const file = organization({
    event: { registration_types: [{ name: 'Guest', price: 0, capacity: 1_000_000 }] },
  })
  const applied = await applyOrganization(db, file, { clock: Date.now })
  const event = applied.events['spring-meeting'] as { id: string; registration_types: Record<string, string> }
  const types = event.registration_types
  const body = newRegistration({ eventId: event.id, types }, { registration_type_id: types.Guest as string })
  const made = await db.write(applied.account_id as string, tx =>
    Promise.all(
      Array.from({ length: CLIENTS }, (_, number) =>
        keys.create(tx, { name: `client ${number}`, scopes: allScopes, expiresAt: null, rateLimit: 0 }),
      ),
    ),
  )
  await db.close()
  return { databaseUrl, body: JSON.stringify(body), keys: made.map(({ key }) => key) }
}

/** Has clients import all the time, and sends nothing again. */
function importing(t: TestContext, url: string, body: string, ofClients: readonly string[]) {
  const agent = new Agent({ connections: CLIENTS })
  const statuses: number[] = []
  let isStopping = false
  const client = async (key: string) => {
    while (!isStopping) {
      const answer = await request(`${url}/v1/registrations`, {
        ...{ method: 'POST', dispatcher: agent, body },
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      })
      await answer.body.dump()
      statuses.push(answer.statusCode)
      await pause(20)
    }
  }
  const clients = Promise.all(ofClients.map(client))
  clients.catch(() => undefined)
  const stop = async () => {
    isStopping = true
    await clients.finally(() => agent.close())
  }
  t.after(() => stop().catch(() => undefined))
  const more = async (count: number) => {
    const goal = statuses.length + count
    while (statuses.length < goal) await Promise.race([pause(20), clients])
  }
  return { statuses, more, stop }
}

for (const balancer of balancers) {
  test(`behind ${balancer.file}, a server that is restarted fails no import`, {
    skip: balancer.skip || ofPostgres.skip,
    timeout: 120_000,
  }, async t => {
    const { databaseUrl, body, keys: ofClients } = await prepare(t)
    const ports = [await freePort(), await freePort()] as const
    const start = (port: number) =>
      startServerProcess(t, temporaryFolder(t), {
        ...{ flags: ['--port', String(port)], env: { TURNOUT_DATABASE_URL: databaseUrl } },
      })
    const [first, second] = await Promise.all(ports.map(start))
    const load = importing(t, await startBalancer(t, balancer, ports), body, ofClients)
    await load.more(SOME)
    first?.kill('SIGTERM')
    const { code, stderr } = (await first?.ended) ?? {}
    assert.deepEqual([code, /error/.test(stderr ?? '')], [0, false], stderr)
    await load.more(SOME)
    const again = await start(ports[0])
    await eventually('it is well again', async () => (await fetch(new URL('/healthz', again.url))).ok)
    await load.more(SOME)
    await load.stop()
    assert.deepEqual(
      load.statuses.filter(status => status !== 201),
      [],
    )
    assert.ok(second !== undefined)
  })
}
