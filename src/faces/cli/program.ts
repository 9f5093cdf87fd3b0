import { Command, CommanderError } from 'commander'
import { addAccount } from './account.ts'
import { addApply } from './apply.ts'
import { addBackup } from './backup.ts'
import { addCheck } from './check.ts'
import { addCopy } from './copy.ts'
import { addDelivery } from './delivery.ts'
import { addDevice } from './device.ts'
import { addEvent } from './event.ts'
import { addExport } from './export.ts'
import { explainFailure, explainOthers } from './failure.ts'
import { databaseUrlFlag, readEnvironment, refuseMissingFlags } from './flags.ts'
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

/** Runs one command line. @returns its exit code */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await buildProgram(terminal).parseAsync(argv, { from: 'user' })
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

/** Builds the whole command line, with every command and flag. */
export function buildProgram(terminal: Terminal): Command {
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
  addServe(program, terminal)
  addSandbox(program, terminal)
  addApply(program, terminal)
  addExport(program, terminal)
  addAccount(program, terminal)
  addUser(program, terminal)
  addEvent(program, terminal)
  addKey(program, terminal)
  addWebhook(program, terminal)
  addDelivery(program, terminal)
  addDevice(program, terminal)
  addScan(program, terminal)
  addOrder(program, terminal)
  addMail(program, terminal)
  addPayments(program, terminal)
  addStatement(program, terminal)
  addPerson(program, terminal)
  addBackup(program, terminal)
  addRestore(program, terminal)
  addCopy(program, terminal)
  addCheck(program, terminal)
  addRepair(program, terminal)
  addLog(program, terminal)
  addWaitlist(program, terminal)
  addOpenapi(program, terminal)
  addHelp(program)
  addVersion(program, terminal)
  for (const command of program.commands.flatMap(group => [group, ...group.commands])) {
    if (command.options.some(({ long }) => long === '--data')) command.addOption(databaseUrlFlag())
  }
  for (const group of program.commands) if (group.commands.length > 0) requireSubcommand(group)
  return program
}
