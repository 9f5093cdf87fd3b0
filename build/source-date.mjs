import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { Refusal } from './nodes.mjs'

const root = dirname(import.meta.dirname)

/**
 * Returns the time that a build is dated by, in seconds: SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch/), else
 * that of the commit. The clock is never asked, because two builds of one commit have the same bytes.
 *
 * @throws {Refusal} where SOURCE_DATE_EPOCH is no time
 */
export function findSourceDate(env = process.env) {
  const given = env.SOURCE_DATE_EPOCH ?? ''
  if (given === '') return dateOfCommit()
  // Formats of archives have room for eleven octal digits.
  if (/^\d{1,10}$/.test(given) && Number(given) < 8 ** 11) return Number(given)
  throw new Refusal(`SOURCE_DATE_EPOCH must be a time in whole seconds since 1970, and is ${given}.`)
}

/** @throws {Refusal} where there is none */
export function requireSourceDate() {
  const date = findSourceDate()
  if (date !== undefined) return date
  throw new Refusal(
    'This folder is no clone of the repository, so there is no commit to date the files by. Name a time in seconds since 1970: SOURCE_DATE_EPOCH=1800000000',
  )
}

/** @returns undefined in a folder that is not the top of a clone: another repository above it has other dates */
function dateOfCommit() {
  const git = (...args) => spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', '--show-prefix')
  if (status !== 0 || stdout.trim() !== '') return undefined
  const commit = git('log', '-1', '--format=%ct')
  return commit.status === 0 && commit.stdout !== '' ? Number(commit.stdout) : undefined
}
