import { readFileSync, writeFileSync } from 'node:fs'
import { deliver, runBuild } from './deliver.mjs'
import { readLinuxTarget } from './linux-target.mjs'
import { makeImage } from './make-image.mjs'
import { describeParts } from './sbom.mjs'

// Makes dist/turnout_<version>_<architecture>.oci.tar, for this machine or, by --target, for another one. --packages names a folder with
// the packages of Debian, as an earlier build has left them in dist.

await runBuild(async work => {
  const { target, packages } = readLinuxTarget('build:image', { packages: { type: 'string' } })
  const { path, components } = await makeImage(target, work, packages)
  writeFileSync(`${path}.cdx.json`, describeParts(readFileSync(path), { type: 'container', components }))
  deliver(work, [path, `${path}.cdx.json`])
})
