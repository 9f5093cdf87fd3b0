import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { canMakeExecutables, executable } from '#test/support/built.ts'
import { diskFolder } from '#test/support/folder.ts'

const execute = promisify(execFile)

test('a Node that has no room for a program says so, and the executable that is there stays', {
  // Elsewhere a Node that was changed does not start.
  skip: canMakeExecutables && process.platform === 'linux' ? false : 'only with a Node of Linux that has it',
}, async t => {
  const { ino } = statSync(executable)
  const node = readFileSync(process.execPath)
  for (let at = node.indexOf('NODE_SEA_FUSE_'); at !== -1; at = node.indexOf('NODE_SEA_FUSE_', at)) {
    node.write('node_sea_fuse_', at)
  }
  const other = join(diskFolder(t), 'node')
  writeFileSync(other, node, { mode: 0o755 })
  await assert.rejects(execute(other, ['build/executable.mjs']), {
    code: 1,
    stderr: `error: ${other} has no room for a program inside, as some systems build it. Build with the Node of nodejs.org.\n`,
  })
  assert.equal(statSync(executable).ino, ino)
})
