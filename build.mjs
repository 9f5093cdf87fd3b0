import { bundle } from './build/bundle.mjs'

const entryPoints = ['src/main.ts']
/** One file out, with everything inside. */
await bundle({ entryPoints, outfile: 'dist/turnout.cjs' })
/** The same for the package on the registry, beside which npm installs the addon of each machine. */
await bundle({ entryPoints, outfile: 'dist/package.cjs' }, { addonInside: false })
