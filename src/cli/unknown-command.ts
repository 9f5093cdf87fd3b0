import type { Command } from 'commander'

/** Ends the command line as wrong usage: lists the commands, and suggests the nearest. */
export function refuseUnknownCommand(group: Command, name: string): never {
  const names = group.commands.map(command => command.name())
  const nearest = findNearest(name, names)
  const meant = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  return group.error(`error: unknown command '${name}'${meant}: ${listCommands(group)}`)
}

/** Makes a group without a command wrong usage, like other missing arguments: the parser would print its help. */
export function requireSubcommand(group: Command): void {
  group
    .allowExcessArguments()
    // The flags may belong to the command that was meant: the fault is the unknown command.
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

/** @returns undefined if no name is similar: if more than two letters in five would have to change */
function findNearest(name: string, candidates: readonly string[]): string | undefined {
  const near = candidates
    .map(candidate => ({ candidate, distance: countEdits(name, candidate) }))
    .filter(({ candidate, distance }) => distance <= 0.4 * Math.max(name.length, candidate.length))
  return near.sort((a, b) => a.distance - b.distance)[0]?.candidate
}

/** Letters to put in, take out or change: the Levenshtein distance. */
function countEdits(from: string, to: string): number {
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...from].entries()) {
    const row = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const [left, above, diagonal] = [row[j], last[j + 1], last[j]] as [number, number, number]
      row.push(Math.min(left + 1, above + 1, diagonal + (letter === to[j] ? 0 : 1)))
    }
    last = row
  }
  return last[to.length] as number
}
