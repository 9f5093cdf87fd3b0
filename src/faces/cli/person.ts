import type { Command } from 'commander'
import { email } from '#base/fields.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import { erasePerson, findPerson, type PersonFound } from '#product/data-care/erasure/erase.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, required } from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import { printJson, type Terminal } from './terminal.ts'

interface EraseFlags extends CommonFlags {
  email: string
  account?: string
  yes?: boolean
}

export function addPerson(program: Command, terminal: Terminal): void {
  program
    .command('person')
    .description('people whose data the database has')
    .command('erase')
    .description('make a person anonymous everywhere; without --yes only say what that would be')
    .addOption(required('--email <address>', 'the e-mail of the person'))
    .addOption(accountFlag('the account'))
    .addOption(flag('--yes', 'do it: nothing brings the person back'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout person erase --email grace@example.org')
    .action(async (flags: EraseFlags) => {
      const address = readFlag('--email', email, flags.email)
      const account = readAccountName(flags.account)
      await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
        const found = await findPerson(db, accountId, address)
        if (!flags.json) terminal.out(tell(address, found))
        if (!flags.yes) {
          if (flags.json) return printJson(terminal, { erased: false, ...found })
          return terminal.out('Nothing was erased. Add --yes to do it.\n')
        }
        const erased = await erasePerson(db, commandOn(accountId), address)
        if (flags.json) return printJson(terminal, { erased: true, ...erased })
        const { webhook_events, kept_answers, import_lines, jobs, emails, orders } = erased
        const { drafts_of_others, conflicts_of_reviewers, chaired_sessions } = erased
        terminal.out(
          `Erased, and with it what ${webhook_events} webhook events, ${kept_answers} kept answers, ` +
            `${import_lines} lines of imports, ${jobs} jobs, ${emails} mails, ${orders} orders, ${drafts_of_others} drafts of others, ` +
            `${conflicts_of_reviewers} conflicts of reviewers and ${chaired_sessions} sessions had of it. Backups still have it until they are deleted.\n`,
        )
      })
    })
}

function tell(address: string, found: PersonFound): string {
  return `${address} would become anonymous in:
  ${found.registrations} registrations as buyer, with their answers and notes
  ${found.tickets} tickets
  ${found.waitlist_entries} waiting entries
  ${found.abstracts} abstracts
  ${found.submitters} events with abstracts of the person's own: ${found.drafts} drafts and ${found.files} files go
  ${found.reviewers} events as reviewer
and in what is kept of these in webhooks, answers and imports. Money, counts, states, seats and codes stay, as do
${found.tickets_of_others} tickets of others in the same registrations.
`
}
