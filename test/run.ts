import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { explainNode } from '#machinery/db/machine.ts'
import { describedAnswers } from '#test/support/api-document.ts'
import { canMakeExecutables, executable } from '#test/support/built.ts'
import { CHROMIUM } from '#test/support/chromium.ts'
import { readExercised } from '#test/support/exercised.ts'
import { programs } from '#test/support/program.ts'
import { bundleTests } from './bundle-tests.ts'
import { isBeyondRules, isOfBrowser } from './tiers.ts'

// Runs the tests of the rules, with `--beyond` all others, with `--all` both, or those whose path contains one of the arguments; what
// some of them need built is built before. After a whole run, an operation and status of the OpenAPI document that no test has seen answered is a failure
// too.

const sentence = explainNode(process.versions.node)
if (sentence !== undefined) {
  process.stderr.write(`error: ${sentence} Or run "npm ci", which brings one for this folder.\n`)
  process.exit(1)
}

const {
  values: { all: isAll, beyond: isBeyond },
  positionals: wanted,
} = parseArgs({
  options: { all: { type: 'boolean', default: false }, beyond: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const isWhole = wanted.length === 0
const found = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.test.ts'))
  .map(name => join('test', name))
  .filter(path =>
    isWhole ? isAll || isBeyondRules(path) === isBeyond : wanted.some(part => path.includes(part)),
  )
  .sort()
const files = found.filter(path => existsSync(CHROMIUM) || !isOfBrowser(path))
if (files.length < found.length) {
  process.stderr.write(`There is no ${CHROMIUM}, so the browser tests are skipped: apt install chromium\n`)
}
// Without a name the runner looks for tests by itself.
if (files.length === 0) process.exit(found.length === 0 ? 1 : 0)
const texts = new Map(files.map(path => [path, readFileSync(path, 'utf8')] as const))
buildFor([...texts.values()].join())
const ledger = mkdtempSync(join(tmpdir(), 'turnout-ledger-'))
const { folder, bundled } = await bundleTests(texts, programs)
// An interrupted run, too, goes on to the end of this file.
process.on('SIGINT', () => undefined)
const slowest = pathToFileURL(resolve('test/slowest.mjs')).href
const isWatched = process.stdout.isTTY && process.env.CI === undefined
const reporters = isWatched ? ['node-test-reporter', slowest] : [slowest]

const { status } = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    // The runner's own choice leaves one processor idle.
    `--test-concurrency=${Math.max(2, availableParallelism() - 1)}`,
    ...reporters.flatMap(name => ['--test-reporter', name, '--test-reporter-destination', 'stdout']),
    ...bundled,
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      TURNOUT_TEST_LEDGER: ledger,
      TURNOUT_TEST_PROGRAMS: folder,
      ...(isWatched ? { TURNOUT_TEST_REPORT: 'slowest' } : {}),
    },
  },
)
process.exitCode = status ?? 1
rmSync(folder, { recursive: true, force: true })

if (status === 0 && isWhole && !isBeyond) {
  const exercised = readExercised(ledger)
  const missing = describedAnswers().filter(answer => !exercised.has(answer))
  if (missing.length > 0) {
    process.stderr.write(
      `No test has seen these answers of the OpenAPI document:\n  ${missing.join('\n  ')}\n`,
    )
    process.exitCode = 1
  }
}
rmSync(ledger, { recursive: true, force: true })

function buildFor(tests: string): void {
  if (tests.includes('support/built.ts')) build('build.mjs')
  if (tests.includes('canMakeExecutables')) {
    rmSync(executable, { force: true })
    if (canMakeExecutables) build('build/executable.mjs')
  }
}

function build(script: string): void {
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
