import { Command, CommanderError } from 'commander'
import { addAccount } from './account.ts'
import { addApply } from './apply.ts'
import { addBackup } from './backup.ts'
import { addCheck } from './check.ts'
import { addCopy } from './copy.ts'
import { addDelivery } from './delivery.ts'
import { addDevice } from './device.ts'
import { addDoctor } from './doctor.ts'
import { addEvent } from './event.ts'
import { addExport } from './export.ts'
import { explainFailure, explainOthers } from './failure.ts'
import { databaseUrlFlag, readEnvironment, refuseMissingFlags } from './flags.ts'
import { addHealthy } from './healthy.ts'
import { addHelp } from './help.ts'
import { addKey } from './key.ts'
import { addLog } from './log.ts'
import { addMail } from './mail.ts'
import { addOpenapi } from './openapi.ts'
import { addOrder } from './order.ts'
import { addPayments } from './payments.ts'
import { addPerson } from './person.ts'
import { addRepair } from './repair.ts'
import { addRestore } from './restore.ts'
import { addSandbox } from './sandbox.ts'
import { addScan } from './scan.ts'
import { addServe } from './serve.ts'
import { addStatement } from './statement.ts'
import type { Terminal } from './terminal.ts'
import { refuseUnknownCommand, requireSubcommand } from './unknown-command.ts'
import { addUser } from './user.ts'
import { addVersion, describeVersion } from './version.ts'
import { addWaitlist } from './waitlist.ts'
import { addWebhook } from './webhook.ts'

const SUCCESS = 0
/** The work failed, or a rule refused a value. */
const FAILED = 1
/** The command line has an unknown command or flag, or lacks an argument. */
const WRONG_USAGE = 2

/** What each command is made by, in the order of the help. */
const commands: Readonly<Record<string, (program: Command, terminal: Terminal) => void>> = {
  serve: addServe,
  sandbox: addSandbox,
  apply: addApply,
  export: addExport,
  account: addAccount,
  user: addUser,
  event: addEvent,
  key: addKey,
  webhook: addWebhook,
  delivery: addDelivery,
  device: addDevice,
  scan: addScan,
  order: addOrder,
  mail: addMail,
  payments: addPayments,
  statement: addStatement,
  person: addPerson,
  backup: addBackup,
  restore: addRestore,
  copy: addCopy,
  check: addCheck,
  doctor: addDoctor,
  repair: addRepair,
  log: addLog,
  waitlist: addWaitlist,
  healthy: addHealthy,
  openapi: addOpenapi,
  help: addHelp,
  version: addVersion,
}

/** Runs one command line. @returns its exit code */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await buildProgram(terminal, argv[0]).parseAsync(argv, { from: 'user' })
    return SUCCESS
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? SUCCESS : WRONG_USAGE
    fail(error, terminal)
    return FAILED
  }
}

/** Reports the error in one line, or each fault of a file in a line of its own. TURNOUT_DEBUG adds the stack. */
function fail(error: unknown, terminal: Terminal): void {
  for (const line of [explainFailure(error), ...explainOthers(error)]) terminal.err(`error: ${line}\n`)
  if (process.env.TURNOUT_DEBUG && error instanceof Error) terminal.err(`${error.stack}\n`)
}

/**
 * Builds the command line, with every command and flag.
 *
 * @param first the first word of what was typed. If it is the name of a command, others are left out: they took 15 ms of each start
 */
export function buildProgram(terminal: Terminal, first?: string): Command {
  const program = new Command('turnout')
    .description('The REST service that event organizers run themselves.')
    .version(describeVersion(), '-v, --version', "print the version, with Node's and SQLite's")
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      // The parser puts a suggestion into a second line.
      outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, ' ')}\n`),
    })
    .hook('preAction', (_, command) => {
      readEnvironment(command)
      refuseMissingFlags(command)
    })
    .on('command:*', ([name]) => refuseUnknownCommand(program, name))
    .addHelpText('after', '\nExample:\n  $ turnout sandbox')
  const isOne = first !== undefined && first !== 'help' && Object.hasOwn(commands, first)
  for (const [name, add] of Object.entries(commands)) if (!isOne || name === first) add(program, terminal)
  for (const command of program.commands.flatMap(group => [group, ...group.commands])) {
    if (command.options.some(({ long }) => long === '--data')) command.addOption(databaseUrlFlag())
  }
  for (const group of program.commands) if (group.commands.length > 0) requireSubcommand(group)
  return program
}
