import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleTests } from './bundle-tests.ts'
import { describedAnswers } from './support/api-document.ts'
import { canMakeExecutables, executable } from './support/built.ts'
import { CHROMIUM } from './support/chromium.ts'
import { readExercised } from './support/exercised.ts'
import { programs } from './support/program.ts'

// Runs all tests, or those whose path contains one of the arguments; what some of them need built is built before. After
// a whole run, an operation and status of the OpenAPI document that no test has seen answered is a failure too.

const isBrowserTest = (path: string) => path.endsWith('.browser.test.ts')
const wanted = process.argv.slice(2)
const found = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.test.ts'))
  .map(name => join('test', name))
  .filter(path => wanted.length === 0 || wanted.some(part => path.includes(part)))
  .sort()
const files = existsSync(CHROMIUM) ? found : found.filter(path => !isBrowserTest(path))
if (files.length < found.length) {
  process.stderr.write(`There is no ${CHROMIUM}, so the browser tests are skipped: apt install chromium\n`)
}
// Without a name the runner looks for tests by itself.
if (files.length === 0) process.exit(found.length === 0 ? 1 : 0)
const texts = new Map(files.map(path => [path, readFileSync(path, 'utf8')]))
buildFor([...texts.values()].join())
const ledger = mkdtempSync(join(tmpdir(), 'turnout-ledger-'))
const { folder, bundled } = await bundleTests(texts, programs)
// An interrupted run, too, goes on to the end of this file.
process.on('SIGINT', () => undefined)
const reporter = process.stdout.isTTY && process.env.CI === undefined ? 'node-test-reporter' : 'spec'

const { status } = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    // The runner's own choice leaves one processor idle.
    `--test-concurrency=${Math.max(2, availableParallelism() - 1)}`,
    '--test-reporter',
    reporter,
    '--test-reporter-destination',
    'stdout',
    ...bundled,
  ],
  { stdio: 'inherit', env: { ...process.env, TURNOUT_TEST_LEDGER: ledger, TURNOUT_TEST_PROGRAMS: folder } },
)
process.exitCode = status ?? 1
rmSync(folder, { recursive: true, force: true })

if (status === 0 && wanted.length === 0) {
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
