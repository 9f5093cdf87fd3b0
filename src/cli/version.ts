import { describeEngine } from '../db/open.ts'
import { version } from '../version.ts'

/** The version of the program, with those of what it runs on. */
export function describeVersion(): string {
  return `turnout ${version} (Node ${process.versions.node}, ${describeEngine()})`
}
