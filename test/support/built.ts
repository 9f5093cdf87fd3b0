import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

// `npm test` builds these files before the tests if one of the tests that run has this module's path in it.

/** The program as one file for Node. */
export const bundle = resolve('dist/turnout.cjs')
/** The program of the package on the registry, beside which npm installs SQLite. */
export const packaged = resolve('dist/package.cjs')
/** The program as one file with Node inside. */
export const executable = resolve(process.platform === 'win32' ? 'dist/turnout.exe' : 'dist/turnout')

/** The Node of some distributions has no room for a program inside. */
export const canMakeExecutables = readFileSync(process.execPath).includes('NODE_SEA_FUSE_')
