import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '#base/refusal.ts'
import { backUp } from '#machinery/db/sqlite/copies/backup.ts'
import { restore } from '#machinery/db/sqlite/copies/restore.ts'
import { inspect } from '#machinery/db/sqlite/inspection.ts'
import { findDamage, findUnfit } from '#product/data-care/integrity/damage.ts'
import { everything } from '#test/product/data-care/organization/everything.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { seedOf } from './server.ts'

const RUNS = 60

test(`each of ${RUNS} databases with changed bytes is whole, or reported in sentences`, async t => {
  const { data } = await startWithOrganization(t, everything())
  const folder = temporaryFolder(t)
  const backup = join(folder, 'backup.db')
  await backUp(join(data, 'turnout.db'), backup)
  const bytes = readFileSync(backup)
  // A change may be in the header, in the page of the schema, or anywhere.
  const changes = fc
    .constantFrom(100, 4096, bytes.length)
    .chain(within =>
      fc.array(fc.record({ at: fc.nat(within - 1), byte: fc.nat(255) }), { minLength: 1, maxLength: 8 }),
    )
  const sayIt = (error: Error) => {
    assert.ok(error instanceof Refusal, error.stack)
    return [error.message]
  }
  let made = 0
  let refused = 0
  const look = async (changed: { at: number; byte: number }[]) => {
    const copy = Buffer.from(bytes)
    for (const { at, byte } of changed) copy[at] = byte
    const path = join(folder, `${made++}.db`)
    writeFileSync(path, copy)
    const refusal = await restore(path, `${path}-data`, findUnfit).then(() => [], sayIt)
    const errors = await inspect(path, findDamage).catch(sayIt)
    // A file that restore refuses is sound for no other check either.
    if (refusal.length > 0) assert.notDeepEqual(errors, [], refusal[0])
    refused += refusal.length
  }
  const { failed, errorInstance } = await fc.check(fc.asyncProperty(changes, look), {
    seed: seedOf(t),
    numRuns: RUNS,
    endOnFailure: true,
  })
  if (failed) throw errorInstance
  assert.ok(refused > 5 && refused < RUNS, String(refused))
})
