import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

// This module provides Node's own executables for other machines: those of the packages that build/node/package.json names and
// package-lock.json pins. npm installs the one of the machine that it runs on; the others are fetched here.

/** Stops a build with a sentence that says what to do. */
export class Refusal extends Error {}

/** @returns {Error} as Node's own where a program that was run has said that the disk is full */
export function fullDisk(path) {
  return Object.assign(new Error(`The disk of ${path} is full.`), { code: 'ENOSPC', path })
}

/** @returns whether a program has said so. tar of GNU tells how far it came. */
export function isFullDisk(output) {
  return /ENOSPC|no space left|wrote only \d+ of \d+ bytes/i.test(output)
}

/** The machines that an executable can be made for from another, and the addon of each: see `src/machinery/db/machine.ts`. */
export const targets = { 'linux-x64': 'linux-x64', 'linux-arm64': 'linux-arm64', 'win-x64': 'win32-x64' }

const root = dirname(import.meta.dirname)
/** Fetched packages are kept here, so that each is fetched once. */
const kept = join(root, 'dist', 'nodes')

/** @returns {{ version: string, integrity: string }} of the Node for a target, as the lock file pins it */
export function pinnedNode(target) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return packages[`node_modules/${packageOf(target)}`]
}

function packageOf(target) {
  return `node-${target}`
}

/**
 * @param {string} work a folder that it may be unpacked in
 * @returns {string} the path of Node's executable for a target
 * @throws {Refusal} where it cannot be fetched, or is another than the one that is pinned
 */
export function provideNode(target, work) {
  return findInstalled(target) ?? unpack(fetchOnce(target), target, work)
}

/** npm has held it against the lock file. */
function findInstalled(target) {
  const { version } = pinnedNode(target)
  try {
    const path = createRequire(import.meta.url).resolve(`${packageOf(target)}/package.json`)
    const installed = JSON.parse(readFileSync(path, 'utf8'))
    return installed.version === version ? join(dirname(path), installed.bin.node) : undefined
  } catch {
    return undefined
  }
}

/** @returns the path of the packed package, which is held against the lock file each time */
function fetchOnce(target) {
  const { version, integrity } = pinnedNode(target)
  const file = `${packageOf(target)}-${version}.tgz`
  const path = join(kept, file)
  if (existsSync(path) && integrityOf(path) === integrity) return path
  mkdirSync(kept, { recursive: true })
  const work = mkdtempSync(join(kept, '.fetch-'))
  try {
    fetchPackage(target, work)
    if (integrityOf(join(work, file)) !== integrity) throw refuseAltered(target)
    renameSync(join(work, file), path)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return path
}

/** Fetches a package by the registry, the proxy and the certificates that npm is set up for. */
function fetchPackage(target, folder) {
  const spec = `${packageOf(target)}@${pinnedNode(target).version}`
  process.stdout.write(`Fetching ${spec} …\n`)
  const { status, stderr, error } = spawnSync('npm', ['pack', spec, '--pack-destination', '.'], {
    cwd: folder,
    encoding: 'utf8',
    // npm is a script of the shell on that system.
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  if (error !== undefined) throw new Refusal(`npm cannot be started (${error.code}): it fetches ${spec}.`)
  const code = /^npm (?:error|ERR!) code (\S+)$/m.exec(stderr)?.[1]
  if (code === 'EINTEGRITY') throw refuseAltered(target)
  throw new Refusal(
    `npm cannot fetch ${spec} (${code ?? `exit status ${status}`}). Try again where it reaches its registry: once fetched, it is kept in ${relative(root, kept)}.`,
  )
}

function refuseAltered(target) {
  return new Refusal(
    `${packageOf(target)} ${pinnedNode(target).version}, as npm has fetched it, is not what package-lock.json pins, and was not used. See which registry npm is set up for: npm config get registry`,
  )
}

/** @returns as the lock file writes it */
function integrityOf(path) {
  return `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`
}

function unpack(packed, target, work) {
  const member = target.startsWith('win-') ? 'package/bin/node.exe' : 'package/bin/node'
  // The paths are relative, because a tar of GNU on Windows takes C: for a computer.
  const args = ['-xzf', relative(work, packed), member]
  const { status, stderr, error } = spawnSync('tar', args, { cwd: work, encoding: 'utf8' })
  if (error !== undefined) {
    throw new Refusal(`tar cannot be started (${error.code}): it unpacks what npm has fetched.`)
  }
  if (isFullDisk(stderr)) throw fullDisk(join(work, member))
  if (status !== 0) throw new Error(`${packed} cannot be unpacked: ${stderr}`)
  return join(work, member)
}
