import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { describeApi } from '../../src/api/description/describe.ts'
import type { Route } from '../../src/api/route.ts'
import { routes } from '../../src/api/routes.ts'
import { cleanUp } from '../../src/cleaning.ts'
import { run } from '../../src/cli/program.ts'
import type { Value } from '../../src/db/port.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import * as reports from '../../src/reports/store.ts'
import { countPending } from '../../src/webhooks/deliveries.ts'
import type { Client } from '../support/client.ts'
import { organization, registration } from '../support/organization.ts'
import { startWithOrganization } from '../support/server.ts'

/** Tables of which an organizer makes each row by hand: they may be read whole, and sorted. */
const SMALL = new Set(['instance', 'accounts', 'webhook_endpoints', 'sqlite_master'])

/** Some rows, of which each is looked at: so many at most. */
const SLICE = /\bFROM \(SELECT .+ LIMIT \$\d+\) AS slice WHERE [^()]+$/s

/** A count that goes no further than its bound. */
const BOUNDED_COUNT = /^SELECT count\(\*\) AS count\s+FROM \(SELECT 1 FROM [^()]+ LIMIT \$\d+\) AS (\w+)$/

interface Recorded {
  params: readonly Value[] | undefined
  /** The function of a store that gave it, as `keys/store.ts find`. */
  store: string | undefined
}

/** Every SQL text that a connection of this process is given, with where it came from. */
function recordStatements(t: TestContext): Map<string, Recorded> {
  const texts = new Map<string, Recorded>()
  for (const method of ['get', 'all', 'run'] as const) {
    const original = Connection.prototype[method] as (sql: string, params?: readonly Value[]) => unknown
    t.mock.method(
      Connection.prototype,
      method,
      function (this: Connection, ...args: Parameters<typeof original>) {
        const [text, params] = args
        if (/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text)) {
          const place = /at (?:async )?(?:\w+\.)?(\w+) \(.*\/src\/(\S+[/-]store\.ts):/.exec(
            new Error().stack ?? '',
          )
          texts.set(text, { params, store: place === null ? undefined : `${place[2]} ${place[1]}` })
        }
        return original.apply(this, args)
      },
    )
  }
  return texts
}

/** Every way to give some of these filters, or none. */
function combinationsOf(filters: [string, string][]): [string, string][][] {
  const [first, ...rest] = filters
  if (first === undefined) return [[]]
  return combinationsOf(rest).flatMap(some => [some, [first, ...some]])
}

/** The parameters of the query that an operation describes. */
function parametersOf(route: Route): string[] {
  const { paths } = JSON.parse(JSON.stringify(describeApi()))
  const operation = paths[route.path][route.method.toLowerCase()]
  return (operation.parameters ?? []).flatMap((one: { in: string; name: string }) =>
    one.in === 'query' ? [one.name] : [],
  )
}

async function exercise(t: TestContext) {
  const texts = recordStatements(t)
  const abstract = {
    title: 'T',
    abstract: 'A',
    authors: [{ name: 'L' }],
    contact: { name: 'L', email: 'l@example.org' },
  }
  const registrations = ['a', 'b', 'c'].map(reference => registration(reference))
  const url = 'https://127.0.0.1:1/hook'
  const file = organization({
    event: {
      registrations,
      abstracts: ['A-1', 'A-2', 'A-3'].map(code => ({ code, ...abstract })),
      waitlist: [{ reference: 'w', registration_type: 'Standard', name: 'W', email: 'w@example.org' }],
    },
    events: ['autumn', 'winter'].map(slug => ({ slug, title: slug })),
    webhooks: [{ url, types: ['registration.created'] }],
  })
  const server = await startWithOrganization(t, file)
  const { applied, client, clock, data, db, eventId, types } = server

  // The same file with something changed in each of its things.
  const [event, ...others] = file.events
  const changed = {
    title: 'Spring',
    registration_types: [{ name: 'Standard', price: 5000, capacity: 101 }],
    registrations: [...registrations, registration('d', { answers: { diet: 'vegan' } })],
  }
  await server.apply({
    account: { ...file.account, name: 'Ada' },
    events: [{ ...event, ...changed }, ...others],
    webhooks: [{ url, types: ['registration.created', 'checkin.created'] }],
  })

  // Writes, of which each also looks things up.
  const post = async (path: string, body?: object) => {
    const headers = { 'Idempotency-Key': `plan-${path}-${JSON.stringify(body)}` }
    const answer = await client.post(path, body, { headers })
    assert.ok(answer.status < 300, `${path} ${answer.text}`)
    return answer.body
  }
  // biome-ignore lint/suspicious/noExplicitAny: checked against the OpenAPI document when it was received
  const made: any[] = []
  for (const name of ['Ada', 'Bob', 'Cyd', 'Dan']) {
    const buyer = { name, email: 'grace@example.org' }
    made.push(
      await post('/registrations', { event_id: eventId, registration_type_id: types.Standard, buyer }),
    )
  }
  for (const { attendees } of made.slice(1)) await post('/check-ins', { attendee_id: attendees[0].id })
  await client.post('/check-ins', { qr_code: made[0].attendees[0].qr_code })
  await post(`/registrations/${made[0].id}/cancel`)

  // Every read of the API, with every combination of its filters, the first page and a later one.
  const values: Record<string, string> = {
    event_id: eventId,
    email: 'grace@example.org',
    month: '2026-11',
    format: 'csv',
  }
  const statuses: Record<string, string> = { listRegistrations: 'confirmed', listAbstracts: 'submitted' }
  const abstracts = (await client.get('/abstracts')).body.data
  await post(`/abstracts/${abstracts[0].id}/decision`, { decision: 'accepted' })
  const ids: Record<string, string> = {
    events: eventId,
    registrations: made[1].id,
    abstracts: abstracts[1].id,
  }
  for (const route of routes) {
    if (route.method !== 'GET') continue
    const path = route.path.replace('{id}', ids[route.path.split('/')[1] as string] ?? 'none')
    const parameters = parametersOf(route)
    const paged = parameters.includes('starting_after')
    const own = parameters.filter(name => name !== 'limit' && name !== 'starting_after')
    const filters = own.map((name): [string, string] => {
      const value = name === 'status' ? statuses[route.operationId] : values[name]
      assert.ok(
        value !== undefined,
        `${route.operationId} has a filter ${name} that this test has no value for`,
      )
      return [name, value]
    })
    for (const some of combinationsOf(filters)) await readPages(client, path, some, paged)
  }

  // The command line, housekeeping, deliveries.
  const turnout = async (...args: string[]) => {
    let printed = ''
    const out = (text: string) => {
      printed += text
    }
    await run([...args, '--data', data, '--json'], { out, err: text => assert.fail(text), clock })
    return JSON.parse(printed)
  }
  const account = applied.account_id
  const [endpoint] = Object.values(applied.webhooks)
  await turnout('account', 'list')
  await turnout('key', 'list', '--account', account)
  const spare = await turnout(
    'key',
    'create',
    '--account',
    account,
    '--name',
    'spare',
    '--scopes',
    'events:read',
  )
  await turnout('key', 'revoke', spare.id)
  await turnout('log', 'list', '--account', account)
  await turnout('waitlist', 'list', '--event', eventId)
  await turnout('webhook', 'list', '--account', account)
  const ofDeliveries: [string, string][] = [
    ['--endpoint', endpoint?.id as string],
    ['--status', 'pending'],
  ]
  for (const some of combinationsOf(ofDeliveries)) await turnout('delivery', 'list', ...some.flat())
  const [delivery] = (await turnout('delivery', 'list')).data
  await turnout('delivery', 'show', delivery.id)
  await turnout('delivery', 'retry', delivery.id)
  for (const command of ['disable', 'enable', 'ping', 'rotate', 'remove']) {
    await turnout('webhook', command, endpoint?.id as string)
  }
  await turnout('export', '--account', account)
  await db.read(countPending)
  await cleanUp(db, clock, 1)

  // What only a report of thousands of rows comes to: each next batch.
  const last = { id: made[0].id, created_at: 0, counted_at: 0 } as never
  const extent = { accountId: account, eventId, until: { created_at: clock(), id: made[3].id } }
  await db.read(async tx => {
    await reports.listRegistrations(tx, extent, last, 10)
    await reports.listTickets(tx, extent, last, last)
    await reports.readAnswers(tx, account, made[0].id)
    await reports.listCounted(tx, account, 'confirmed_at', 0, clock(), last, 10)
    await reports.listCounted(tx, account, 'refunded_at', 0, clock(), last, 10)
    await reports.listCheckIns(tx, account, 0, clock(), last, 10)
  })
  await server.app.close()
  return { texts, db }
}

async function readPages(
  client: Client,
  path: string,
  filters: [string, string][],
  paged: boolean,
): Promise<void> {
  const query = new URLSearchParams(filters)
  if (paged) query.set('limit', '1')
  const first = await client.get(`${path}?${query}`)
  if (!paged) return
  assert.equal(first.body.has_more, true, `${path}?${query} has a second page`)
  query.set('starting_after', first.body.next_cursor)
  assert.equal((await client.get(`${path}?${query}`)).status, 200)
}

/** What is wrong with how SQLite would carry out a statement; nothing is well. */
function faultsOf(text: string, steps: string[]): string[] {
  const tables = new Map(
    [...text.matchAll(/\b(?:FROM|JOIN|UPDATE)\s+([a-z_]+)(?:\s+([a-z])\b)?/g)].map(([, table, alias]) => [
      alias ?? table,
      table as string,
    ]),
  )
  const isSmall = (name: string | undefined) => SMALL.has(tables.get(name) ?? '')
  const faults: string[] = []
  for (const step of steps) {
    const scanned = /^SCAN (\w+)/.exec(step)?.[1]
    // The order of the index itself, and no more of it than was asked for.
    const bounded =
      / USING (COVERING )?INDEX /.test(step) &&
      new RegExp(`\\bFROM \\w+ ${scanned} ORDER BY [^()]+ LIMIT \\$\\d+$`).test(text)
    const isSlice = scanned === 'slice' && SLICE.test(text)
    const isCount = scanned !== undefined && BOUNDED_COUNT.exec(text)?.[1] === scanned
    if (scanned !== undefined && !isSmall(scanned) && !bounded && !isSlice && !isCount) faults.push(step)
    // The tickets of one registration at a time, at most a hundred.
    const sortsTickets = step.endsWith('LAST TERM OF ORDER BY') && text.endsWith('r.id, a.position')
    if (/TEMP B-TREE/.test(step) && !sortsTickets && ![...tables.keys()].every(isSmall)) faults.push(step)
  }
  for (const [, alias, column] of text.matchAll(/\b(\w+)\.(\w+) IN \(\$\d+/g)) {
    const looked = steps.some(step => new RegExp(`^SEARCH ${alias} .*\\b${column}=\\?`).test(step))
    if (!looked) faults.push(`${alias}.${column} IN is not looked up`)
  }
  // Of a page each condition is part of what is looked up: rows that are read and thrown away have no bound.
  if (/\bLIMIT\b/.test(text) && /^SELECT/.test(text)) {
    const looked = steps.filter(step => step.startsWith('SEARCH')).join('\n')
    for (const [condition, alias, column = ''] of text.matchAll(/(?:\b(\w+)\.)?(\S+) = \$\d+/g)) {
      // A slice has its own bound, and is read to its end.
      if (alias === 'slice' && SLICE.test(text)) continue
      const search = `^SEARCH ${alias ?? '\\w+'} .*\\b${column}=\\?`
      if (!/^\w+$/.test(column) || !new RegExp(search, 'm').test(looked))
        faults.push(`${condition} is not looked up`)
    }
  }
  return faults
}

test('every statement finds its rows by an index, in the order in which it gives them', async t => {
  const { texts, db } = await exercise(t)
  t.diagnostic(`${texts.size} statements`)
  const faults: string[] = []
  await db.read(async tx => {
    for (const [text, { params }] of texts) {
      const steps = await tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params)
      const details = steps.map(({ detail }) => detail)
      for (const fault of faultsOf(text, details)) {
        faults.push(`${fault}: ${text.replace(/\s+/g, ' ')}\n  ${details.join('\n  ')}`)
      }
    }
  })
  assert.deepEqual(faults, [])
})

test('a scan, a sort and a condition that is not looked up are each seen', () => {
  const list = 'SELECT r.id FROM registrations r WHERE r.account_id = $1 ORDER BY r.id LIMIT $2'
  assert.deepEqual(faultsOf(list, ['SEARCH r USING INDEX i (account_id=?)']), [])
  assert.equal(faultsOf(list, ['SCAN r USING INDEX i']).length, 2)
  assert.equal(
    faultsOf(list, ['SEARCH r USING INDEX i (account_id=?)', 'USE TEMP B-TREE FOR ORDER BY']).length,
    1,
  )
  assert.equal(faultsOf(list, ['SEARCH r USING INDEX i (event_id=?)']).length, 1)
  assert.deepEqual(faultsOf('SELECT id FROM accounts', ['SCAN accounts']), [])
  const some = 'SELECT r.id FROM registrations r WHERE r.account_id = $1 AND r.id IN ($2, $3)'
  assert.equal(faultsOf(some, ['SEARCH r USING INDEX i (account_id=?)']).length, 1)
  assert.deepEqual(faultsOf(some, ['SEARCH r USING INDEX i (id=?)']), [])
  const compared = list.replace('ORDER', "AND coalesce(r.event_id, '') = $3 ORDER")
  assert.equal(faultsOf(compared, ['SEARCH r USING INDEX i (account_id=? AND event_id=?)']).length, 1)
  const search = ['SEARCH r USING INDEX i (account_id=?)', 'SCAN slice']
  assert.deepEqual(faultsOf(`SELECT slice.id FROM (${list}) AS slice WHERE slice.status = $3`, search), [])
  const count = 'SELECT count(*) AS count FROM (SELECT 1 FROM events e WHERE e.id = $1 LIMIT $2) AS some'
  assert.deepEqual(faultsOf(count, ['SEARCH e USING INDEX i (id=?)', 'SCAN some']), [])
  assert.equal(faultsOf(count, ['SCAN e', 'SCAN some']).length, 2)
  assert.equal(
    faultsOf(count.replace(' LIMIT $2', ''), ['SEARCH e USING INDEX i (id=?)', 'SCAN some']).length,
    1,
  )
  const endless = list.replace(/ ORDER.*/, '')
  assert.equal(
    faultsOf(`SELECT slice.id FROM (${endless}) AS slice WHERE slice.status = $3 LIMIT $4`, search).length,
    2,
  )
})

/** What is asked without an account. */
const withoutAccount = new Set([
  // The accounts themselves.
  ...['find', 'findByEmailKey', 'insert', 'list', 'update'].map(name => `accounts/store.ts ${name}`),
  // Whose a thing is, which the command line asks first.
  ...['events/store.ts', 'keys/store.ts', 'webhooks/store.ts', 'webhooks/endpoint-store.ts'].map(
    store => `${store} findOwner`,
  ),
  // A key, and the code of a ticket, say themselves whose they are.
  'keys/store.ts findByHash',
  'keys/store.ts markUsed',
  'attendees/store.ts findPublicKey',
  // Tables without a column for it: a ticket has it from its registration, a key from its event.
  'attendees/store.ts insert',
  'attendees/store.ts insertKey',
  // Over all accounts: a list of the command line, a metric, and housekeeping.
  ...['listDeliveries', 'countPending', 'deleteOldAttempts', 'deleteOldDeliveries', 'deleteOldEvents'].map(
    name => `webhooks/all-accounts-store.ts ${name}`,
  ),
])

/** The delivery loop serves all accounts at once. */
const LOOP = 'webhooks/delivery/store.ts '

/** Whether a statement is given an account: that it reads or joins by the column is not enough. */
function isOfAccount(text: string): boolean {
  return /\baccount_id = \$\d|^\s*INSERT INTO \w+\s*\([^)]*\baccount_id\b/.test(text)
}

test('every statement of a store is of one account, but for those that are named', async t => {
  const { texts } = await exercise(t)
  const ofStores = [...texts].flatMap(([text, { store }]) => (store === undefined ? [] : [{ text, store }]))
  assert.ok(ofStores.length > 100, `${ofStores.length} statements`)
  const found = ofStores.filter(({ text, store }) => !isOfAccount(text) && !store.startsWith(LOOP))
  assert.deepEqual(new Set(found.map(({ store }) => store)), withoutAccount)
})

test('a statement that only reads whose a row is, or joins by it, is not of one account', () => {
  assert.ok(!isOfAccount('SELECT d.account_id, d.id FROM webhook_deliveries d WHERE d.id = $1'))
  assert.ok(!isOfAccount('SELECT w.id FROM events e JOIN w ON w.account_id = e.account_id WHERE e.id = $1'))
  assert.ok(isOfAccount('SELECT d.id FROM webhook_deliveries d WHERE d.account_id = $1 AND d.id = $2'))
  assert.ok(!isOfAccount('UPDATE api_keys SET revoked_at = $2 WHERE id = $1'))
  assert.ok(isOfAccount('INSERT INTO api_keys (id, account_id) VALUES ($1, $2)'))
})
