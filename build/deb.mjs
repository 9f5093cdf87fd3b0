import { readFileSync, writeFileSync } from 'node:fs'
import { deliver, runBuild } from './deliver.mjs'
import { readLinuxTarget } from './linux-target.mjs'
import { makeDeb } from './make-deb.mjs'
import { describeParts } from './sbom.mjs'

// Makes dist/turnout_<version>_<architecture>.deb, for this machine or, by --target, for another one.

await runBuild(async work => {
  const { target } = readLinuxTarget('build:deb')
  const { path, components } = await makeDeb(target, work)
  writeFileSync(`${path}.cdx.json`, describeParts(readFileSync(path), { type: 'application', components }))
  deliver(work, [path, `${path}.cdx.json`])
})
