import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const names = ['node-18', 'node-20', 'node-22.14', 'node-22', 'node-26'] as const

/** Says why a test that starts another Node is skipped: `.ci/run` installs those of `.ci/package.json`. */
export const withoutOthers = names.every(name => existsSync(otherNode(name)))
  ? false
  : 'the other Nodes are not installed: npm ci --prefix .ci --no-bin-links'

/** Returns the path of another Node than the one that runs the tests. */
export function otherNode(name: (typeof names)[number]): string {
  return resolve('.ci/node_modules', name, 'bin/node')
}
