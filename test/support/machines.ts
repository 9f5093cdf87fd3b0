import { type SpawnSyncOptionsWithStringEncoding, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { thisTarget } from '../../build/bundle.mjs'

/** The machine that packages and images are made for here. */
export const target = thisTarget()
export const architecture = target === 'linux-arm64' ? 'arm64' : 'amd64'
/** A commit's date, in seconds. */
export const DATE = 1_800_000_000
export const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'))

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))

/** Says why packages and images are not made here. */
export const cannotMake =
  process.versions.node === packages[`node_modules/node-${target}`]?.version && target.startsWith('linux-')
    ? false
    : `only the Node that npm installs on Linux makes them, and this is ${process.versions.node} on ${target}`

/** Says which program a test wants that is not here. */
export function without(program: string, from = program): false | string {
  const { status, error } = spawnSync('sh', ['-c', `command -v ${program}`])
  return status === 0 && error === undefined ? false : `there is no ${program}: apt install ${from}`
}

export const notRoot = process.getuid?.() === 0 ? false : 'only root makes a root folder for other users'

/** Runs a program. @returns its output @throws Error with what it said, if it fails */
export function run(
  program: string,
  args: readonly string[],
  options: Partial<SpawnSyncOptionsWithStringEncoding> = {},
): string {
  const { status, stdout, stderr, error } = tryRun(program, args, options)
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} (${status})\n${stdout}${stderr}`)
  return stdout
}

export function tryRun(
  program: string,
  args: readonly string[],
  options: Partial<SpawnSyncOptionsWithStringEncoding> = {},
) {
  return spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28, ...options })
}

/** Returns the environment without what would lead a program in another root folder to files of this one. */
export function plainEnv(others: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C.UTF-8',
    DEBIAN_FRONTEND: 'noninteractive',
    ...others,
  }
}

export interface Project {
  folder: string
  /** Where what was made of it is. */
  made: string
}

const ALL = `
import { mkdirSync, writeFileSync } from 'node:fs'
import { bundle } from './build/bundle.mjs'
import { makeDeb } from './build/make-deb.mjs'
import { makeExecutable } from './build/make-executable.mjs'
import { makeImage } from './build/make-image.mjs'
import { describeParts } from './build/sbom.mjs'
import { readFileSync } from 'node:fs'

const target = '${target}'
mkdirSync('made')
await bundle({ entryPoints: ['src/main.ts'], outfile: 'made/turnout.cjs' }, [target], 'compiled later')
await makeExecutable(target, 'made')
const tell = ({ path, components }, type) =>
  writeFileSync(path + '.cdx.json', describeParts(readFileSync(path), { type, components }))
tell(await makeDeb(target, 'made'), 'application')
try {
  tell(await makeImage(target, 'made'), 'container')
} catch (error) {
  if (!error.message.startsWith('apt-get ')) throw error
  writeFileSync('made/no-image', error.message)
}
`

/** Copies the project into a folder, and makes all of it that is handed to others there. */
export async function makeAll(name: string, env: Record<string, string>): Promise<Project> {
  const folder = copyProject(name)
  writeFileSync(join(folder, 'all.mjs'), ALL)
  // What a file may be by this mask is not what is in the archive.
  const child = spawn('sh', ['-c', `umask ${env.UMASK ?? '022'}; exec "$0" all.mjs`, process.execPath], {
    cwd: folder,
    env: { ...process.env, SOURCE_DATE_EPOCH: String(DATE), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', text => {
    stderr += text
  })
  const code = await new Promise(done => child.on('close', done))
  if (code !== 0) throw new Error(stderr)
  return { folder, made: join(folder, 'made') }
}

/** Copies what a build reads. The packages of npm are linked, as they have hundreds of megabytes. */
export function copyProject(name: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'turnout-machines-')), name)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(folder)
  const parts = ['build', 'build.mjs', 'bin', 'src', 'schema.sql', 'contrib', 'LICENSE', 'CHANGELOG.md']
  for (const part of [...parts, 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(part, join(folder, part), { recursive: true })
  if (tryRun('cp', ['-al', 'node_modules', folder]).status !== 0)
    cpSync('node_modules', join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  return folder
}

export function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** Reads a package as Debian's own program unpacks it. @returns the folder */
export function unpackDeb(path: string, folder: string): string {
  run('dpkg-deb', ['-R', path, folder])
  return folder
}

export const sources = (path: string): string => resolve(path)
export const has = existsSync
