import { parseArgs } from 'node:util'
import { allTargets, bundle, thisTarget } from './build/bundle.mjs'
import { Refusal } from './build/nodes.mjs'

const entryPoints = ['src/main.ts']
const possible = `all, ${allTargets().join(', ')}`
try {
  const targets = readTargets()
  /** This makes one file with everything inside. */
  await bundle({ entryPoints, outfile: 'dist/turnout.cjs' }, targets, 'compiled later')
  /** The same for the package on the registry, beside which npm installs the addons of all machines. It leaves nothing in a cache. */
  await bundle({ entryPoints, outfile: 'dist/package.cjs' }, [])
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(`error: ${error.message}\n`)
  process.exitCode = 1
}

/** @returns the machines that the file is for @throws Refusal with a sentence for whoever typed it */
function readTargets() {
  let platform
  try {
    ;({ platform } = parseArgs({ options: { platform: { type: 'string' } } }).values)
  } catch {
    throw new Refusal(
      `The one flag of this is --platform, which takes ${possible}: npm run build -- --platform all`,
    )
  }
  if (platform === undefined) return [thisTarget()]
  if (platform === 'all') return allTargets()
  if (allTargets().includes(platform)) return [platform]
  throw new Refusal(`There is no SQLite for ${platform || 'nothing'}: --platform takes ${possible}.`)
}
