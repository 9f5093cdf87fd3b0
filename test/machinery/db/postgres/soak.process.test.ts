import { test } from 'node:test'
import { soak } from '#test/support/cluster/soak.ts'
import { ofPostgres } from '#test/support/postgres-server.ts'

test('random faults, one after the other, lose nothing and double nothing', {
  timeout: 240_000,
  ...ofPostgres,
}, async t => {
  await soak(t, { minutes: 0.75, seed: 27, print: line => t.diagnostic(line) })
})
