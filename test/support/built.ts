import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

// What `npm test` builds before the tests, where one of those that run has this module's path in it.

/** One file for Node. */
export const bundle = resolve('dist/turnout.cjs')
/** The program of the package on the registry, beside which npm installs SQLite. */
export const packaged = resolve('dist/package.cjs')
/** One file with Node inside. */
export const executable = resolve(process.platform === 'win32' ? 'dist/turnout.exe' : 'dist/turnout')

/** Node as some distributions build it has no room for a program inside. */
export const canMakeExecutables = readFileSync(process.execPath).includes('NODE_SEA_FUSE_')
