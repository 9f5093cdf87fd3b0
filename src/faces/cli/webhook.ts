import type { Command } from 'commander'
import * as v from 'valibot'
import { uuid } from '#base/fields.ts'
import { type Database, INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import { endpointTypes, endpointUrl } from '#product/administration/webhooks/endpoints.ts'
import { allWebhookEventTypes } from '#product/administration/webhooks/event-types.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { withExistingDatabase } from './database.ts'
import {
  type CommonFlags,
  dataFlag,
  flag,
  insecureWebhooksFlag,
  jsonFlag,
  readFlag,
  required,
  someOf,
} from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

const typeList = v.pipe(someOf(allWebhookEventTypes), endpointTypes)

const EXAMPLE_ID = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'

interface AddFlags extends CommonFlags {
  account?: string
  url: string
  types: string
  allowInsecureWebhooks?: boolean
}

export function addWebhook(program: Command, terminal: Terminal): void {
  const webhook = program.command('webhook').description('endpoints that webhooks are sent to')
  addAdd(webhook, terminal)
  addList(webhook, terminal)
  addUpdate(webhook, terminal)
  addToOne(webhook, terminal, 'remove', 'remove an endpoint, with all its deliveries', async (db, id) => {
    const accountId = await db.read(INSTANCE, tx => webhooks.findOwner(tx, id))
    const removed = await webhooks.removeEndpoint(db, accountId, id)
    const done = { result: removed, message: `Removed ${removed.url}.` }
    return recordedWrite(db, commandOn(accountId), async () => done, entryOn(id, 'webhook.remove'))
  })
  for (const enabled of [true, false]) {
    const name = enabled ? 'enable' : 'disable'
    const description = enabled
      ? 'send to an endpoint again'
      : 'stop sending to an endpoint; its deliveries wait'
    addToOne(webhook, terminal, name, description, (db, id) =>
      logged(db, id, `webhook.${name}`, async tx => {
        const endpoint = await webhooks.setEnabled(tx, id, enabled)
        return { result: endpoint, message: `${endpoint.url} is ${name}d.` }
      }),
    )
  }
  addToOne(webhook, terminal, 'ping', 'queue a ping: a running server sends it within a second', (db, id) =>
    logged(db, id, 'webhook.ping', async tx => {
      const deliveryId = await webhooks.ping(tx, id)
      return { result: { id, delivery_id: deliveryId }, message: `Queued the ping ${deliveryId}.` }
    }),
  )
  addToOne(webhook, terminal, 'secret', 'print the secret of an endpoint', (db, id) =>
    logged(db, id, 'webhook.secret', async tx => {
      const secret = await webhooks.getSecret(tx, id)
      return { result: { id, secret }, message: secret }
    }),
  )
  addToOne(webhook, terminal, 'rotate', 'make a new secret; the old one also signs for 24 hours', (db, id) =>
    logged(db, id, 'webhook.rotate', async tx => {
      const rotated = await webhooks.rotateSecret(tx, id)
      return {
        result: rotated,
        message: `${rotated.secret}\nThe previous secret also signs until ${rotated.previous_secret_expires_at}.`,
      }
    }),
  )
}

function addAdd(webhook: Command, terminal: Terminal): void {
  webhook
    .command('add')
    .description('add an endpoint, print its secret, and queue a ping')
    .addOption(accountFlag('the account whose events are sent'))
    .addOption(required('--url <url>', 'an https address'))
    .addOption(required('--types <types>', 'event types, separated by commas'))
    .addOption(insecureWebhooksFlag())
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout webhook add --url https://example.org/hook --types registration.created,checkin.created',
    )
    .action(async (flags: AddFlags) => {
      const account = readAccountName(flags.account)
      const url = readFlag('--url', endpointUrl, flags.url)
      const types = readFlag('--types', typeList, flags.types)
      const added = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
        await webhooks.refuseUnsafeUrl(url, flags.allowInsecureWebhooks ?? false)
        return recordedWrite(db, commandOn(accountId), tx => webhooks.addEndpoint(tx, { url, types }), {
          action: 'webhook.add',
          targetType: 'webhook_endpoint',
          targetOf: endpoint => endpoint.id,
        })
      })
      if (flags.json) return printJson(terminal, added)
      terminal.out(`Added webhook ${added.id}. Its secret, which verifies the signature:\n${added.secret}\n`)
    })
}

function addList(webhook: Command, terminal: Terminal): void {
  webhook
    .command('list')
    .description('list the endpoints of an account, oldest first')
    .addOption(accountFlag('the account'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout webhook list --account ada@example.org')
    .action(async (flags: CommonFlags & { account?: string }) => {
      const account = readAccountName(flags.account)
      const data = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => webhooks.listEndpoints(tx.of(await findAccount(tx, account)))),
      )
      if (flags.json) return printJson(terminal, { data })
      printTable(
        terminal,
        ['ID', 'URL', 'ENABLED', 'TYPES', 'CREATED'],
        data.map(row => [row.id, row.url, row.enabled ? 'yes' : 'no', row.types.join(','), row.created_at]),
      )
    })
}

interface UpdateFlags extends CommonFlags {
  url?: string
  types?: string
  allowInsecureWebhooks?: boolean
}

function addUpdate(webhook: Command, terminal: Terminal): void {
  webhook
    .command('update')
    .description('change the address or the types of an endpoint; its secret stays')
    .argument('<id>', 'the endpoint')
    .addOption(flag('--url <url>', 'an https address: what waits for the old one goes there too'))
    .addOption(flag('--types <types>', 'event types, with commas'))
    .addOption(insecureWebhooksFlag())
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      `\nExample:\n  $ turnout webhook update ${EXAMPLE_ID} --url https://example.org/new-hook`,
    )
    .action(async (argument: string, flags: UpdateFlags, command: Command) => {
      if (flags.url === undefined && flags.types === undefined) {
        command.error('error: say what to change: --url, --types or both')
      }
      const id = readFlag('The id', uuid, argument)
      const url = flags.url === undefined ? undefined : readFlag('--url', endpointUrl, flags.url)
      const types = flags.types === undefined ? undefined : readFlag('--types', typeList, flags.types)
      const { endpoint } = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => webhooks.findOwner(tx, id))
        if (url !== undefined) await webhooks.refuseUnsafeUrl(url, flags.allowInsecureWebhooks ?? false)
        const input = { url, types }
        return recordedWrite(db, commandOn(accountId), tx => webhooks.updateEndpoint(tx, id, input), {
          ...entryOn(id, 'webhook.update'),
          details: () => ({
            fields: (['url', 'types'] as const).filter(name => input[name] !== undefined),
          }),
          hasChanged: ({ changed }) => changed,
        })
      })
      if (flags.json) return printJson(terminal, endpoint)
      const sent = `it sends ${endpoint.types.join(', ')} to ${endpoint.url}`
      terminal.out(`Updated webhook ${id}: ${sent}. Its secret is the same.\n`)
    })
}

interface Done {
  result: unknown
  /** This text is for a person. */
  message: string
}

/** Adds a command about one endpoint, which the caller names by its id. */
function addToOne(
  webhook: Command,
  terminal: Terminal,
  name: string,
  description: string,
  work: (db: Database, id: string) => Promise<Done>,
): void {
  webhook
    .command(name)
    .description(description)
    .argument('<id>', 'the endpoint')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout webhook ${name} ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: CommonFlags) => {
      const id = readFlag('The id', uuid, argument)
      const { result, message } = await withExistingDatabase(flags, terminal.clock, db => work(db, id))
      if (flags.json) printJson(terminal, result)
      else terminal.out(`${message}\n`)
    })
}

/** Does the work in one write with its entry in the access log. */
async function logged(
  db: Database,
  id: string,
  action: string,
  work: (tx: WriteTx) => Promise<Done>,
): Promise<Done> {
  const accountId = await db.read(INSTANCE, tx => webhooks.findOwner(tx, id))
  return recordedWrite(db, commandOn(accountId), tx => work(tx), entryOn(id, action))
}

function entryOn(id: string, action: string) {
  return { action, targetType: 'webhook_endpoint', targetId: id }
}
