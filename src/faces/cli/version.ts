import type { Command } from 'commander'
import { version } from '#base/version.ts'
import { describeEngine } from '#machinery/db/open.ts'
import { jsonFlag } from './flags.ts'
import { printJson, type Terminal } from './terminal.ts'

/** Returns the version of the program, with those of Node and the database engine. */
export function describeVersion(): string {
  return `turnout ${version} (Node ${process.versions.node}, ${describeEngine()})`
}

export function addVersion(program: Command, terminal: Terminal): void {
  program
    .command('version')
    .description("print the version, with Node's and SQLite's")
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout version')
    .action((flags: { json?: boolean }) => {
      if (flags.json)
        printJson(terminal, { version, node: process.versions.node, database: describeEngine() })
      else terminal.out(`${program.version()}\n`)
    })
}
