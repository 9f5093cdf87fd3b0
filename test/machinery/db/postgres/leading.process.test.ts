import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Leader, OpenedDatabase } from '#machinery/db/engine.ts'
import { engineOf } from '#machinery/db/open.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { FollowedClock } from '#machinery/ops/followed-clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { ofPostgres, postgresOfFile } from '#test/support/postgres-server.ts'
import { eventually } from '#test/support/webhooks.ts'

const postgres = postgresOfFile()

type Follow = { own: () => number; ask: () => (instant: number) => number }

async function open(t: TestContext, databaseUrl: string, follow?: Follow): Promise<OpenedDatabase> {
  const engine = engineOf({ data: temporaryFolder(t), databaseUrl })
  const opened = await engine.openForServer({ clock: Date.now, follow, onFailure: () => undefined })
  t.after(() => opened.close())
  return opened
}

/** Notes what a server is told to do, and when it may lead. */
class Noted implements Leader {
  leads = false
  begun = 0

  begin(): void {
    assert.equal(this.leads, false)
    this.leads = true
    this.begun++
  }

  async end(): Promise<void> {
    assert.equal(this.leads, true)
    await pause(50)
    this.leads = false
  }
}

test('one of several servers leads; when it ends, another one does', ofPostgres, async t => {
  const url = postgres().makeDatabase()
  const servers = [await open(t, url), await open(t, url), await open(t, url)]
  const leaders = servers.map(() => new Noted())
  for (const [at, server] of servers.entries()) server.lead?.(leaders[at] as Noted)
  await eventually('one that leads', () => leaders.some(({ leads }) => leads))
  // The others ask again and again, and get nothing.
  await pause(1_000)
  assert.equal(leaders.filter(({ leads }) => leads).length, 1)
  const first = leaders.findIndex(({ leads }) => leads)
  await servers[first]?.close()
  await eventually('another that leads', () => leaders.some(({ leads }, at) => leads && at !== first))
  assert.equal(leaders.filter(({ begun }) => begun > 0).length, 2)
})

test(
  'a server whose session is lost ends its work before anybody begins it there again',
  ofPostgres,
  async t => {
    const server = await open(t, postgres().makeDatabase())
    const leader = new Noted()
    server.lead?.(leader)
    for (let times = 1; times <= 3; times++) {
      await eventually('it leads', () => leader.leads && leader.begun === times)
      postgres().psql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'turnout'",
      )
    }
    await eventually('it leads again', () => leader.begun === 4)
    // And it reads and writes as before.
    await server.db.write(INSTANCE, tx => tx.now())
  },
)

test('the distance of the clocks is told, and more than a minute is no start', ofPostgres, async t => {
  const url = postgres().makeDatabase()
  const told: number[] = []
  const own = (offset: number) => {
    const clock = new FollowedClock(() => Date.now() + offset)
    const ask = () => {
      const onInstant = clock.ask()
      return (instant: number) => {
        told.push(onInstant(instant))
        return told.at(-1) as number
      }
    }
    return { own: clock.own, ask }
  }
  await assert.rejects(
    open(t, url, own(120_000)),
    /The clock says .* more than a minute apart\. Set both by NTP/,
  )
  await open(t, url, own(-3_000))
  const [refused = 0, ...started] = told
  assert.ok(Math.abs(refused + 120_000) < 1_000, String(refused))
  assert.ok(started.length > 0 && started.every(apart => Math.abs(apart - 3_000) < 1_000), String(started))
})
