import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { engineOf } from '#machinery/db/open.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { temporaryFolder } from './folder.ts'
import { organization } from './organization.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { newRegistration } from './requests.ts'
import { type ServerProcess, type Surroundings, startServerProcess } from './server-process.ts'

/** A PostgreSQL with an organization, and as many servers on it as a test starts. */
export interface Nodes {
  postgres: PostgresServer
  /** The address of the database. */
  url: string
  start(surroundings?: Surroundings & { url?: string }): Promise<ServerProcess>
  /** Sends imports to servers until `stop` is called, and each again until it is answered. */
  load(servers: readonly ServerProcess[]): Load
  /** Returns what the database has of the imports, how many came before what was there already, and what `turnout check` finds. */
  look(): Promise<{ ids: string[]; sold: number; late: number; damage: string[] }>
}

interface Event {
  id: string
  registration_types: Record<string, string>
}

export interface Load {
  /** The answers by their keys. */
  answers: ReadonlyMap<string, { id: string; body: string }>
  /** Stops sending, and waits for those under way. */
  stop(): Promise<void>
}

export async function startNodes(t: TestContext): Promise<Nodes> {
  const postgres = await startPostgres()
  t.after(() => postgres.remove())
  const url = postgres.makeDatabase()
  const engine = engineOf({ data: temporaryFolder(t), databaseUrl: url })
  const file = organization()
  const [event] = file.events as [{ registration_types: { capacity: number }[] }]
  for (const type of event.registration_types) type.capacity = 1_000_000
  const db = await engine.openForCommand(Date.now)
  const applied = (await applyOrganization(db, file, { clock: Date.now })) as {
    account_id: string
    events: Record<string, Event>
  }
  const { account_id: accountId } = applied
  const { key } = await db.write(accountId, tx =>
    keys.create(tx, { name: 'load', scopes: allScopes, expiresAt: null, rateLimit: 0 }),
  )
  await db.close()
  const { id: eventId, registration_types: types } = applied.events['spring-meeting'] as Event
  return {
    postgres,
    url,
    start: ({ url: given = url, env, ...surroundings } = {}) =>
      startServerProcess(t, temporaryFolder(t), {
        ...surroundings,
        env: { ...env, TURNOUT_DATABASE_URL: given },
      }),
    load: servers => {
      // Those of one type would wait for each other even without the lock.
      const bodies = Object.values(types).map(registration_type_id =>
        JSON.stringify(newRegistration({ eventId, types }, { registration_type_id })),
      )
      return startLoad(servers, key, bodies)
    },
    look: async () => {
      const db = await engine.openForCommand(Date.now)
      try {
        const rows = await db.read(INSTANCE, tx =>
          tx.all<{ id: string }>('SELECT id FROM registrations ORDER BY id'),
        )
        const sold = await db.read(INSTANCE, tx =>
          tx.one<{ sold: number }>('SELECT sum(sold) AS sold FROM registration_types'),
        )
        const late = await db.read(INSTANCE, tx =>
          tx.one<{ late: number }>(
            `SELECT count(*) AS late FROM registrations r JOIN registrations n ON n.number = r.number + 1
             WHERE n.created_at < r.created_at`,
          ),
        )
        return {
          ...{ ids: rows.map(({ id }) => id), sold: sold?.sold ?? 0, late: late?.late ?? 0 },
          damage: await findDamage(db),
        }
      } finally {
        await db.close()
      }
    },
  }
}

/** How many clients send at once. */
const CLIENTS = 32
/** How long a client waits for an answer, in milliseconds, and before it sends again. */
const PATIENCE = 4_000
const PAUSE = 100

function startLoad(servers: readonly ServerProcess[], key: string, bodies: readonly string[]): Load {
  const answers = new Map<string, { id: string; body: string }>()
  let isStopping = false
  const send = async (idempotencyKey: string, server: ServerProcess) => {
    const response = await fetch(`${server.url}/registrations`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        'idempotency-key': idempotencyKey,
      },
      body: bodies[Number(idempotencyKey.split('-')[2]) % bodies.length] as string,
      signal: AbortSignal.timeout(PATIENCE),
    })
    const text = await response.text()
    if (response.status === 201) return text
    // Nothing but a time without a database is an answer to a sound request.
    assert.ok([429, 503].includes(response.status), `${response.status} ${text}`)
    return undefined
  }
  const client = async (name: number) => {
    for (let count = 0; !isStopping; count++) {
      const idempotencyKey = `client-${name}-${count}`
      for (let at = name + count; ; at++) {
        const text = await send(idempotencyKey, servers[at % servers.length] as ServerProcess).catch(
          error => {
            if (error instanceof assert.AssertionError) throw error
            return undefined
          },
        )
        if (text !== undefined) {
          answers.set(idempotencyKey, { id: (JSON.parse(text) as { id: string }).id, body: text })
          break
        }
        await new Promise(resolve => setTimeout(resolve, PAUSE))
      }
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, name) => client(name)))
  clients.catch(() => undefined)
  return {
    answers,
    async stop() {
      isStopping = true
      await clients
      // Each key again gets the answer that it got.
      for (const [idempotencyKey, { body: before }] of answers) {
        let again: string | undefined
        for (let at = 0; again === undefined; at++) {
          again = await send(idempotencyKey, servers[at % servers.length] as ServerProcess).catch(
            () => undefined,
          )
        }
        assert.equal(again, before)
      }
    },
  }
}
