import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { stepAside } from '#app/step-aside.ts'
import type { OpenedDatabase } from '#machinery/db/engine.ts'
import { ofPostgres, postgresOfFile } from '#test/support/postgres-server.ts'
import { type ServerOptions, startServer } from '#test/support/server.ts'

const postgres = postgresOfFile()

const never = () => new Promise<boolean>(() => undefined)
/** Is called by no server that stops at once. */
const notAside = () => Promise.reject(new Error('it stands aside'))

/** Starts a server that stands aside until the test says that it has done so for long enough. */
async function startAside(t: TestContext, databaseUrl: string) {
  let enough = () => {}
  let begin = () => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const aside = () => {
    begin()
    return new Promise<void>(resolve => {
      enough = resolve
    })
  }
  const { app } = await startServer(t, { databaseUrl, tuning: { aside } })
  const ask = async (path: string) => {
    const answer = await fetch(new URL(path, app.url))
    await answer.bytes()
    return answer.status
  }
  return { app, ask, begun, enough: () => enough() }
}

test(
  'a server that stops while others are there goes on answering, and says that it is not well',
  ofPostgres,
  async t => {
    const databaseUrl = postgres().makeDatabase()
    const stopping = await startAside(t, databaseUrl)
    const staying = await startServer(t, { databaseUrl })
    assert.equal(await stopping.ask('/healthz'), 200)
    assert.equal(await stopping.ask('/v1/openapi.json'), 200)
    const closed = stopping.app.close()
    // One that does not stand aside has closed, and answers nothing below.
    await Promise.race([stopping.begun, closed])
    assert.equal(await stopping.ask('/healthz'), 503)
    assert.equal(await stopping.ask('/v1/openapi.json'), 200)
    assert.equal(await stopping.ask('/v1/events'), 401)
    stopping.enough()
    await closed
    await assert.rejects(stopping.ask('/healthz'))
    assert.equal((await fetch(new URL('/healthz', staying.app.url))).status, 200)
  },
)

for (const [what, options, how] of [
  ['on a file', () => ({}), {}],
  ['alone on PostgreSQL', () => ({ databaseUrl: postgres().makeDatabase() }), ofPostgres],
] as [string, () => ServerOptions, object][]) {
  test(`a server ${what} stops at once`, how, async t => {
    const { app } = await startServer(t, { ...options(), tuning: { aside: notAside } })
    await app.close()
    await assert.rejects(fetch(new URL('/healthz', app.url)))
  })
}

test('the last of several servers stops at once, when the others have stopped', ofPostgres, async t => {
  const databaseUrl = postgres().makeDatabase()
  const first = await startServer(t, { databaseUrl })
  const last = await startServer(t, { databaseUrl, tuning: { aside: notAside } })
  await first.app.close()
  await last.app.close()
})

test('a server whose database does not say who else is there stops at once', async t => {
  // As a server that listens does, this keeps the process.
  const listening = setInterval(() => undefined, 1_000)
  t.after(() => clearInterval(listening))
  for (const hasOthers of [never, () => Promise.reject(new Error('away'))])
    assert.equal(await stepAside({ hasOthers } as unknown as OpenedDatabase, notAside), false)
})
