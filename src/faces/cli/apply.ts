import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { Refusal } from '#base/refusal.ts'
import type { Clock } from '#base/time.ts'
import { engineOf } from '#machinery/db/open.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { applyFile, previewOrganization } from '#product/data-care/organization/apply.ts'
import { applyInBatches } from '#product/data-care/organization/batches.ts'
import {
  countImported,
  describeDuration,
  estimateDuration,
} from '#product/data-care/organization/estimate.ts'
import { examineOrganization } from '#product/data-care/organization/examine.ts'
import type { Plan } from '#product/data-care/organization/plan.ts'
import { parseOrganization } from '#product/data-care/organization/read.ts'
import type { Report } from '#product/data-care/organization/report.ts'
import type { Organization } from '#product/data-care/organization/schema.ts'
import { servedBy, withDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, insecureWebhooksFlag, jsonFlag } from './flags.ts'
import { printJson, type Terminal } from './terminal.ts'

/** One write may bring this many registrations without a message to the operator, and beside a running server. */
const MANY = 20_000

interface ApplyFlags extends CommonFlags {
  inBatches?: boolean
  newAccount?: boolean
  updateHistory?: boolean
  dryRun?: boolean
  allowInsecureWebhooks?: boolean
}

export function addApply(program: Command, terminal: Terminal): void {
  program
    .command('apply')
    .description('make the database match an organization file; running it again changes nothing')
    .argument('<file>', 'the organization file')
    .addOption(flag('--dry-run', 'say what would change, and write nothing'))
    .addOption(
      flag(
        '--in-batches',
        'write in parts, each whole, while a server goes on; run it again to go on after a stop',
      ),
    )
    .addOption(
      flag('--update-history', 'complete fees and refunds of registrations that a file has brought before'),
    )
    .addOption(flag('--new-account', 'make a second organizer of events that another account has too'))
    .addOption(insecureWebhooksFlag())
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout apply organization.json --dry-run')
    .action(async (path: string, flags: ApplyFlags) => {
      const { clock } = terminal
      const file = await examineOrganization(parseOrganization(readInput(path)), {
        ...flags,
        clock,
        read: async work =>
          (await engineOf(flags).exists())
            ? withDatabase(flags, clock, db => db.read(INSTANCE, work))
            : work(undefined),
      })
      const report = await (flags.dryRun
        ? preview(flags, file, terminal.clock)
        : apply(terminal, flags, file))
      if (flags.json) printJson(terminal, report)
      else terminal.out(describe(report, flags.dryRun ?? false))
    })
}

function readInput(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    // The error of reading a folder does not name the folder.
    throw Object.assign(error as NodeJS.ErrnoException, { path })
  }
}

async function apply(terminal: Terminal, flags: ApplyFlags, file: Organization): Promise<Report> {
  const { clock } = terminal
  const { inBatches = false, updateHistory } = flags
  const engine = engineOf(flags)
  const exists = await engine.exists()
  const isServed = exists && (await engine.isServed())
  // A preview first refuses a bad file, so that such a file leaves no empty database behind.
  if (!exists) await previewOrganization(undefined, file, clock)
  const beforeWrite = (plan: Plan) => {
    const count = countImported(plan)
    if (count <= MANY) return
    if (!inBatches && isServed) refuseBesideServer(servedBy(flags).name, count)
    const duration = describeDuration(estimateDuration(plan))
    terminal.err(`Importing ${named(count)} takes about ${duration}, and longer on a slow disk.\n`)
  }
  const run = inBatches ? applyInBatches : applyFile
  return withDatabase(flags, clock, db => run(db, file, { clock, beforeWrite, updateHistory }))
}

/** @throws Refusal */
function refuseBesideServer(place: string, count: number): never {
  throw new Refusal(
    `A server runs on ${place}, and its writes would wait while ${named(count)} are imported. Stop it first, or add --in-batches.`,
  )
}

function named(count: number): string {
  return `${count.toLocaleString('en')} registrations`
}

async function preview(flags: ApplyFlags, file: Organization, clock: Clock): Promise<Report<string | null>> {
  if (!(await engineOf(flags).exists())) return previewOrganization(undefined, file, clock)
  const { updateHistory } = flags
  return withDatabase(flags, clock, db => previewOrganization(db, file, clock, { updateHistory }))
}

function describe(report: Report<string | null>, dry: boolean): string {
  const { changes, differences, created, updated, kept, account_id: accountId } = report
  const lines = [...changes, ...differences].map(line => `${line}\n`)
  const account = accountId === null ? '' : ` in account ${accountId}`
  const nothing = dry ? ' Nothing was written.' : ''
  return `${lines.join('')}${created} created, ${updated} updated, ${kept} kept${account}.${nothing}\n`
}
