import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Refusal } from '#base/refusal.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { ensureMarkers, fillIn, writePage } from './page.ts'

const before = '# Performance\n\nThis is how to read the table.\n\n'
const after = '\n\n## Afterwards\n\nThis stands below it.\n'
const filled = (result: string) => `${before}<!-- bench -->\n\n${result}\n\n<!-- /bench -->${after}`
const empty = `${before}<!-- bench -->\n<!-- /bench -->${after}`

test('the result of a run stands between the markers of a page, in the place of the one before, and the prose is kept', t => {
  const path = join(temporaryFolder(t), 'page.md')
  writeFileSync(path, empty)
  for (const result of ['| what | turnout |', '| what |\n|------|\n| a |', '| less |']) {
    ensureMarkers(path)
    writePage(path, `${result}\n`)
    assert.equal(readFileSync(path, 'utf8'), filled(result))
  }
})

test('a result is written as it is, also where it looks like a pattern of a replacement', () => {
  const result = "costs $1, $&, $` and $' a request"
  assert.equal(fillIn(empty, result, 'page.md'), filled(result))
})

test('a page without both markers, with one twice, or with them in the other order is refused and stays as it was', t => {
  const path = join(temporaryFolder(t), 'page.md')
  const faulty = [
    `${before}${after}`,
    `${before}<!-- bench -->${after}`,
    `${before}<!-- /bench -->${after}`,
    `${before}<!-- /bench -->\n<!-- bench -->${after}`,
    `${empty}<!-- bench -->\n`,
    `${empty}<!-- /bench -->\n`,
  ]
  for (const page of faulty) {
    writeFileSync(path, page)
    assert.throws(() => ensureMarkers(path), Refusal, page)
    assert.throws(() => writePage(path, 'a table'), Refusal, page)
    assert.equal(readFileSync(path, 'utf8'), page)
  }
})

test('the bench refuses a page that is missing before it measures anything', t => {
  const missing = join(temporaryFolder(t), 'missing.md')
  const args = ['--import', 'tsx', 'test/bench/run.ts', '--write', missing]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })
  assert.deepEqual([status, stdout], [1, ''])
  assert.equal(
    stderr,
    `error: There is no file ${missing}: name a page that has the markers "<!-- bench -->" and "<!-- /bench -->".\n`,
  )
  assert.ok(!existsSync(missing))
})
