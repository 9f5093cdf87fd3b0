import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle, thisTarget } from './bundle.mjs'
import { pinnedNode, provideNode, Refusal, targets } from './nodes.mjs'

// Makes dist/turnout of the program and the Node that runs this, or, by --target, dist/turnout-… of the program and the Node for another
// machine: https://nodejs.org/api/single-executable-applications.html

/** Marks the place in Node's executable that says whether it has a program inside. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const folder = join(dirname(import.meta.dirname), 'dist')
const { execPath, platform, versions } = process

mkdirSync(folder, { recursive: true })
const work = mkdtempSync(join(folder, '.executable-'))
try {
  const target = readTarget()
  if (target === undefined) {
    const name = platform === 'win32' ? 'turnout.exe' : 'turnout'
    await makeExecutable({ name, node: execPath, addon: thisTarget() })
  } else {
    refuseOtherMaker(target)
    const name = `turnout-${target}${target.startsWith('win-') ? '.exe' : ''}`
    await makeExecutable({ name, node: provideNode(target, work), addon: targets[target] })
  }
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(`error: ${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** @returns {keyof typeof targets | undefined} undefined for the machine that this runs on */
function readTarget() {
  const possible = Object.keys(targets).join(', ')
  let target
  try {
    ;({ target } = parseArgs({ options: { target: { type: 'string' } } }).values)
  } catch {
    throw new Refusal(
      `The one flag of this is --target, which takes ${possible}: npm run build:exe -- --target linux-x64`,
    )
  }
  if (target === undefined || Object.hasOwn(targets, target)) return target
  throw new Refusal(
    `There is no Node to make an executable for ${target || 'nothing'} of: --target takes ${possible}. Without it, the executable is for this machine.`,
  )
}

/** Refuses another maker, because other versions of Node read the program of an executable in another form. */
function refuseOtherMaker(target) {
  const { version } = pinnedNode(target)
  if (versions.node === version) return
  throw new Refusal(
    `The executable for ${target} has Node ${version} inside, and the same makes it: this is Node ${versions.node}. Make it by "npm ci" and "npm run build:exe -- --target ${target}" on Linux with glibc, or on Windows on x64, where npm brings that one.`,
  )
}

/**
 * @param {string} name of the file
 * @param {string} node the path of Node's executable
 * @param {string} addon what it has the addon for
 */
async function makeExecutable({ name, node, addon }) {
  if (!readFileSync(node).includes(`${FUSE}:0`)) {
    throw new Refusal(
      `${node} has no room for a program inside, as some systems build it. Build with the Node of nodejs.org.`,
    )
  }
  const copy = join(work, 'turnout')
  copyFileSync(node, copy)
  chmodSync(copy, 0o755)
  // A change makes signatures void. Without one macOS runs nothing; Windows does, and what has a broken one looks tampered with.
  if (platform === 'darwin') run('codesign', '--remove-signature', copy)
  if (name.endsWith('.exe')) writeFileSync(copy, withoutSignature(readFileSync(copy)))
  inject(copy, await makeBlob(addon))
  if (platform === 'darwin') run('codesign', '--sign', '-', copy)
  renameSync(copy, join(folder, name))
}

/** https://learn.microsoft.com/windows/win32/debug/pe-format: the fifth data directory has where the certificates are, at the end of the file. */
function withoutSignature(program) {
  const directory = program.readUInt32LE(0x3c) + 24 + 112 + 4 * 8
  const [at, size] = [program.readUInt32LE(directory), program.readUInt32LE(directory + 4)]
  program.fill(0, directory, directory + 8)
  return size > 0 && at + size === program.length ? program.subarray(0, at) : program
}

/** Makes the file that Node reads its program from. @returns its path */
async function makeBlob(addon) {
  const config = join(work, 'config.json')
  const output = join(work, 'blob')
  const main = join(work, 'turnout.cjs')
  await bundle({ entryPoints: ['src/main.ts'], outfile: main }, [addon], 'in an executable')
  // A code cache and a snapshot that this Node makes are of no use on another machine.
  const portable = { useCodeCache: false, useSnapshot: false }
  writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true, ...portable }))
  run(execPath, '--experimental-sea-config', config)
  return output
}

function inject(executable, blob) {
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js')
  const macho = platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : []
  run(execPath, postject, executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...macho)
}

/** Runs a program. Its output is shown only when it fails, because these tools warn of what does no harm. */
function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`)
}
