import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// Makes dist/turnout of dist/turnout.cjs and the Node that runs this: https://nodejs.org/api/single-executable-applications.html

/** Marks the place in Node's executable that says whether it has a program inside. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const folder = join(dirname(import.meta.dirname), 'dist')
const { execPath, platform } = process
const node = readFileSync(execPath)

if (node.includes(`${FUSE}:0`)) {
  makeExecutable(join(folder, platform === 'win32' ? 'turnout.exe' : 'turnout'))
} else {
  process.stderr.write(
    `error: ${execPath} has no room for a program inside, as some systems build it. Build with the Node of nodejs.org.\n`,
  )
  process.exitCode = 1
}

function makeExecutable(path) {
  const work = mkdtempSync(join(folder, '.executable-'))
  try {
    const copy = join(work, 'turnout')
    copyFileSync(execPath, copy)
    chmodSync(copy, 0o755)
    // A change makes Apple's signature void, and without one nothing runs.
    if (platform === 'darwin') run('codesign', '--remove-signature', copy)
    inject(copy, makeBlob(work))
    if (platform === 'darwin') run('codesign', '--sign', '-', copy)
    renameSync(copy, path)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Makes the file that Node reads its program from. @returns its path */
function makeBlob(work) {
  const config = join(work, 'config.json')
  const output = join(work, 'blob')
  const main = join(folder, 'turnout.cjs')
  writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true }))
  run(execPath, '--experimental-sea-config', config)
  return output
}

function inject(executable, blob) {
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js')
  const macho = platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : []
  run(execPath, postject, executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...macho)
}

/** What the tools say is shown when they fail: they warn of what does no harm. */
function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`)
}
