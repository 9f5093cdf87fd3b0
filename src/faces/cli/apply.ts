import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { Refusal } from '#base/refusal.ts'
import type { Clock } from '#base/time.ts'
import { engineOf } from '#machinery/db/open.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { HashedFolder } from '#machinery/files/hashed-folder.ts'
import { applyFile, previewOrganization } from '#product/data-care/organization/apply.ts'
import { applyInBatches } from '#product/data-care/organization/batches.ts'
import {
  countImported,
  describeDuration,
  estimateDuration,
} from '#product/data-care/organization/estimate.ts'
import { examineOrganization } from '#product/data-care/organization/examine.ts'
import { bringFiles, countFiles, refuseFiles } from '#product/data-care/organization/files.ts'
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
  files?: string
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
    .addOption(flag('--files <dir>', 'the folder with the files of abstracts that the file names'))
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
      const folder = flags.files === undefined ? undefined : new HashedFolder(flags.files)
      if (folder !== undefined) refuseFiles(file, folder)
      else tellOfFiles(terminal, countFiles(file))
      const report = await (flags.dryRun
        ? preview(flags, file, clock, folder)
        : apply(terminal, flags, file, folder))
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

function tellOfFiles(terminal: Terminal, count: number): void {
  if (count === 0) return
  const [files, them] = count === 1 ? ['1 file', 'it'] : [`${count.toLocaleString('en')} files`, 'them']
  terminal.err(
    `The file names ${files} of abstracts. Run it again with --files DIR to bring ${them} from there.\n`,
  )
}

async function apply(
  terminal: Terminal,
  flags: ApplyFlags,
  file: Organization,
  folder: HashedFolder | undefined,
): Promise<Report> {
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
  return withDatabase(flags, clock, async db => {
    const report = await run(db, file, { clock, beforeWrite, updateHistory })
    if (folder !== undefined) await bringFiles(db, file, report, { folder, dry: false })
    return report
  })
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

async function preview(
  flags: ApplyFlags,
  file: Organization,
  clock: Clock,
  folder: HashedFolder | undefined,
): Promise<Report<string | null>> {
  const { updateHistory } = flags
  const look = async (db: Database | undefined) => {
    const report = await previewOrganization(db, file, clock, { updateHistory })
    if (folder !== undefined) await bringFiles(db, file, report, { folder, dry: true })
    return report
  }
  return (await engineOf(flags).exists()) ? withDatabase(flags, clock, look) : look(undefined)
}

function describe(report: Report<string | null>, dry: boolean): string {
  const { changes, differences, created, updated, kept, account_id: accountId } = report
  const lines = [...changes, ...differences].map(line => `${line}\n`)
  const account = accountId === null ? '' : ` in account ${accountId}`
  const nothing = dry ? ' Nothing was written.' : ''
  return `${lines.join('')}${created} created, ${updated} updated, ${kept} kept${account}.${nothing}\n`
}
