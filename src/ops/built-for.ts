import { familySync } from 'detect-libc'

/** What a program with SQLite's addon inside runs on. */
export interface Machine {
  /** Node's major version. */
  node: string
  /** NODE_MODULE_VERSION: addons fit to one alone. */
  modules: string
  platform: string
  arch: string
  /** Of Linux, as there are two; null where it is not known. */
  libc: string | null
}

/** A `Machine` as JSON. The bundle has it. */
declare const BUILT_FOR: string | undefined

/** Why a program built for one machine cannot run on another, in a sentence that names the right one. */
export function explainMismatch(builtFor: Machine, here: Machine): string | undefined {
  const { modules, platform, arch, libc } = builtFor
  const fits = modules === here.modules && platform === here.platform && arch === here.arch
  if (fits && (libc === here.libc || libc === null || here.libc === null)) return undefined
  return `This program is built for ${describe(builtFor)}, and this is ${describe(here)}. Run it with what it is built for, or build it here: npm ci && npm run build.`
}

function describe({ node, platform, arch, libc }: Machine): string {
  return `Node ${node} on ${platform} ${arch}${libc === null ? '' : ` with ${libc}`}`
}

function findMachine(): Machine {
  const { platform, arch, versions } = process
  const [node = ''] = versions.node.split('.')
  return { node, modules: versions.modules, platform, arch, libc: findLibc() }
}

function findLibc(): string | null {
  if (process.platform !== 'linux') return null
  // An executable with Node inside would not have started on another.
  if (process.getBuiltinModule?.('node:sea')?.isSea()) return null
  return familySync()
}

// At the import, which is the first of the program: what comes after may not even load on another Node.
if (typeof BUILT_FOR === 'string') {
  const sentence = explainMismatch(JSON.parse(BUILT_FOR) as Machine, findMachine())
  if (sentence !== undefined) {
    process.stderr.write(`error: ${sentence}\n`)
    process.exit(1)
  }
}
