import { test } from 'node:test'
import { dataFolder } from '#test/support/blank-database.ts'
import { testClock } from '#test/support/clock.ts'
import { openDatabase } from '#test/support/engine.ts'
import { startServer, startWithOrganization } from '#test/support/server.ts'
const ms = (a: number) => (performance.now() - a).toFixed(0)
const line: Record<string, string[]> = {}
const note = (k: string, v: string) => (line[k] ??= []).push(v)
for (let i = 0; i < 12; i++)
  test(`t${i}`, async t => {
    let a = performance.now(); const data = dataFolder(t); note('folder', ms(a))
    a = performance.now(); const db = await openDatabase(data, testClock()); note('open', ms(a))
    a = performance.now(); await db.close(); note('close', ms(a))
    a = performance.now(); await startWithOrganization(t); note('org', ms(a))
  })
process.on('exit', () => { const c = process.cpuUsage(); console.log(JSON.stringify(line), c) })
