import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { allTargets, bundle, thisTarget } from './build/bundle.mjs'
import { deliver, dist, runBuild } from './build/deliver.mjs'
import { Refusal } from './build/nodes.mjs'
import { componentOfSqlite, componentsOfPackages, describeParts } from './build/sbom.mjs'

const entryPoints = ['src/main.ts']
const possible = `all, ${allTargets().join(', ')}`

await runBuild(async work => {
  const targets = readTargets()
  const path = join(work, 'turnout.cjs')
  /** This makes one file with everything inside. */
  const { inputs } = await bundle({ entryPoints, outfile: path }, targets, 'compiled later')
  const components = [...componentsOfPackages(inputs), componentOfSqlite()]
  writeFileSync(`${path}.cdx.json`, describeParts(readFileSync(path), { type: 'application', components }))
  /** The same for the package on the registry, beside which npm installs the addons of all machines. It leaves nothing in a cache. */
  await bundle({ entryPoints, outfile: join(dist, 'package.cjs') }, [])
  deliver(work, [path, `${path}.cdx.json`])
})

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
