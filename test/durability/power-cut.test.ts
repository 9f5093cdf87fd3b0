import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutPower, type Recorded, recordLoad, seeded } from './power-cut.ts'
import { noRecorder } from './recorder.ts'

const limit = { timeout: 600_000, ...(noRecorder === undefined ? {} : { skip: noRecorder }) }
const seed = Number(process.env.POWER_CUT_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** The long form is for `npm run soak`. */
const long = process.env.SOAK !== undefined
const IMPORTS = long ? 6_000 : 800
const TIMES = long ? 400 : 40

function describe({ operations, imports }: Recorded): string {
  const count = (kind: string) => operations.filter(operation => operation.kind === kind).length
  return `${imports.length} acknowledged, ${count('write')} writes, ${count('sync ends')} syncs, ${count('truncate')} truncations; POWER_CUT_SEED=${seed}`
}

test(
  'after a power cut at any moment the database is sound, and has all that was acknowledged',
  limit,
  async t => {
    const recorded = await recordLoad(t, IMPORTS)
    t.diagnostic(describe(recorded))
    const kinds = new Set(recorded.operations.map(({ kind }) => kind))
    assert.deepEqual(
      ['create', 'write', 'truncate', 'sync begins', 'sync ends', 'send'].filter(
        kind => !kinds.has(kind as never),
      ),
      [],
    )
    assert.deepEqual(await cutPower(t, recorded, TIMES, seeded(seed)), { losses: [], damages: [] })
  },
)

for (const [name, variant] of [
  ['a server that leaves the sync to SQLite', 'test/durability/without-sync.ts'],
  ['a server that answers before its sync has ended', 'test/durability/early-answers.ts'],
] as const) {
  test(
    `the same power cuts find ${name}: acknowledged registrations are lost, in a sound database`,
    limit,
    async t => {
      const recorded = await recordLoad(t, 400, [variant])
      t.diagnostic(describe(recorded))
      const { losses, damages } = await cutPower(t, recorded, 36, seeded(seed), ['synced'])
      assert.match(losses.join('\n'), /^synced at \d+: power-\d+: the registration is lost$/m)
      assert.deepEqual(damages, [])
    },
  )
}
