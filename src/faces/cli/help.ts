import type { Command } from 'commander'
import { refuseUnknownCommand } from './unknown-command.ts'

export function addHelp(program: Command): void {
  program
    .command('help')
    .description('print the help of a command, like its --help')
    .argument('[command...]', 'the command, such as "key create"')
    .addHelpText('after', '\nExample:\n  $ turnout help key create')
    .action((names: string[]) => {
      let command = program
      for (const name of names) {
        const found = command.commands.find(sub => sub.name() === name)
        command = found ?? refuseUnknownCommand(command, name)
      }
      command.help()
    })
}
