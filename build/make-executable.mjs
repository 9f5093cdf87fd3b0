import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { bundle, thisTarget } from './bundle.mjs'
import { dist } from './deliver.mjs'
import { fullDisk, isFullDisk, pinnedNode, provideNode, Refusal, targets } from './nodes.mjs'

// Makes an executable of the program and a Node: https://nodejs.org/api/single-executable-applications.html

/** Marks the place in Node's executable that says whether it has a program inside. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const { execPath, platform, versions } = process

/**
 * Makes an executable.
 *
 * @param {keyof typeof targets | undefined} target undefined for the machine that this runs on, with the Node that this runs on
 * @param {string} work the folder that it is made in
 * @returns {Promise<{ path: string, addon: string, inputs: string[] }>} where it is, the machine of its addon, and the files inside
 * @throws {Refusal}
 */
export function makeExecutable(target, work) {
  const place = `${target} ${work}`
  if (!made.has(place)) made.set(place, make(target, work))
  return made.get(place)
}

/** A package and an image that are made together have the same executable. */
const made = new Map()

async function make(target, work) {
  if (target === undefined) {
    const name = platform === 'win32' ? 'turnout.exe' : 'turnout'
    return assemble(join(work, name), { node: execPath, addon: thisTarget(), work })
  }
  refuseOtherMaker(target)
  const name = `turnout-${target}${target.startsWith('win-') ? '.exe' : ''}`
  return assemble(join(work, name), { node: provideNode(target, work), addon: targets[target], work })
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
 * @param {string} path of the executable
 * @param {{ node: string, addon: string, work: string }} options the path of Node's executable, and what it has the addon for
 */
async function assemble(path, { node, addon, work }) {
  if (!readFileSync(node).includes(`${FUSE}:0`)) {
    throw new Refusal(
      `${node} has no room for a program inside, as some systems build it. Build with the Node of nodejs.org.`,
    )
  }
  copyFileSync(node, path)
  chmodSync(path, 0o755)
  // A change makes signatures void. Without one macOS runs nothing; Windows does, and what has a broken one looks tampered with.
  if (platform === 'darwin') run('.', 'codesign', '--remove-signature', path)
  if (path.endsWith('.exe')) writeFileSync(path, withoutSignature(readFileSync(path)))
  const inputs = await makeBlob(addon, work)
  inject(path, join(work, BLOB))
  if (platform === 'darwin') run('.', 'codesign', '--sign', '-', path)
  return { path, addon, inputs }
}

/** https://learn.microsoft.com/windows/win32/debug/pe-format: the fifth data directory has where the certificates are, at the end of the file. */
function withoutSignature(program) {
  const directory = program.readUInt32LE(0x3c) + 24 + 112 + 4 * 8
  const [at, size] = [program.readUInt32LE(directory), program.readUInt32LE(directory + 4)]
  program.fill(0, directory, directory + 8)
  return size > 0 && at + size === program.length ? program.subarray(0, at) : program
}

const BLOB = 'blob'

/** Makes the file that Node reads its program from. @returns the files that are inside */
async function makeBlob(addon, work) {
  const main = 'turnout.cjs'
  const { inputs } = await bundle(
    { entryPoints: ['src/main.ts'], outfile: join(work, main) },
    [addon],
    'in an executable',
  )
  // A code cache and a snapshot that this Node makes are of no use on another machine.
  const portable = { useCodeCache: false, useSnapshot: false }
  // The path of the program is inside as it stands here: a whole one would tell where it was made.
  const config = { main, output: BLOB, disableExperimentalSEAWarning: true, ...portable }
  writeFileSync(join(work, 'config.json'), JSON.stringify(config))
  run(work, execPath, '--experimental-sea-config', 'config.json')
  return inputs
}

function inject(executable, blob) {
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js')
  const macho = platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : []
  run('.', execPath, postject, executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...macho)
}

/** Runs a program. Its output is shown only when it fails, because these tools warn of what does no harm. */
function run(cwd, program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status === 0) return
  if (isFullDisk(stdout + stderr)) throw fullDisk(dist)
  throw error ?? new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`)
}
