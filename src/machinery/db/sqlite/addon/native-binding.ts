import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setEnvironmentData } from 'node:worker_threads'
import { brotliDecompressSync } from 'node:zlib'
import { Refusal } from '#base/refusal.ts'
import { reasonOf } from '#machinery/files/system-error.ts'
import { findMachine, findTarget, type Target } from '../../machine.ts'
import { keepInCache } from './cache.ts'

/** The SHA-256 of the addons by their targets, in hexadecimal, as JSON. The bundle and the package define it. */
declare const ADDON_HASHES: string | undefined
/** The addons themselves, in Base64 of Brotli, as JSON. Only the bundle defines it. */
declare const CARRIED_ADDONS: string | undefined

type Addons = Partial<Record<Target, string>>

let loaded: object | undefined

/**
 * Returns SQLite's addon, which is loaded once and which better-sqlite3 takes as `nativeBinding`. Later threads learn its path.
 * Two copies of SQLite in one process would remove each other's locks, because POSIX frees the locks of a process on a file as
 * soon as the process closes any descriptor of it.
 *
 * @throws Refusal
 */
export function nativeBinding(): object {
  loaded ??= load()
  return loaded
}

function load(): object {
  const target = findTarget(findMachine())
  // `machinery/ops/built-for.ts` refuses such a machine before anything else.
  if (target === undefined) throw new Error('There is no addon for this machine.')
  const [path, remedy] =
    typeof CARRIED_ADDONS === 'string'
      ? [unpack(target, CARRIED_ADDONS), 'name another in XDG_CACHE_HOME']
      : [findInstalled(target), 'install into another']
  const binding = loadAddon(path, `Where the folder forbids to run programs, ${remedy}.`)
  setEnvironmentData('turnout.addon', path)
  return binding
}

/** Unpacks the addon that the bundle carries. @returns its path in the cache */
function unpack(target: Target, carried: string): string {
  const sha256 = hashOf(target) as string
  return keepInCache({
    // The name depends on the content, so another version never replaces what a running program has loaded.
    name: `better_sqlite3-${sha256.slice(0, 16)}.node`,
    sha256,
    unpack: () =>
      brotliDecompressSync(Buffer.from((JSON.parse(carried) as Addons)[target] as string, 'base64')),
  })
}

function hashOf(target: Target): string | undefined {
  return typeof ADDON_HASHES === 'string' ? (JSON.parse(ADDON_HASHES) as Addons)[target] : undefined
}

/**
 * Finds the addon of better-sqlite3 as npm has installed it. Nothing else of the package is read, because another version that is
 * installed while the program runs must not meet the loaded one.
 *
 * @returns its path
 */
function findInstalled(target: Target): string {
  const path = join(findPackage(), 'prebuilds', `${target}.node`)
  const sha256 = hashOf(target)
  // The sources run where the lock file has pinned what npm installs.
  if (sha256 === undefined) return path
  const remedy = 'Install the package of Turnout once more.'
  let addon: Buffer
  try {
    addon = readFileSync(path)
  } catch (error) {
    throw new Refusal(`SQLite is missing: ${path} cannot be read (${reasonOf(error)}). ${remedy}`, {
      cause: error,
    })
  }
  if (createHash('sha256').update(addon).digest('hex') === sha256) return path
  throw new Refusal(`SQLite was cut or altered, or is of another version: ${path} was not loaded. ${remedy}`)
}

/** Finds the package of better-sqlite3. @returns its folder */
function findPackage(): string {
  try {
    const description =
      typeof ADDON_HASHES === 'string'
        ? require.resolve('better-sqlite3/package.json')
        : createRequire(import.meta.url).resolve('better-sqlite3/package.json')
    return dirname(description)
  } catch (error) {
    throw new Refusal(
      'SQLite is missing: there is no package better-sqlite3 beside the program. Install the package of Turnout once more.',
      { cause: error },
    )
  }
}

/**
 * Loads the addon.
 *
 * @param path where the checked addon is
 * @param remedy a sentence for the case that the system does not load it
 * @throws Refusal if the system does not load it
 */
export function loadAddon(path: string, remedy: string): object {
  const module = { exports: {} }
  try {
    // `require` would look at the file first. Threads begin late, and by then the file may be gone or replaced.
    process.dlopen(module, path)
  } catch (error) {
    const { message } = error as Error
    throw new Refusal(`SQLite cannot be loaded: ${explainLoading(message) ?? `${message}. ${remedy}`}`, {
      cause: error,
    })
  }
  return module.exports
}

function explainLoading(message: string): string | undefined {
  const lacking = /version `?(GLIBC(?:XX)?_[\d.]+)'? not found/.exec(message)?.[1]
  return lacking === undefined
    ? undefined
    : `it needs ${lacking}, and the C library of this system is older. Use a newer system, such as Debian 12, Ubuntu 22.04 or RHEL 9.`
}
