import { isRequired } from '#faces/cli/flags.ts'
import { buildProgram } from '#faces/cli/program.ts'

// Prints the declarations of all commands and flags as JSON, for what is made of them: the page of the manual, the completions of shells
// and the file of settings. It runs on the sources: see `build/commands.mjs`.

const program = buildProgram({ out: () => undefined, err: () => undefined, clock: Date.now })
process.stdout.write(JSON.stringify(describe(program)))

function describe(command) {
  return {
    name: command.name(),
    description: command.description(),
    operands: command.registeredArguments.map(operand => ({
      name: operand.name(),
      description: operand.description,
      isRequired: operand.required,
      isMany: operand.variadic,
    })),
    flags: command
      .createHelp()
      .visibleOptions(command)
      .map(option => ({
        flags: option.flags,
        long: option.long.slice(2),
        short: option.short?.slice(1),
        value: /<(.+?)(?:\.\.\.)?>/.exec(option.flags)?.[1],
        description: option.description,
        byDefault: option.defaultValue,
        variable: option.envVar,
        isRequired: isRequired(option),
      })),
    example: exampleOf(command),
    commands: command.commands.map(describe),
  }
}

/** The parser gives what stands behind the help only with all of it. */
function exampleOf(command) {
  let text = ''
  command.configureOutput({
    writeOut: part => {
      text += part
    },
  })
  command.outputHelp()
  return /\nExample:\n((?: {2}.*\n?)+)$/.exec(text)?.[1].replaceAll(/^ {2}/gm, '').trim()
}
