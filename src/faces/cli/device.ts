import type { Command } from 'commander'
import { renderUnicodeCompact } from 'uqr'
import { oneOf, uuid } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { INSTANCE, type InstanceReadTx, type ReadTx, type WriteTx } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { changeDoor, changeEntry } from '#product/entrance/doors/change-door.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { deviceName, ways } from '#product/entrance/doors/schemas.ts'
import { baseUrlFlag, readBaseUrl } from './base-url.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, required } from './flags.ts'
import { accountFlag, findAccount, findEvent, readAccountName, readEventName } from './names.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

const EXAMPLE_ID = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'

interface EventFlags extends CommonFlags {
  event: string
  account?: string
}

interface TypeFlags {
  types?: string
  type?: string[]
}

interface AddFlags extends EventFlags, TypeFlags {
  name: string
  search?: boolean
  unlisted?: boolean
  way?: string
  baseUrl?: string
}

export function addDevice(program: Command, terminal: Terminal): void {
  const device = program.command('device').description('the doors of an event: phones that scan tickets')
  addAdd(device, terminal)
  addList(device, terminal)
  addPair(device, terminal)
  addChange(device, terminal)
  addRevoke(device, terminal)
}

function addAdd(device: Command, terminal: Terminal): void {
  device
    .command('add')
    .description('make a door, and print what a phone is paired with it by')
    .addOption(required('--event <event>', 'the event: its slug or id'))
    .addOption(required('--name <name>', 'what the door is called'))
    .addOption(typesFlag())
    .addOption(typeFlag())
    .addOption(flag('--way <way>', 'in: it lets guests in; out: it notes that they have left').default('in'))
    .addOption(flag('--search', 'it has the names of guests, and finds people by them'))
    .addOption(
      flag('--unlisted', 'without a network it admits good tickets too that were sold after its list'),
    )
    .addOption(accountFlag('the account that has the event'))
    .addOption(baseUrlFlag())
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout device add --event spring-meeting --name "Main door" --search',
    )
    .action(async (flags: AddFlags) => {
      const base = readBaseUrl(flags)
      const eventName = readEventName(flags.event)
      const account = readAccountName(flags.account)
      const name = readFlag('--name', deviceName, flags.name)
      const way = readFlag('--way', oneOf(ways), flags.way ?? 'in')
      const { search = false, unlisted = false } = flags
      const made = await withExistingDatabase(flags, terminal.clock, async db => {
        const { event, types } = await db.read(INSTANCE, async tx => {
          const event = await findEvent(tx, eventName, account)
          return { event, types: await findTypes(tx.of(event.accountId), event.id, flags) }
        })
        const input = { event_id: event.id, name, registration_type_ids: types, search, unlisted, way }
        return recordedWrite(db, commandOn(event.accountId), tx => doors.add(tx, input, base), doors.addEntry)
      })
      tellPairing(terminal, made, flags)
    })
}

const typesFlag = () =>
  flag('--types <types>', 'the ticket types that it admits, by name or id, with commas; default all')
const typeFlag = () =>
  flag(
    '--type <type...>',
    'one of them, as often as needed: for a name of which a part is another',
  ).conflicts('types')

/** @returns null if the door takes all ticket types @throws Problem invalid_parameter */
async function findTypes(tx: ReadTx, eventId: string, flags: TypeFlags): Promise<string[] | null> {
  if (flags.types === undefined && flags.type === undefined) return null
  const types = await registrationTypes.listByEvent(tx, eventId)
  const find = (name: string) =>
    (types.find(type => type.id === name) ?? types.find(type => type.name === name))?.id
  const refuse = (option: string, name: string): never => {
    const message = `${option}: the event has no ticket type ${name}. It has: ${types.map(type => type.name).join(', ')}.`
    throw new Problem('invalid_parameter', { message })
  }
  if (flags.types !== undefined) return splitTypes(flags.types, find, name => refuse('--types', name))
  return (flags.type ?? []).map(text => find(text.trim()) ?? refuse('--type', text.trim()))
}

/** Splits a list at its commas. A name may have commas itself, so the longest name that there is counts. */
function splitTypes(
  text: string,
  find: (name: string) => string | undefined,
  refuse: (name: string) => never,
): string[] {
  const parts = text.split(',')
  const found: string[] = []
  for (let at = 0; at < parts.length; ) {
    let end = parts.length
    const nameTo = (to: number) => parts.slice(at, to).join(',').trim()
    while (end > at + 1 && find(nameTo(end)) === undefined) end--
    found.push(find(nameTo(end)) ?? refuse(nameTo(end)))
    at = end
  }
  return found
}

function tellPairing(
  terminal: Terminal,
  pairing: doors.Pairing,
  { json, baseUrl }: CommonFlags & { baseUrl?: string },
): void {
  const { id, name, pairing_url, expires_at } = pairing
  if (json) {
    printJson(terminal, pairing)
    return
  }
  terminal.out(`Open this address with the phone for "${name}", or read the code with its camera.\n`)
  terminal.out(`It pairs one phone until ${expires_at}; "turnout device pair ${id}" makes another.\n\n`)
  terminal.out(`${pairing_url}\n\n${renderUnicodeCompact(pairing_url)}\n`)
  if (baseUrl === undefined) {
    terminal.out(
      '\nThis is an address of this machine alone: give the one that phones open with --base-url.\n',
    )
  }
}

function addList(device: Command, terminal: Terminal): void {
  device
    .command('list')
    .description('list the doors of an event, or of all of an account, oldest first')
    .addOption(flag('--event <event>', 'the event: its slug or id; default all'))
    .addOption(accountFlag('the account that has them'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout device list --event spring-meeting')
    .action(async (flags: Partial<EventFlags> & CommonFlags) => {
      const eventName = flags.event === undefined ? undefined : readEventName(flags.event)
      const account = readAccountName(flags.account)
      const data = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => {
          if (eventName === undefined) return doors.listAll(tx.of(await findAccount(tx, account)))
          const event = await findEvent(tx, eventName, account)
          return doors.list(tx.of(event.accountId), event.id)
        }),
      )
      if (flags.json) return printJson(terminal, { data })
      printTable(
        terminal,
        ['ID', 'NAME', 'WAY', 'TYPES', 'SEARCH', 'UNLISTED', 'PAIRED', 'LAST SEEN', 'WAITING', 'REVOKED'],
        data.map(row => [
          ...[row.id, row.name, row.way, row.registration_type_ids?.length ?? 'all'],
          ...[row.search ? 'yes' : 'no', row.unlisted ? 'yes' : 'no'],
          ...[row.paired_at, row.last_seen_at, row.waiting, row.revoked_at],
        ]),
      )
    })
}

function addPair(device: Command, terminal: Terminal): void {
  device
    .command('pair')
    .description('print a new code for a door: the phone that uses it takes the place of the one before')
    .argument('<id>', 'the id of the door, as device list shows it')
    .addOption(baseUrlFlag())
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout device pair ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: CommonFlags & { baseUrl?: string }) => {
      const base = readBaseUrl(flags)
      const id = readFlag('The id', uuid, argument)
      const made = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findOwner(tx, id))
        const work = doors.renewEntry(id)
        return recordedWrite(db, commandOn(accountId), tx => doors.renewPairing(tx, id, base), work)
      })
      tellPairing(terminal, made, flags)
    })
}

interface ChangeFlags extends CommonFlags, TypeFlags {
  name?: string
  allTypes?: boolean
}

function addChange(device: Command, terminal: Terminal): void {
  device
    .command('change')
    .description('rename a door, or let it admit other ticket types; its phone learns it with its next look')
    .argument('<id>', 'the id of the door, as device list shows it')
    .addOption(flag('--name <name>', 'what it is called from now on'))
    .addOption(typesFlag())
    .addOption(typeFlag())
    .addOption(flag('--all-types', 'it admits all ticket types').conflicts(['types', 'type']))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout device change ${EXAMPLE_ID} --name "South door"`)
    .action(async (argument: string, flags: ChangeFlags, command: Command) => {
      const id = readFlag('The id', uuid, argument)
      const name = flags.name === undefined ? undefined : readFlag('--name', deviceName, flags.name)
      const hasTypes = flags.types !== undefined || flags.type !== undefined || flags.allTypes === true
      if (name === undefined && !hasTypes)
        command.error('error: say what changes with --name, --types, --type or --all-types')
      const changed = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findOwner(tx, id))
        const input = await db.read(accountId, async tx => {
          const before = await doors.get(tx, id)
          const types = hasTypes ? await findTypes(tx, before.event_id, flags) : before.registration_type_ids
          return { name: name ?? before.name, registration_type_ids: types }
        })
        const work = (tx: WriteTx) => changeDoor(tx, id, input)
        return (await recordedWrite(db, commandOn(accountId), work, changeEntry(id))).device
      })
      if (flags.json) return printJson(terminal, changed)
      const admits = changed.registration_type_ids?.length ?? 'all'
      terminal.out(`Door ${changed.id} is "${changed.name}", and admits ${admits} ticket types.\n`)
    })
}

function addRevoke(device: Command, terminal: Terminal): void {
  device
    .command('revoke')
    .description('end a door: its phone forgets the list, and what it still sends waits for a decision')
    .argument('<id>', 'the id of the door, as device list shows it')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout device revoke ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: CommonFlags) => {
      const id = readFlag('The id', uuid, argument)
      const { revoked, before } = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findOwner(tx, id))
        const before = await db.read(accountId, tx => doors.get(tx, id))
        const entry = { ...doors.revokeEntry(id), hasChanged: () => before.revoked_at === null }
        const work = recordedWrite(db, commandOn(accountId), tx => doors.revoke(tx, id), entry)
        return { before, revoked: await work }
      })
      if (flags.json) return printJson(terminal, revoked)
      const when = before.revoked_at === null ? '' : ` It was already revoked at ${before.revoked_at}.`
      terminal.out(`Revoked door ${revoked.id} (${revoked.name}).${when}\n`)
    })
}

/** @throws Problem not_found */
async function findOwner(tx: InstanceReadTx, id: string): Promise<string> {
  const accountId = await doors.findOwner(tx, id)
  if (accountId === undefined) throw new Problem('not_found', { subject: id })
  return accountId
}
