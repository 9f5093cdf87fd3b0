import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { deliver, runBuild } from './deliver.mjs'
import { makeExecutable } from './make-executable.mjs'
import { Refusal, targets } from './nodes.mjs'
import { componentOfNode, componentOfSqlite, componentsOfPackages, describeParts } from './sbom.mjs'

// Makes dist/turnout of the program and the Node that runs this, or, by --target, dist/turnout-… of the program and the Node for another
// machine.

await runBuild(async work => {
  const { path, inputs } = await makeExecutable(readTarget(), work)
  const components = [...componentsOfPackages(inputs), componentOfSqlite(), componentOfNode()]
  writeFileSync(`${path}.cdx.json`, describeParts(readFileSync(path), { type: 'application', components }))
  deliver(work, [path, `${path}.cdx.json`])
})

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
