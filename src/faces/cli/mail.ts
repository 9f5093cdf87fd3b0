import { hostname } from 'node:os'
import type { Command } from 'commander'
import { email, oneOf, uuid } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import { toIso } from '#base/time.ts'
import { newestFirst } from '#machinery/db/keyset.ts'
import { INSTANCE, type InstanceReadTx } from '#machinery/db/port.ts'
import { type DkimFlags, readSigner } from '#machinery/mail/dkim-file.ts'
import { hold, release } from '#machinery/mail/hold.ts'
import { composeLetter } from '#machinery/mail/letter.tsx'
import * as emails from '#machinery/mail/rules.ts'
import { type Email, emailStatuses } from '#machinery/mail/schemas.ts'
import { Smtp } from '#machinery/mail/smtp.ts'
import { readSmtpUrl } from '#machinery/mail/smtp-settings.ts'
import { testContent } from '#machinery/mail/test-mail.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, required, wholeNumber } from './flags.ts'
import { addDkim } from './mail-dkim.ts'
import { refusalOf } from './mail-trouble.ts'
import { findAccount, readAccountName } from './names.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

const MAX_LISTED = 10_000
/** The command counts this many mails exactly. */
const MAX_COUNTED = 10_000
const EXAMPLE_ID = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'

export function addMail(program: Command, terminal: Terminal): void {
  const mail = program.command('mail').description('mails to people, sent and waiting')
  addTest(mail, terminal)
  addDkim(mail, terminal)
  addList(mail, terminal)
  addShow(mail, terminal)
  addRetry(mail, terminal)
  addHold(mail, terminal)
  addResume(mail, terminal)
}

interface TestFlags extends DkimFlags {
  smtpUrl: string
  mailFrom: string
  json?: boolean
}

function addTest(mail: Command, terminal: Terminal): void {
  mail
    .command('test')
    .description('send a test mail at once, and print what the server said')
    .argument('<address>', 'who gets it')
    .addOption(required('--smtp-url <url>', 'the server that sends mail, as of "turnout serve"'))
    .addOption(required('--mail-from <address>', 'whom mail comes from, as of "turnout serve"'))
    .addOption(flag('--dkim-key <file>', 'the key that signs mails, as of "turnout serve"'))
    .addOption(flag('--dkim-selector <name>', 'its selector, as of "turnout serve"'))
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout mail test ada@example.org --smtp-url smtp://user:password@mail.example.org:587 --mail-from tickets@example.org',
    )
    .action(async (argument: string, flags: TestFlags) => {
      const to = readFlag('The address', email, argument)
      const options = readSmtpUrl(flags.smtpUrl)
      const smtp = new Smtp(options, readSigner(flags.mailFrom, flags))
      const letter = composeLetter(testContent(hostname()), textsIn('en').mails.test, 'en')
      const messageId = `<${newUuid()}@${smtp.domain}>`
      const outcome = await smtp.send({ ...letter, to, messageId, date: new Date(terminal.clock()) })
      await smtp.close()
      const { host: server, port } = options
      const from = smtp.sender
      if (outcome.state !== 'sent') throw refusalOf(outcome, { options, sender: from, to })
      const { answer } = outcome
      if (flags.json) return printJson(terminal, { server, port, from, to, message_id: messageId, answer })
      terminal.out(`${server} took a mail from ${from} to ${to}, and said: ${answer}\n`)
      terminal.out('Look whether it arrives, and whether it is among the spam.\n')
    })
}

interface ListFlags extends CommonFlags {
  account?: string
  status?: string
  to?: string
  limit: string
}

function addList(mail: Command, terminal: Terminal): void {
  mail
    .command('list')
    .description('list mails, newest first')
    .addOption(flag('--account <account>', 'those of one account: its e-mail or id; without it of all'))
    .addOption(flag('--status <status>', `those that are ${emailStatuses.join(', ')}`))
    .addOption(flag('--to <address>', 'those to one e-mail'))
    .addOption(flag('--limit <number>', 'at most so many').default('100'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout mail list --status failed')
    .action(async (flags: ListFlags) => {
      const account = readAccountName(flags.account)
      const filters: emails.EmailFilters = {
        status:
          flags.status === undefined ? undefined : readFlag('--status', oneOf(emailStatuses), flags.status),
        recipient: flags.to === undefined ? undefined : readFlag('--to', email, flags.to),
      }
      const limit = readFlag('--limit', wholeNumber(1, MAX_LISTED), flags.limit)
      const rows = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => {
          const all =
            account === undefined ? await accounts.list(tx) : [{ id: await findAccount(tx, account) }]
          return listOfEach(tx, all, filters, limit)
        }),
      )
      const data = rows.map(present)
      if (flags.json) return printJson(terminal, { data })
      printTable(
        terminal,
        ['ID', 'KIND', 'TO', 'STATUS', 'ATTEMPTS', 'CREATED', 'NEXT', 'ANSWER'],
        data.map(row => [
          row.id,
          row.kind,
          row.recipient,
          row.status,
          row.attempts,
          row.created_at,
          row.next_attempt_at,
          row.answer,
        ]),
      )
    })
}

/** Returns the newest mails of these accounts. It reads one account after another. */
async function listOfEach(
  tx: InstanceReadTx,
  among: readonly { id: string }[],
  filters: emails.EmailFilters,
  limit: number,
): Promise<Email[]> {
  let newest: Email[] = []
  for (const { id } of among) {
    newest.push(...(await emails.list(tx.of(id), filters, { limit })))
    newest = newest.sort(newestFirst).slice(0, limit)
  }
  return newest
}

function present(row: Email) {
  const { id, account_id, event_id, kind, recipient, language, status, attempts, answer, subject } = row
  const instant = (at: number | null) => (at === null ? null : toIso(at))
  const [next_attempt_at, sent_at] = [instant(row.next_attempt_at), instant(row.sent_at)] as const
  return {
    ...{ id, account_id, event_id, kind, recipient, language, status, attempts, next_attempt_at, sent_at },
    ...{ answer, subject, created_at: toIso(row.created_at) },
  }
}

function addShow(mail: Command, terminal: Terminal): void {
  mail
    .command('show')
    .description('show a mail: what became of it and, once it was sent, what it said')
    .argument('<id>', 'the mail')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout mail show ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: CommonFlags) => {
      const id = readFlag('The id', uuid, argument)
      const row = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => emails.get(tx.of(await emails.findOwner(tx, id)), id)),
      )
      const shown = { ...present(row), body: row.body }
      if (flags.json) return printJson(terminal, shown)
      terminal.out(`${shown.kind} to ${shown.recipient}: ${shown.status}\n${describeCourse(row)}\n`)
      if (shown.body !== null) terminal.out(`\n${shown.subject}\n\n${shown.body.replace(CONTROL, ' ')}`)
    })
}

/** The pattern spares line breaks. A terminal must not obey what people wrote. */
const CONTROL = /(?!\n)\p{Cc}/gu

function describeCourse({ created_at, next_attempt_at: next, sent_at, attempts, answer }: Email): string {
  const sentences = [`Made ${toIso(created_at)}, tried ${attempts === 1 ? 'once' : `${attempts} times`}.`]
  if (sent_at !== null) sentences.push(`Sent ${toIso(sent_at)}.`)
  if (next !== null) sentences.push(`The next attempt is at ${toIso(next)}.`)
  if (answer !== null) sentences.push(`Last: ${answer}`)
  return sentences.join(' ')
}

function addRetry(mail: Command, terminal: Terminal): void {
  mail
    .command('retry')
    .description('send a mail that failed or waits soon; a running server does so within a second')
    .argument('<id>', 'the mail')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout mail retry ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: CommonFlags) => {
      const id = readFlag('The id', uuid, argument)
      const retried = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => emails.findOwner(tx, id))
        return recordedWrite(db, commandOn(accountId), tx => emails.retry(tx, id), {
          action: 'email.retry',
          targetType: 'email',
          targetId: id,
        })
      })
      if (flags.json) return printJson(terminal, present(retried))
      terminal.out(`The mail to ${retried.recipient} will be sent soon.\n`)
    })
}

const HOLD_HELP = `While it is held, nothing is mailed: mails are kept, and go out afterwards. A server holds by itself a database that was
restored, copied or put back by hand: it may know of mails that the other has sent already, and both would send.`

function addHold(mail: Command, terminal: Terminal): void {
  mail
    .command('hold')
    .description(
      'mail nothing from this data until "turnout mail resume"; a running server stops within a second',
    )
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\n${HOLD_HELP}\n\nExample:\n  $ turnout mail hold`)
    .action(async (flags: CommonFlags) => {
      const since = await withExistingDatabase(flags, terminal.clock, db => db.write(INSTANCE, hold))
      if (flags.json) return printJson(terminal, { held_since: toIso(since) })
      terminal.out(`Held since ${toIso(since)}: nothing is mailed until "turnout mail resume".\n`)
    })
}

function addResume(mail: Command, terminal: Terminal): void {
  mail
    .command('resume')
    .description('say that no other server runs on this data or on a copy of it, and let mail go out again')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\n${HOLD_HELP}\n\nExample:\n  $ turnout mail resume`)
    .action(async (flags: CommonFlags) => {
      const { held, waiting } = await withExistingDatabase(flags, terminal.clock, async db => ({
        held: await db.write(INSTANCE, release),
        waiting: await db.read(INSTANCE, tx => emails.countWaiting(tx, MAX_COUNTED)),
      }))
      if (flags.json) {
        return printJson(terminal, { held_since: held === null ? null : toIso(held), waiting })
      }
      const counted = waiting === MAX_COUNTED ? `${waiting} or more` : String(waiting)
      const begun = held === null ? 'Nothing was held.' : `Held since ${toIso(held)}: mail goes out again.`
      terminal.out(`${begun} Mails that wait: ${counted}.\n`)
    })
}
