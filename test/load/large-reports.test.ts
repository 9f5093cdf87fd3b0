import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import SqliteConnection from 'better-sqlite3'
import { openSqliteFile } from '#machinery/db/sqlite/addon/open-file.ts'
import { amend } from '#product/guests/registrations/amendment.ts'
import {
  beginRegistrationReport,
  toCsvChunks,
  toJsonChunks,
} from '#product/reporting/reports/registration-report.ts'
import { readCsvRows } from '#test/support/csv.ts'
import { type Crowd, insertCrowd, receiveSlowly } from '#test/support/reports.ts'
import { newRegistration } from '#test/support/requests.ts'
import { openRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { eventually } from '#test/support/webhooks.ts'

/** Opens the file itself, as another program does. */
function openFile(t: TestContext, { data }: { data: string }): SqliteConnection.Database {
  const connection = new SqliteConnection(join(data, 'turnout.db'), { timeout: 5000 })
  t.after(() => connection.close())
  return connection
}

async function startWithCrowd(t: TestContext, crowd: Crowd) {
  const server = await startWithOrganization(t)
  const place = {
    data: server.data,
    accountId: server.applied.account_id,
    eventId: server.eventId,
    typeId: server.types.Standard as string,
  }
  const tickets = await insertCrowd(place, crowd)
  const path = `/reports/registrations?event_id=${server.eventId}`
  return { ...server, place, tickets, path, rows: await openRows(t, server.data) }
}

const long = { diet: 'x'.repeat(3000) }

/** Reads the rest of an answer. @returns its text, and whether it came to its end */
async function readRest(response: IncomingMessage): Promise<{ text: string; isComplete: boolean }> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of response) pieces.push(piece)
    return { text: Buffer.concat(pieces).toString(), isComplete: response.complete }
  } catch {
    return { text: Buffer.concat(pieces).toString(), isComplete: false }
  }
}

/** Waits until something holds, for at most five seconds. */
test('a large report has every attendee once and in order, while check-ins and imports go on beside it', async t => {
  const server = await startWithCrowd(t, { count: 30_000, answers: number => ({ number: `${number}` }) })
  const { client, tickets } = server
  const report = client.get(`${server.path}&format=csv`)
  let isDone = false
  report.finally(() => {
    isDone = true
  })
  let checkIns = 0
  while (!isDone) {
    const answer = await client.post('/check-ins', { attendee_id: tickets[29_999 - checkIns] })
    assert.equal(answer.status, 201)
    checkIns++
    assert.equal((await client.post('/registrations', newRegistration(server))).status, 201)
  }
  const rows = readCsvRows((await report).text)
  assert.ok(checkIns > 3, `${checkIns} check-ins`)
  assert.deepEqual(
    rows.slice(0, 30_000).map(row => `${row.attendee_id} ${row['answer:number']}`),
    tickets.map((id, number) => `${id} ${number}`),
  )
  // The report has what was imported before it begins, and nothing that was imported after.
  assert.ok(rows.length <= 30_001, `${rows.length} rows`)
})

test('a registration after the start of a report is not in it, though the report is still being read', async t => {
  const server = await startWithCrowd(t, { count: 6_000, answers: () => long })
  const { client, path } = server
  const report = await receiveSlowly(client, path)
  const answers = { later: 'a column that the report does not have' }
  const made = await client.post('/registrations', newRegistration(server, { answers }))
  assert.equal(made.status, 201)
  // A file brings history in the middle of the report: it comes before the report's end, with an answer that has no column.
  await insertCrowd(server.place, {
    count: 1,
    createdAt: Date.parse('2026-10-01T10:00:05.999Z'),
    answers: () => answers,
  })
  const { text, isComplete } = await readRest(report)
  assert.ok(isComplete)
  const body = JSON.parse(text)
  assert.equal(body.data.length, 6_000)
  assert.ok(!text.includes('later'))
  assert.equal((await client.get(path)).body.data.length, 6_002)
})

test('a registration that is amended while a report is read stays in it, without an answer that has no column', async t => {
  const server = await startWithCrowd(t, { count: 6_000, answers: () => long })
  const { db, client, path, place } = server
  const [last] = (await client.get(`/registrations?event_id=${place.eventId}&limit=1`)).body.data
  const report = await receiveSlowly(client, path)
  const answers = { later: 'a column that the report does not have' }
  await db.write(place.accountId, tx => amend(tx, last.id, { answers }))
  const { text, isComplete } = await readRest(report)
  assert.ok(isComplete)
  assert.equal(JSON.parse(text).data.length, 6_000)
  assert.ok(!text.includes('later'))
})

test('a reader that does not read holds no snapshot: the log of the database can be emptied meanwhile', async t => {
  const server = await startWithCrowd(t, { count: 6_000, answers: () => long })
  const report = await receiveSlowly(server.client, server.path)
  const connection = openFile(t, server)
  connection.pragma('busy_timeout = 0')
  for (let round = 0; round < 5; round++) {
    assert.equal((await server.client.post('/registrations', newRegistration(server))).status, 201)
    // Others read too, for a moment each.
    await eventually('the log is empty', () => {
      const [outcome] = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
      return outcome?.busy === 0
    })
  }
  const { text, isComplete } = await readRest(report)
  assert.ok(isComplete)
  assert.equal(JSON.parse(text).data.length, 6_000)
})

test('a failure in the middle breaks the connection, and what came is no whole document', async t => {
  for (const format of ['json', 'csv']) {
    const { client, rows, log, path } = await startWithCrowd(t, { count: 6_000, answers: () => long })
    const report = await receiveSlowly(client, `${path}&format=${format}`)
    assert.equal(report.statusCode, 200)
    await rows.run('ALTER TABLE attendees RENAME TO hidden')
    const { text, isComplete } = await readRest(report)
    assert.equal(isComplete, false)
    assert.ok(text.length > 0)
    if (format === 'json') assert.throws(() => JSON.parse(text))
    assert.ok(!text.includes('no such table'))
    const [entry] = log.filter(({ msg }) => msg === 'a report broke off')
    assert.equal(entry?.request_id, report.headers['x-request-id'])
    await rows.run('ALTER TABLE hidden RENAME TO attendees')
    assert.equal((await client.get(path)).body.data.length, 6_000)
  }
})

test('a failure before the first byte is a 500, not a broken connection', async t => {
  const { client, rows, path } = await startWithCrowd(t, { count: 10 })
  await rows.run('ALTER TABLE registrations RENAME TO hidden')
  for (const report of [path, `${path}&format=csv`, '/reports/monthly']) {
    const { status, body } = await client.get(report)
    assert.deepEqual([status, body.error.code], [500, 'internal_error'])
  }
})

test('a client that goes away stops the reading, whether it has got something yet or not', async t => {
  const server = await startWithCrowd(t, { count: 20_000, answers: () => ({ diet: 'vegan' }) })
  const reads = spyOnReads(t)
  for (const path of [server.path, `${server.path}&format=csv`, '/reports/monthly?month=2026-10']) {
    await server.client.get(path)
    const all = reads.splice(0).length
    assert.ok(all > 30, `${all} reads`)
    for (const share of [0.1, 0.3]) {
      const gone = new AbortController()
      const request = fetch(server.client.url + path, {
        headers: { authorization: `Bearer ${server.client.key}` },
        signal: gone.signal,
      }).then(response => response.text())
      await eventually('its reads', () => reads.length > share * all)
      gone.abort()
      await assert.rejects(request)
      await settle(reads)
      assert.ok(reads.splice(0).length < 0.95 * all, path)
    }
  }
  assert.deepEqual(
    server.log.filter(({ level }) => (level as number) >= 40),
    [],
  )
})

/** Waits until nothing is read any more. */
async function settle(reads: unknown[]): Promise<void> {
  for (let seen = -1; seen !== reads.length; ) {
    seen = reads.length
    await wait(50)
  }
}

test('every read of a report goes along an index to its own rows, and takes few of them', async t => {
  const server = await startWithCrowd(t, { count: 3_000, tickets: 3 })
  const reads = spyOnReads(t)
  await server.client.get(server.path)
  await server.client.get('/reports/monthly?month=2026-10')
  const statements = new Set(reads.map(({ source }) => source))
  assert.ok(statements.size >= 8, `${statements.size} statements`)
  const connection = openFile(t, server)
  for (const source of statements) {
    const parameters = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [at + 1, 0]))
    const plan = connection.prepare(`EXPLAIN QUERY PLAN ${source}`).all(parameters) as {
      detail: string
    }[]
    const steps = plan.map(({ detail }) => detail).join('; ')
    assert.doesNotMatch(steps, /^SCAN|; SCAN/, source)
    // A step selects by the event and not by the account, and it goes on from the last row and not from the first.
    if (source.includes('event_id = $2')) assert.doesNotMatch(steps, /registrations_by_account/, source)
    if (/\) > \(/.test(source))
      assert.match(steps, /(created_at,id|confirmed_at,id|moved_at,kind,entry_id)\)>\(/, source)
  }
  assert.ok(Math.max(...reads.map(({ rows }) => rows)) <= 500)
})

interface Read {
  source: string
  rows: number
}

/** Notes every read of registrations, attendees, check-ins, money and keys of answers from now on. */
function spyOnReads(t: TestContext): Read[] {
  const reads: Read[] = []
  const connection = openSqliteFile(':memory:')
  const statements = Object.getPrototypeOf(connection.prepare('SELECT 1')) as SqliteConnection.Statement
  connection.close()
  const all = statements.all
  t.mock.method(statements, 'all', function (this: SqliteConnection.Statement, ...params: unknown[]) {
    const rows = all.apply(this, params)
    if (/(FROM|JOIN) (registrations|check_ins|ledger_entries|answer_keys) /.test(this.source))
      reads.push({ source: this.source, rows: rows.length })
    return rows
  })
  return reads
}

test('long answers of many attendees are sent bit by bit, not as one piece', async t => {
  const answers = Object.fromEntries(Array.from({ length: 100 }, (_, key) => [`k${key}`, 'x'.repeat(5000)]))
  const { applied, db, eventId } = await startWithCrowd(t, { count: 3, tickets: 100, answers: () => answers })
  for (const toChunks of [toCsvChunks, toJsonChunks]) {
    const report = await beginRegistrationReport(db, applied.account_id, eventId, Date.now())
    let [sum, most] = [0, 0]
    for await (const { length } of toChunks(report)) [sum, most] = [sum + length, Math.max(most, length)]
    assert.ok(sum > 150_000_000, `${sum} characters`)
    assert.ok(most < 600_000, `${most} characters in one piece`)
  }
})

test('a report begins without having read the registrations, whatever their number', async t => {
  const { applied, db, eventId } = await startWithCrowd(t, {
    count: 3_000,
    answers: () => ({ diet: 'vegan' }),
  })
  const reads = spyOnReads(t)
  const { columns } = await beginRegistrationReport(db, applied.account_id, eventId, Date.now())
  assert.equal(columns.at(-1)?.name, 'answer:diet')
  assert.deepEqual(
    reads.map(({ rows }) => rows),
    [1],
  )
})

test('rows of many columns with long names are sent bit by bit too', async t => {
  const keyOf = (number: number) => `${number}`.padStart(64, '\u00e9')
  const { applied, db, eventId } = await startWithCrowd(t, {
    count: 500,
    answers: number => ({ [keyOf(number)]: 'x' }),
  })
  for (const toChunks of [toCsvChunks, toJsonChunks]) {
    const report = await beginRegistrationReport(db, applied.account_id, eventId, Date.now())
    let [sum, most] = [0, 0]
    for await (const chunk of toChunks(report)) {
      const size = Buffer.byteLength(chunk)
      sum += size
      most = Math.max(most, size)
    }
    assert.ok(sum > 500_000, `${sum} bytes`)
    assert.ok(most < 160 * 1024, `${most} bytes in one piece`)
  }
})
