import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Refusal } from './nodes.mjs'

const root = dirname(import.meta.dirname)
/** What is built is here. */
export const dist = join(root, 'dist')

/**
 * Runs a build in a folder of its own beside what it makes, which is gone afterwards. What stops it is one sentence, and nothing that was
 * there before is changed then.
 *
 * @param {(work: string) => unknown} make
 */
export async function runBuild(make) {
  let work
  try {
    mkdirSync(dist, { recursive: true })
    work = mkdtempSync(join(dist, '.build-'))
    await make(work)
  } catch (error) {
    process.stderr.write(`error: ${explain(error).message}\n`)
    process.exitCode = 1
  } finally {
    if (work !== undefined) rmSync(work, { recursive: true, force: true })
  }
}

/** @returns {Refusal} @throws what is no fault of the machine, and so one of the build */
function explain(error) {
  if (error instanceof Refusal) return error
  const reason = reasons[error.code]
  if (reason === undefined) throw error
  const place = error.dest ?? error.path ?? dist
  return new Refusal(`${place} cannot be written: ${reason}. Nothing was changed of what was built before.`)
}

const reasons = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk has no room left for this user',
  EFBIG: 'the file would be larger than this user may write',
  EROFS: 'the disk may only be read',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
}

/**
 * Puts files that are whole into dist, with their lines in SHA256SUMS. Renaming makes each change at once. Of two builds that end together
 * one waits, so that the lines are those of the files that stay.
 *
 * @param {string} work the folder of the build
 * @param {readonly string[]} files paths in it
 */
export function deliver(work, files) {
  const sums = files.map(path => [basename(path), hashOf(readFileSync(path))])
  alone(() => {
    for (const path of files) renameSync(path, join(dist, basename(path)))
    const path = join(dist, 'SHA256SUMS')
    const lines = new Map([...readSums(path), ...sums])
    const kept = [...lines]
      .filter(([name]) => existsSync(join(dist, name)))
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const next = join(work, 'SHA256SUMS')
    writeFileSync(next, kept.map(([name, hash]) => `${hash}  ${name}\n`).join(''))
    renameSync(next, path)
  })
}

function readSums(path) {
  if (!existsSync(path)) return []
  return [...readFileSync(path, 'utf8').matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)].map(([, hash, name]) => [
    name,
    hash,
  ])
}

/** In milliseconds: more than anybody needs to write the sums. */
const ABANDONED = 10_000

function alone(change) {
  const lock = join(dist, '.sums')
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
      if (since !== undefined && Date.now() - since > ABANDONED)
        rmSync(lock, { recursive: true, force: true })
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
  try {
    change()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

export function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
