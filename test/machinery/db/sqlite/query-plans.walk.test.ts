import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE, type Value } from '#machinery/db/port.ts'
import { schemaSql } from '#machinery/db/schema.ts'
import { Connection, keptCompiled } from '#machinery/db/sqlite/connection.ts'
import { runProduct } from '#test/support/runs/product-run.ts'
import { recordStatements } from '#test/support/statements.ts'

/** An organizer makes each row of these tables by hand, so they may be read from end to end, and sorted. */
const SMALL = new Set([
  'instance',
  'accounts',
  'users',
  'webhook_endpoints',
  'payment_connections',
  'sqlite_master',
  // What a statement itself has found step by step, each by an index.
  'former',
])

/** Matches a count or a look at rows that is limited to a slice. */
const SLICE = /\bFROM \(SELECT .+ LIMIT \$\d+\) AS slice( WHERE [^()]+)?$/s

/** Matches the sums of such rows by what they have in common. */
const GROUPED_SLICE = /\bFROM \(SELECT .+ LIMIT \$\d+\) AS slice\s+GROUP BY slice\.\w+(, slice\.\w+)*$/s

/** Returns what is wrong with the way in which SQLite would carry out a statement. It is empty if nothing is. */
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
    // The rows that an INSERT itself consists of are no table.
    const scanned = /^SCAN (?!\d+-ROW VALUES CLAUSE$)(\w+)/.exec(step)?.[1]
    // The statement reads in the order of the index, and no more than its limit.
    const bounded =
      / USING (COVERING )?INDEX /.test(step) &&
      new RegExp(`\\bFROM \\w+ ${scanned} ORDER BY [^()]+ LIMIT \\$\\d+$`).test(text)
    const isSlice = scanned === 'slice' && (SLICE.test(text) || GROUPED_SLICE.test(text))
    if (scanned !== undefined && !isSmall(scanned) && !bounded && !isSlice) faults.push(step)
    // A registration has at most a hundred tickets, so sorting those is allowed.
    const sortsTickets = step.endsWith('LAST TERM OF ORDER BY') && text.endsWith('r.id, a.position')
    // The statement groups the rows between two positions, which are some thousand rows apart.
    const groupsStretch =
      step.endsWith('FOR GROUP BY') && / <= \(\$\d+, \$\d+\)\s+GROUP BY [^()]+$/.test(text)
    // So has a slice, which has its own bound.
    const groupsSlice =
      step.endsWith('FOR GROUP BY') && GROUPED_SLICE.test(text) && steps.some(each => each === 'SCAN slice')
    if (
      /TEMP B-TREE/.test(step) &&
      !sortsTickets &&
      !groupsStretch &&
      !groupsSlice &&
      ![...tables.keys()].every(isSmall)
    )
      faults.push(step)
  }
  for (const [, alias, column] of text.matchAll(/\b(\w+)\.(\w+) IN \(\$\d+/g)) {
    const looked = steps.some(step => new RegExp(`^SEARCH ${alias} .*\\b${column}=\\?`).test(step))
    if (!looked) faults.push(`${alias}.${column} IN is not looked up`)
  }
  // Each condition of a page is part of the look-up: rows that are read and thrown away have no bound.
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
  const texts = recordStatements(t, Connection, ['get', 'all', 'run'])
  const { db } = await runProduct(t)
  t.diagnostic(`${texts.size} statements`)
  const faults: string[] = []
  await db.read(INSTANCE, async tx => {
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

test('each index of what an import or a check-in writes is one that a statement needs: without it, rows are read and thrown away', async t => {
  const texts = recordStatements(t, Connection, ['get', 'all', 'run'])
  await runProduct(t)
  const connection = new Connection(':memory:', 0)
  t.after(() => connection.close())
  connection.exec(schemaSql)
  // A plan that was explained before is kept with its text, whatever became of the schema.
  const faulty = (without: string) =>
    [...texts].filter(
      ([text, { params }]) =>
        faultsOf(text, planOf(connection, `${text} /* without ${without} */`, params)).length > 0,
    )
  // The index of registrations with many tickets has few rows, and spares a look at each of the others.
  const indexes = connection.all<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN
       ('registrations', 'attendees', 'check_ins', 'idempotent_responses', 'access_log')
       AND name <> 'registrations_with_many_tickets'`,
  )
  assert.ok(indexes.length > 10)
  assert.equal(faulty('nothing').length, 0)
  for (const { name } of indexes) {
    connection.run('BEGIN')
    connection.run(`DROP INDEX ${name}`)
    assert.notEqual(faulty(name).length, 0, name)
    connection.run('ROLLBACK')
  }
})

function planOf(connection: Connection, text: string, params: readonly Value[]): string[] {
  const steps = connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params)
  return steps.map(({ detail }) => detail)
}

test('no statement is compiled anew because of what its parameters are', async t => {
  const texts = recordStatements(t, Connection, ['get', 'all', 'run'])
  await runProduct(t)
  const looked = /(?:=|\bIS|\bLIMIT|\bOFFSET)\s*\$\d/
  assert.ok([...texts.keys()].some(text => looked.test(text)))
  assert.deepEqual(
    [...texts.keys()].filter(text => looked.test(keptCompiled(text))),
    [],
  )
})

test('a parameter that the planner does not look at keeps its value and its type, and finds the same', () => {
  const connection = new Connection(':memory:', 0)
  connection.exec(
    "CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER); INSERT INTO t VALUES ('1', 1), ('x', NULL), ('y', 2)",
  )
  for (const [sql, param, ids] of [
    ['SELECT id FROM t WHERE id = $1', '1', ['1']],
    ['SELECT id FROM t WHERE n = $1', '2', ['y']],
    ['SELECT id FROM t WHERE n IS $1', null, ['x']],
    ['SELECT id FROM t WHERE n = $1', null, []],
    ['SELECT id FROM t ORDER BY id LIMIT $1', 2, ['1', 'x']],
    ['SELECT id FROM t ORDER BY id LIMIT 9 OFFSET $1', 2, ['y']],
  ] as const) {
    assert.match(keptCompiled(sql), / \+\$1/)
    const found = connection.all<{ id: string }>(sql, [param])
    assert.deepEqual(
      found.map(({ id }) => id),
      ids,
      sql,
    )
  }
  for (const value of ['text', 7, 1.5, null]) {
    connection.run("UPDATE t SET n = $1 WHERE id = 'x'", [value])
    assert.equal(connection.get<{ n: unknown }>("SELECT n FROM t WHERE id = 'x'")?.n, value)
  }
  connection.close()
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
  assert.deepEqual(faultsOf(`SELECT count(*) AS count FROM (${list}) AS slice`, search), [])
  const grouped = `SELECT slice.currency FROM (${list}) AS slice GROUP BY slice.currency`
  const groups = [...search, 'USE TEMP B-TREE FOR GROUP BY']
  assert.deepEqual(faultsOf(grouped, groups), [])
  assert.equal(faultsOf(grouped.replace(' LIMIT $2', ''), groups).length, 2)
  assert.equal(faultsOf(grouped, [...groups, 'USE TEMP B-TREE FOR ORDER BY']).length, 1)
  const endless = list.replace(/ ORDER.*/, '')
  assert.equal(
    faultsOf(`SELECT slice.id FROM (${endless}) AS slice WHERE slice.status = $3 LIMIT $4`, search).length,
    2,
  )
  assert.equal(faultsOf(`SELECT count(*) AS count FROM (${endless}) AS slice`, search).length, 1)
})

/** These statements run without an account. */
const withoutAccount = new Set([
  'product/administration/accounts/store.ts setForgetTold',
  // They are about the accounts themselves.
  ...[
    'find',
    'findByEmailKey',
    'findBySlug',
    'findNumber',
    'findInvoiceFrom',
    'findTerms',
    'findTexts',
    'insert',
    'list',
    'update',
  ].map(name => `product/administration/accounts/store.ts ${name}`),
  // The command line asks first whose a thing is.
  ...[
    'product/administration/keys/store.ts',
    'product/administration/webhooks/store.ts',
    'product/administration/webhooks/endpoint-store.ts',
  ].map(store => `${store} findOwner`),
  // A key, and the code of a ticket, say themselves whose they are.
  'product/administration/keys/store.ts findByHash',
  'product/guests/attendees/key-store.ts findPublicKey',
  // The secret and the token of a device name no account either.
  ...['findBySecret', 'findByToken', 'findOwner'].map(name => `product/entrance/doors/store.ts ${name}`),
  // People may be members of several accounts, and a link says itself what it is for.
  ...[
    ...['claimRecoveryCode', 'claimStep', 'countRecoveryCodes', 'deleteRecoveryCodes', 'disableTotp'],
    ...['enableTotp', 'find', 'findByEmailKey', 'hasAny', 'insert', 'insertRecoveryCode', 'setPassword'],
    ...['update', 'upgradePassword'],
  ].map(name => `product/administration/users/store.ts ${name}`),
  ...['findByHash', 'insert', 'listByUser', 'markUsed', 'remove', 'removeOthers', 'deleteExpired'].map(
    name => `product/administration/users/session-store.ts ${name}`,
  ),
  ...['findByHash', 'use', 'removeSetups', 'removeOfUser', 'deleteExpired'].map(
    name => `product/administration/users/link-store.ts ${name}`,
  ),
  'product/administration/users/member-store.ts listByUser',
  ...['deleteEvents', 'insertEvent'].map(name => `product/administration/users/member-store.ts ${name}`),
  // Tables without a column for it: a ticket has it from its registration, a key from its event.
  'product/guests/attendees/store.ts insert',
  'product/guests/attendees/key-store.ts insertKey',
  // An address says itself whose page it is, and the first page is of all of them.
  ...['findAccountBySlug', 'findBySlugs', 'hasPublic', 'listAccounts', 'listOfAll', 'listSizes'].map(
    name => `product/catalog/event-pages/store.ts ${name}`,
  ),
  // The server has room for so many bytes, whosever they are.
  'product/programme/files/store.ts sumOfAll',
  'product/programme/files/store.ts sumOfAllUnconfirmed',
  // Pictures are made smaller one after the other, whosever they are.
  'product/catalog/events/picture-store.ts findUnsized',
  // Search engines are told the public pages of all of them.
  ...['countMapped', 'mapAccounts', 'mapDated', 'mapSeries', 'mapUndated'].map(
    name => `product/catalog/event-pages/store.ts ${name}`,
  ),
  // Metrics count over all accounts, and the cleaning of this table has no column for the account.
  ...['countFailing', 'countPending', 'deleteOldAttempts'].map(
    name => `product/administration/webhooks/all-accounts-store.ts ${name}`,
  ),
  ...[
    ...['countFailed', 'countToPayBack', 'countWaiting', 'findLeastRead', 'findOldestPayment'],
    'findOldestRefund',
  ].map(name => `product/selling/payments/all-accounts-store.ts ${name}`),
  // The next job may be of any account.
  'product/administration/jobs/store.ts findFree',
  'product/administration/jobs/store.ts findFreeOf',
  'product/catalog/events/store.ts listToRemind',
  // One server mails for all accounts.
  'machinery/mail/count-store.ts countWaiting',
  'machinery/mail/store.ts findOwner',
  'product/selling/orders/list-store.ts listDue',
  'product/selling/orders/list-store.ts listUnpaid',
  'product/selling/payments/connection-store.ts listStripe',
  'product/selling/payments/store.ts listAbandoned',
  'product/selling/payments/store.ts listToStart',
  'product/selling/payments/store.ts listDue',
  'product/selling/payments/refund-store.ts listDue',
  // A look of the schedule finds what is due in every account.
  'product/programme/calls/reminder-store.ts listToRemind',
  'product/programme/reviews/reminder-store.ts listToRemind',
  'product/programme/abstracts/after-store.ts listToRemind',
  // The command line finds the owner by the id.
  'product/selling/payments/store.ts findOwner',
  'product/selling/payments/refund-store.ts findOwner',
  // The secret of a link names no account.
  'product/programme/reviews/reviewer-store.ts findAccount',
  'product/programme/submissions/store.ts findAccount',
  'product/programme/submissions/store.ts findAccountOfSubmitter',
  'product/selling/orders/link-store.ts findAccount',
  'product/selling/orders/link-store.ts findLinked',
  'machinery/mail/store.ts listDue',
])

/** The delivery loop serves all accounts at once. */
const LOOP = 'product/administration/webhooks/delivery/store.ts '

/** Whether a statement is given an account: that it reads or joins by the column is not enough. */
function isOfAccount(text: string): boolean {
  return /\baccount_(?:id|number) = \$\d|^\s*INSERT INTO \w+\s*\([^)]*\baccount_(?:id|number)\b/.test(text)
}

test('every statement of a store is of one account, but for those that are named', async t => {
  const statements = recordStatements(t, Connection, ['get', 'all', 'run'])
  await runProduct(t)
  const ofStores = [...statements].flatMap(([text, { stores }]) =>
    [...stores].map(store => ({ text, store })),
  )
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
