import { type SpawnSyncOptionsWithStringEncoding, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestContext } from 'node:test'
import { thisTarget } from '../../build/bundle.mjs'
import { diskFolder } from './folder.ts'

/** The machine that packages and images are made for here, and the other one that they can be made for. */
export const target = thisTarget()
export const otherTarget = target === 'linux-arm64' ? 'linux-x64' : 'linux-arm64'
export const architecture = target === 'linux-arm64' ? 'arm64' : 'amd64'
export const otherArchitecture = target === 'linux-arm64' ? 'amd64' : 'arm64'
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

/** What a run of tests has made, for its tests. */
export interface Made {
  /** Returns the path of a file. */
  of(name: string): string
  /** Returns that of the same file, made once more in another folder. */
  again(name: string): string
  /** Skips a test where a file is there that says why something else could not be made. @returns whether it did */
  lacks(t: Pick<TestContext, 'skip'>, why: 'no-image' | 'no-other'): boolean
  /** Copies the root folder of a fresh Debian for a test. @returns undefined where there is none, and the test is skipped */
  root(t: Pick<TestContext, 'skip' | 'after'>): string | undefined
}

const ALL = `
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { bundle } from './build/bundle.mjs'
import { makeDeb } from './build/make-deb.mjs'
import { makeExecutable } from './build/make-executable.mjs'
import { makeImage } from './build/make-image.mjs'
import { Refusal } from './build/nodes.mjs'
import { describeParts } from './build/sbom.mjs'

const target = '${target}'
mkdirSync('made')
await bundle({ entryPoints: ['src/main.ts'], outfile: 'made/turnout.cjs' }, [target], 'compiled later')
const tell = ({ path, components }, type) =>
  writeFileSync(path + '.cdx.json', describeParts(readFileSync(path), { type, components }))
const orSay = async (name, make) => {
  try {
    await make()
  } catch (error) {
    if (!(error instanceof Refusal) || !/^(apt-get|npm) cannot (fetch|be started)/.test(error.message)) throw error
    writeFileSync('made/' + name, error.message)
  }
}
await makeExecutable(target, 'made')
tell(await makeDeb(target, 'made'), 'application')
const moved = ({ path, components }) => {
  renameSync(path, 'made/' + basename(path))
  return { path: 'made/' + basename(path), components }
}
mkdirSync('other')
await orSay('no-other', async () => {
  tell(moved(await makeDeb('${otherTarget}', 'other')), 'application')
})
// The packages of Debian come meanwhile.
const packages = JSON.parse(readFileSync(0, 'utf8'))
const image = async (target, architecture, work) => {
  const { folder, why } = packages[architecture]
  if (folder === undefined) throw new Refusal(why)
  return makeImage(target, work, folder)
}
await orSay('no-image', async () => tell(await image(target, '${architecture}', 'made'), 'container'))
if (!existsSync('made/no-other')) {
  if (process.env.BUT_OTHER_IMAGE === undefined)
    await orSay('no-other', async () => {
      tell(moved(await image('${otherTarget}', '${otherArchitecture}', 'other')), 'container')
    })
  renameSync('other/turnout-${otherTarget}', 'made/turnout-${otherTarget}')
}
`

/** The folder of packages of Debian for each architecture, or why there is none. */
export type Packages = Record<string, { folder: string } | { why: string }>

const FETCH = `
import { fetchPackages } from './build/image/debian-packages.mjs'
import { Refusal } from './build/nodes.mjs'
const [, architecture, work] = process.argv
try {
  console.log(JSON.stringify({ folder: fetchPackages(architecture, work) }))
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.log(JSON.stringify({ why: error.message }))
}
`

/** Fetches the packages of Debian that an image for each of the machines has. */
export async function fetchDebian(): Promise<Packages> {
  const work = mkdtempSync(join(tmpdir(), 'turnout-debian-'))
  process.on('exit', () => rmSync(work, { recursive: true, force: true }))
  const fetched = [architecture, otherArchitecture].map(async of => {
    const args = ['--input-type=module', '--eval', FETCH, of, join(work, of)]
    return [of, JSON.parse(await outputOf(process.execPath, args))] as const
  })
  return Object.fromEntries(await Promise.all(fetched))
}

/** Runs a program without keeping others waiting. @returns what it prints @throws Error with what it said, if it fails */
async function outputOf(
  program: string,
  args: readonly string[],
  { input, ...options }: { input?: Promise<string>; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], ...options })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', text => {
      output[name] += text
    })
  // One that has failed reads nothing.
  child.stdin.on('error', () => undefined)
  const ended = new Promise(done => child.on('close', done))
  child.stdin.end((await Promise.race([input, ended.then(() => '')])) ?? '')
  if ((await ended) !== 0) throw new Error(output.stderr)
  return output.stdout
}

/** Copies the project into a folder, and makes all of it that is handed to others there. */
export async function makeAll(
  name: string,
  env: Record<string, string>,
  debian: Promise<Packages>,
): Promise<Project> {
  const folder = copyProject(name)
  writeFileSync(join(folder, 'all.mjs'), ALL)
  // A Node that was fetched once is not fetched by each.
  mkdirSync('dist/nodes', { recursive: true })
  mkdirSync(join(folder, 'dist'))
  symlinkSync(resolve('dist/nodes'), join(folder, 'dist/nodes'))
  // What a file may be by this mask is not what is in the archive.
  await outputOf('sh', ['-c', `umask ${env.UMASK ?? '022'}; exec "$0" all.mjs`, process.execPath], {
    cwd: folder,
    env: { ...process.env, SOURCE_DATE_EPOCH: String(DATE), ...env },
    input: debian.then(packages => JSON.stringify(packages)),
  })
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

/** A root folder of a fresh Debian, or why there is none. */
export type Root = { path: string } | { why: string }

/** Makes one by Debian's own tools, with systemd in it, which does not run. */
export async function makeRoot(): Promise<Root> {
  const why = notRoot || without('mmdebstrap')
  if (why !== false) return { why }
  if (architecture !== 'amd64') return { why: 'it was never tried on another machine than one of amd64' }
  const folder = mkdtempSync(join(tmpdir(), 'turnout-root-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'root')
  const include = '--include=adduser,dbus,debconf,libstdc++6,systemd'
  try {
    await outputOf('mmdebstrap', ['--variant=essential', include, 'bookworm', path])
    return { path }
  } catch (error) {
    return { why: `mmdebstrap cannot fetch Debian: ${(error as Error).message.trim().split('\n').at(-1)}` }
  }
}

/** Copies it for a test that changes it. @returns undefined where there is none, and the test is skipped */
export function copyRoot(t: Pick<TestContext, 'skip' | 'after'>, root: Root): string | undefined {
  if ('why' in root) {
    t.skip(root.why)
    return undefined
  }
  const path = join(diskFolder(t), 'root')
  run('cp', ['-a', root.path, path])
  return path
}

/** Makes another version of a package. @returns its path, which is `path` */
export function repack(deb: string, version: string, path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-deb-'))
  try {
    const control = join(unpackDeb(deb, join(folder, 'package')), 'DEBIAN/control')
    writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${version}`))
    run('dpkg-deb', ['--root-owner-group', '-Znone', '-b', join(folder, 'package'), path])
    return path
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
