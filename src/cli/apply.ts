import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { hasDatabase } from '../db/data-folder.ts'
import { bringOrganization, previewOrganization } from '../organization/apply.ts'
import { readOrganization } from '../organization/read.ts'
import type { Report } from '../organization/report.ts'
import type { Organization } from '../organization/schema.ts'
import { refuseUnsafeWebhooks } from '../organization/webhook-addresses.ts'
import type { Clock } from '../time.ts'
import { withDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, insecureWebhooksFlag, jsonFlag } from './flags.ts'
import { printJson, type Terminal } from './terminal.ts'

interface ApplyFlags extends CommonFlags {
  dryRun?: boolean
  allowInsecureWebhooks?: boolean
}

export function addApply(program: Command, terminal: Terminal): void {
  program
    .command('apply')
    .description('bring the database to an organization file; run again, it changes nothing')
    .argument('<file>', 'the organization file')
    .addOption(flag('--dry-run', 'say what would change, and write nothing'))
    .addOption(insecureWebhooksFlag())
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout apply organization.json --dry-run')
    .action(async (path: string, flags: ApplyFlags) => {
      const file = readOrganization(readInput(path))
      await refuseUnsafeWebhooks(file, flags.allowInsecureWebhooks ?? false)
      const report = await (flags.dryRun ? preview : apply)(flags.data, file, terminal.clock)
      if (flags.json) printJson(terminal, report)
      else terminal.out(describe(report, flags.dryRun ?? false))
    })
}

function readInput(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    // Reading a folder fails without saying which.
    throw Object.assign(error as NodeJS.ErrnoException, { path })
  }
}

async function apply(folder: string, file: Organization, clock: Clock): Promise<Report> {
  // A file that is refused leaves no empty database behind.
  if (!hasDatabase(folder)) await previewOrganization(undefined, file, clock)
  return withDatabase(folder, clock, db => bringOrganization(db, file, clock))
}

function preview(folder: string, file: Organization, clock: Clock): Promise<Report<string | null>> {
  if (!hasDatabase(folder)) return previewOrganization(undefined, file, clock)
  return withDatabase(folder, clock, db => previewOrganization(db, file, clock))
}

function describe(report: Report<string | null>, dry: boolean): string {
  const { changes, created, updated, kept, account_id: accountId } = report
  const lines = changes.map(change => `${change}\n`)
  const account = accountId === null ? '' : ` in account ${accountId}`
  const nothing = dry ? ' Nothing was written.' : ''
  return `${lines.join('')}${created} created, ${updated} updated, ${kept} kept${account}.${nothing}\n`
}
