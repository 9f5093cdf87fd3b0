import type { Command } from 'commander'
import { findNearest } from '#base/nearest.ts'

/** Ends the command line as wrong usage. The message lists the commands and suggests the nearest. */
export function refuseUnknownCommand(group: Command, name: string): never {
  const names = group.commands.map(command => command.name())
  const nearest = findNearest(name, names)
  const meant = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  return group.error(`error: unknown command '${name}'${meant}: ${listCommands(group)}`)
}

/**
 * Makes a group without a command wrong usage, like other missing arguments. Otherwise the parser would print the group's help.
 */
export function requireSubcommand(group: Command): void {
  group
    .allowExcessArguments()
    // The flags may belong to the intended command, so the message must name the unknown command.
    .allowUnknownOption()
    .action(() => {
      const [name] = group.args
      if (name === undefined) group.error(`error: missing command: ${listCommands(group)}`)
      if (name.startsWith('-')) group.error(`error: unknown option '${name}'`)
      refuseUnknownCommand(group, name)
    })
}

function listCommands(group: Command): string {
  const path = group.parent === null ? group.name() : `${group.parent.name()} ${group.name()}`
  const names = group.commands.map(command => command.name())
  return names.length === 0
    ? `${path} has no commands of its own`
    : `the commands of ${path} are ${names.join(', ')}`
}
