import type { Command } from 'commander'
import { email, oneOf } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { type Database, INSTANCE, type InstanceReadTx } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { COMMAND_LINE, commandOn } from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as links from '#product/administration/users/links.ts'
import { recordOfUser } from '#product/administration/users/record.ts'
import { roles } from '#product/administration/users/roles.ts'
import * as users from '#product/administration/users/rules.ts'
import type { Part, User } from '#product/administration/users/schemas.ts'
import { baseUrlFlag, readBaseUrl } from './base-url.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, required } from './flags.ts'
import { accountFlag, findAccount, findEvent, readAccountName, readEventName } from './names.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

interface AccountFlags extends CommonFlags {
  account?: string
}

interface LinkFlags extends AccountFlags {
  baseUrl?: string
}

interface InviteFlags extends LinkFlags {
  email?: string
  role?: string
  event?: string[]
}

interface EmailFlags extends LinkFlags {
  email: string
}

export function addUser(program: Command, terminal: Terminal): void {
  const user = program.command('user').description('the people who sign in to the dashboard')
  addInvite(user, terminal)
  addList(user, terminal)
  addRemove(user, terminal)
  addReset(user, terminal)
}

function addInvite(user: Command, terminal: Terminal): void {
  const command = user
    .command('invite')
    .description('print a link that makes somebody a member; where there is no account, one that makes it')
    .addOption(flag('--email <address>', 'the e-mail of the person, who signs in with it'))
    .addOption(flag('--role <role>', `what the person may do: ${roles.join(', ')}`))
    .addOption(
      flag(
        '--event <events...>',
        'the slugs or ids of the events that the person is limited to; default all',
      ),
    )
    .addOption(accountFlag('the account'))
    .addOption(baseUrlFlag())
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout user invite --email grace@example.org --role manager')
  command.action(async (flags: InviteFlags) => {
    const base = readBaseUrl(flags)
    const account = readAccountName(flags.account)
    const address = flags.email === undefined ? undefined : readFlag('--email', email, flags.email)
    const role = flags.role === undefined ? undefined : readFlag('--role', oneOf(roles), flags.role)
    const eventNames = flags.event?.map(readEventName)
    await withExistingDatabase(flags, terminal.clock, async db => {
      if ((await db.read(INSTANCE, accounts.list)).length === 0) return inviteFirst(db, terminal, flags, base)
      if (address === undefined) return missing(command, '--email <address>')
      if (role === undefined) return missing(command, '--role <role>')
      const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
      const part: Part = { role, event_ids: await findEvents(db, eventNames, accountId) }
      const { token, invitation } = await recordedWrite(
        db,
        commandOn(accountId),
        tx => links.invite(tx, { email: address, ...part }),
        {
          action: 'invitation.create',
          targetType: 'invitation',
          targetOf: made => made.invitation.id,
          details: () => ({ ...part }),
        },
      )
      const url = links.linkUrl(base, 'invitation', token)
      if (flags.json) return printJson(terminal, { ...invitation, url })
      printLink(terminal, `Invited ${invitation.email} as ${role}.`, '7 days', url)
    })
  })
}

/** Prints a link that makes the account and its owner. There is no account yet to be a member of. */
async function inviteFirst(db: Database, terminal: Terminal, flags: InviteFlags, base: string) {
  const { token, expires_at } = await db.write(INSTANCE, links.makeSetup)
  const url = links.linkUrl(base, 'setup', token)
  if (flags.json) return printJson(terminal, { url, expires_at })
  printLink(terminal, 'There is no account yet: this link makes one, and its owner.', 'an hour', url)
}

/** Reports wrong usage in the parser's words for a required flag. */
function missing(command: Command, flags: string): never {
  return command.error(`error: required option '${flags}' not specified`)
}

async function findEvents(
  db: Database,
  names: string[] | undefined,
  accountId: string,
): Promise<string[] | null> {
  if (names === undefined) return null
  return db.read(INSTANCE, async tx => {
    const ids: string[] = []
    for (const name of names) ids.push((await findEvent(tx, name, accountId)).id)
    return ids
  })
}

function addList(user: Command, terminal: Terminal): void {
  user
    .command('list')
    .description('list the members of an account, oldest first')
    .addOption(accountFlag('the account'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout user list')
    .action(async (flags: AccountFlags) => {
      const account = readAccountName(flags.account)
      const data = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => users.list(tx.of(await findAccount(tx, account)))),
      )
      if (flags.json) return printJson(terminal, { data })
      printTable(
        terminal,
        ['EMAIL', 'NAME', 'ROLE', 'EVENTS', 'SINCE'],
        data.map(row => [
          row.user.email,
          row.user.name,
          row.role,
          row.event_ids?.length ?? 'all',
          row.created_at,
        ]),
      )
    })
}

function addRemove(user: Command, terminal: Terminal): void {
  user
    .command('remove')
    .description('remove somebody from an account, at once')
    .addOption(required('--email <address>', 'the e-mail of the member'))
    .addOption(accountFlag('the account'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout user remove --email grace@example.org')
    .action(async (flags: EmailFlags) => {
      const address = readFlag('--email', email, flags.email)
      const account = readAccountName(flags.account)
      const removed = await withExistingDatabase(flags, terminal.clock, async db => {
        const { accountId, memberId } = await db.read(INSTANCE, async tx => {
          const accountId = await findAccount(tx, account)
          const { id } = await findUser(tx, address)
          const memberId = (await users.findMembership(tx.of(accountId), id))?.id
          return { accountId, memberId: memberId ?? refuseStranger(address) }
        })
        return recordedWrite(db, commandOn(accountId), tx => users.removeMember(tx, memberId), {
          action: 'member.remove',
          targetType: 'member',
          targetId: memberId,
        })
      })
      if (flags.json) return printJson(terminal, removed)
      terminal.out(`Removed ${removed.user.email}.\n`)
    })
}

function addReset(user: Command, terminal: Terminal): void {
  user
    .command('reset')
    .description('print a link by which somebody chooses a new password')
    .addOption(required('--email <address>', 'the e-mail that the person signs in with'))
    .addOption(baseUrlFlag())
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout user reset --email grace@example.org')
    .action(async (flags: EmailFlags) => {
      const address = readFlag('--email', email, flags.email)
      const base = readBaseUrl(flags)
      const { user, token, expires_at } = await withExistingDatabase(flags, terminal.clock, db =>
        db.write(INSTANCE, async tx => {
          const user = await findUser(tx, address)
          await recordOfUser(tx, user.id, COMMAND_LINE, 'user.reset_link')
          return { user, ...(await links.makeReset(tx, user.id)) }
        }),
      )
      const url = links.linkUrl(base, 'reset', token)
      if (flags.json) return printJson(terminal, { user_id: user.id, url, expires_at })
      printLink(terminal, `By this link ${user.email} chooses a new password.`, 'an hour', url)
    })
}

/** @throws Problem not_found */
async function findUser(tx: InstanceReadTx, address: string): Promise<User> {
  return (await users.findUserByEmail(tx, address)) ?? refuseStranger(address)
}

function refuseStranger(address: string): never {
  throw new Problem('not_found', { message: `There is nobody with the e-mail ${address}.` })
}

function printLink(terminal: Terminal, sentence: string, lifetime: string, url: string): void {
  terminal.out(`${sentence} It works once, within ${lifetime}, and is shown only now:\n${url}\n`)
}
