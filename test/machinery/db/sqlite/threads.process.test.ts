import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { diskFolder } from '#test/support/folder.ts'
import { bundle } from '../../../../build/bundle.mjs'

const TIMES = 100

test('threads start and end a hundred times each under load, and the process lives', {
  timeout: 900_000,
}, async t => {
  const folder = diskFolder(t)
  const program = join(folder, 'threads.cjs')
  // The run is bundled with the texts of its threads inside, as a program is.
  await bundle({ entryPoints: ['test/support/runs/threads-run.ts'], outfile: program })
  for (const [which, codes] of [
    ['checkpoints', [0]],
    ['backups', [0]],
    ['drawing', [0]],
    // The thread is ended by force, which Node reports as 1.
    ['signing', [1]],
    ['left open', [1]],
  ] as const) {
    await t.test(which, t => {
      const env = { XDG_CACHE_HOME: join(folder, 'cache') }
      const args = ['--expose-gc', program, diskFolder(t), String(TIMES), which]
      const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
      assert.deepEqual({ status, signal, stderr }, { status: 0, signal: null, stderr: '' })
      assert.deepEqual(JSON.parse(stdout), { started: TIMES, codes, failures: [] })
    })
  }
})
