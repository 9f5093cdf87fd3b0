import type { Command } from 'commander'
import { describeEngine } from '../db/open.ts'
import { version } from '../version.ts'
import type { Terminal } from './terminal.ts'

/** The version of the program, with those of what it runs on. */
export function describeVersion(): string {
  return `turnout ${version} (Node ${process.versions.node}, ${describeEngine()})`
}

export function addVersion(program: Command, terminal: Terminal): void {
  program
    .command('version')
    .description("print the version, with Node's and SQLite's")
    .addHelpText('after', '\nExample:\n  $ turnout version')
    .action(() => terminal.out(`${program.version()}\n`))
}
