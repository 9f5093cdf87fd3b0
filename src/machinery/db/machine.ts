import { familySync } from 'detect-libc'

/** The machine that runs the program, as far as the SQLite addon depends on it. */
export interface Machine {
  platform: string
  arch: string
  /** The C library of Linux, which has two. It is null if it is unknown. */
  libc: string | null
}

/** The machines for which better-sqlite3 has an addon, by the names of its files. */
const targets = {
  'linux-x64': 'Linux on x64 with glibc',
  'linux-arm64': 'Linux on arm64 with glibc',
  'linuxmusl-x64': 'Linux on x64 with musl',
  'linuxmusl-arm64': 'Linux on arm64 with musl',
  'darwin-x64': 'macOS on x64',
  'darwin-arm64': 'macOS on arm64',
  'win32-x64': 'Windows on x64',
  'win32-arm64': 'Windows on arm64',
}

export type Target = keyof typeof targets

/** The same as in `engines` of package.json. The addon needs functions that older versions of Node lack. */
const OLDEST_NODE = [22, 14] as const

/** Returns why the program cannot run on a version of Node, in a sentence that says what to do. Returns undefined if it can. */
export function explainNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST_NODE
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  return `Turnout needs Node ${OLDEST_NODE.join('.')} or newer, and this is Node ${version}. Install a newer one from https://nodejs.org.`
}

/**
 * Returns why the program cannot run on a machine, in a sentence that says what to do. Returns undefined if it can.
 *
 * @param builtFor the machines for which the program has the addon
 */
export function explainMachine(
  here: Machine,
  builtFor: readonly Target[] = Object.keys(targets) as Target[],
): string | undefined {
  const target = findTarget(here)
  if (target === undefined) {
    return `There is no SQLite for ${here.platform} on ${here.arch}: Turnout runs on Linux, macOS and Windows, on x64 and arm64.`
  }
  if (builtFor.includes(target)) return undefined
  const others = builtFor.map(other => targets[other]).join(', ')
  return `This program is built for ${others}, and this is ${targets[target]}. Use one that is built for it: npm ci && npm run build -- --platform ${target}`
}

/** Returns the name of the machine's addon. @returns undefined if there is none */
export function findTarget({ platform, arch, libc }: Machine): Target | undefined {
  const name = `${platform}${libc === 'musl' ? 'musl' : ''}-${arch}`
  return name in targets ? (name as Target) : undefined
}

export function findMachine(): Machine {
  const { platform, arch } = process
  return { platform, arch, libc: platform === 'linux' ? familySync() : null }
}
