import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { explainNode } from '#machinery/db/machine.ts'
import { describedAnswers } from '#test/support/api-document.ts'
import { canMakeExecutables, executable } from '#test/support/built.ts'
import { CHROMIUM } from '#test/support/chromium.ts'
import { readExercised } from '#test/support/exercised.ts'
import { clusterUrl } from '#test/support/postgres-cluster.ts'
import { startPostgres } from '#test/support/postgres-server.ts'
import { makeTemplate } from '#test/support/postgres-template.ts'
import { programs } from '#test/support/program.ts'
import { bundleTests } from './bundle-tests.ts'
import { isBeyondRules, isOfBrowser, isOfNoEngine, isOfWalk } from './tiers.ts'

// Runs the tests of the rules; with `--beyond` all others, with `--all` both, or those whose path contains one of the arguments, of
// which `--rules` leaves those of the rules. With `--postgres` they run on a PostgreSQL that is started for them, without those of
// SQLite itself, and the walks over everything too.
// What some of them need built is built before. Files with a test that fails run once more, with nothing beside them: a failure
// that a busy machine caused is reported as that, and not as a failure. After a complete run, an operation and status of the
// OpenAPI document that no test has seen answered is a failure too.

/** A busy machine does not make more files fail than this. */
const MOST_AGAIN = 8

/** What tests leave behind is collected seldom. Those that look at the memory of a process under load have that of any process. */
const COLLECTED_SELDOM = ['--max-semi-space-size=32']

/** What Node has compiled. The tests themselves have other paths in each run, so most of it serves that run alone. */
const COMPILED = resolve('dist/compile-cache')
/** In milliseconds. */
const COMPILED_KEPT = 24 * 60 * 60 * 1000

const sentence = explainNode(process.versions.node)
if (sentence !== undefined) {
  process.stderr.write(`error: ${sentence} Or run "npm ci", which brings one for this folder.\n`)
  process.exit(1)
}

const {
  values: { all: isAll, beyond: isBeyond, rules: isOfRules, postgres: isOnPostgres },
  positionals: wanted,
} = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    beyond: { type: 'boolean', default: false },
    rules: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const isWhole = wanted.length === 0
const found = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.test.ts'))
  .map(name => join('test', name))
  .filter(path =>
    isWhole
      ? isOfTier(path) && !(isOnPostgres && isOfNoEngine(path))
      : wanted.some(part => path.includes(part)) && !(isOfRules && isBeyondRules(path)),
  )
  .sort()
const files = found.filter(path => existsSync(CHROMIUM) || !isOfBrowser(path))
if (files.length < found.length) {
  process.stderr.write(`There is no ${CHROMIUM}, so the browser tests are skipped: apt install chromium\n`)
}
// Without a name the runner looks for tests by itself.
if (files.length === 0) process.exit(found.length === 0 ? 1 : 0)
const textOf = (path: string) => readFileSync(path, 'utf8')
buildFor(files.map(textOf).join())
const postgres = isOnPostgres && clusterUrl() === undefined ? await startPostgres() : undefined
if (postgres !== undefined) process.env.TURNOUT_TEST_ENGINE = postgres.url
if (isOnPostgres || clusterUrl() !== undefined) {
  await makeTemplate()
}
forgetCompiled()
const ledger = mkdtempSync(join(tmpdir(), 'turnout-ledger-'))
// An interrupted run goes on to the end of this file too.
process.on('SIGINT', () => undefined)
const slowest = pathToFileURL(resolve('test/slowest.mjs')).href
const rememberedScrypt = pathToFileURL(resolve('test/remembered-scrypt.mjs')).href
/** A long run, of which a busy machine may disturb a file. */
const isLong = isWhole || isOfRules
const isWatched = process.stdout.isTTY && process.env.CI === undefined
const reporters = isWatched ? ['node-test-reporter', slowest] : [slowest]

// The runner's own choice leaves one processor idle. A process of rules waits for the disk and for timers a third of its time, so one
// more than there are processors runs beside the others. Browsers and servers under load have what they need for themselves.
const concurrency = isLong && !isAll && !isBeyond ? availableParallelism() + 1 : availableParallelism() - 1
let { status, failed } = await run(files, Math.max(2, concurrency))
// The failure of a process that ends too early names no file of a test.
if (isLong && status === 1 && failed.length <= MOST_AGAIN && failed.every(path => files.includes(path))) {
  process.stdout.write(`\nOnce more, with nothing beside them:\n  ${failed.join('\n  ')}\n\n`)
  const alone = await run(failed, 1)
  if (alone.status === 0)
    process.stderr.write(`Failed beside others, and passed alone:\n  ${failed.join('\n  ')}\n`)
  status = alone.status
}
process.exitCode = status ?? 1

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
postgres?.remove()

/** Another engine has to stand what walks over everything as well. */
function isOfTier(path: string): boolean {
  return isAll || isBeyondRules(path) === isBeyond || (isOnPostgres && isOfWalk(path))
}

/** @returns the exit code, none where it was killed, and which of the files have a test that failed */
async function run(paths: readonly string[], concurrency: number) {
  const texts = new Map(paths.map(path => [path, textOf(path)] as const))
  const { folder, bundled } = await bundleTests(texts, programs)
  const failures = `${ledger}.failed`
  rmSync(failures, { force: true })
  const { status } = spawnSync(
    process.execPath,
    [
      '--enable-source-maps',
      `--import=${rememberedScrypt}`,
      ...(paths.some(isBeyondRules) ? [] : COLLECTED_SELDOM),
      '--test',
      `--test-concurrency=${concurrency}`,
      ...reporters.flatMap(name => ['--test-reporter', name, '--test-reporter-destination', 'stdout']),
      ...bundled,
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        // Each process compiles the same packages.
        NODE_COMPILE_CACHE: COMPILED,
        TURNOUT_TEST_LEDGER: ledger,
        TURNOUT_TEST_PROGRAMS: folder,
        TURNOUT_TEST_FAILED: failures,
        ...(isWatched ? { TURNOUT_TEST_REPORT: 'slowest' } : {}),
      },
    },
  )
  rmSync(folder, { recursive: true, force: true })
  const failed = existsSync(failures) ? (JSON.parse(textOf(failures)) as string[]) : []
  rmSync(failures, { force: true })
  return { status, failed: failed.map(path => relative('.', path)) }
}

/** What is removed too early is compiled again. */
function forgetCompiled(): void {
  if (!existsSync(COMPILED)) return
  for (const entry of readdirSync(COMPILED, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    // Another run may have removed it meanwhile.
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0 }
    if (entry.isFile() && mtimeMs < Date.now() - COMPILED_KEPT) rmSync(path, { force: true })
  }
}

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
