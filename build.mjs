import { bundle } from './build/bundle.mjs'

/** One file out, with everything inside. */
await bundle({ entryPoints: ['src/main.ts'], outfile: 'dist/turnout.cjs' })
