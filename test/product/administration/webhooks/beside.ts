import type { TestContext } from 'node:test'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { organization } from '#test/support/organization.ts'
import { startServer } from '#test/support/server.ts'

/** Runs commands beside a server on the same data folder. */
export async function startBeside(t: TestContext) {
  const cli = commandLine(t)
  const { account_id: accountId } = await cli.json('apply', cli.write('org.json', organization()))
  const server = await startServer(t, {
    data: cli.data,
    clock: cli.clock,
    settings: { allowInsecureWebhooks: true },
    tuning: { random: () => 0 },
  })
  const client = await server.clientOf(accountId)
  const { data: events } = (await client.get('/events')).body
  const types = (await client.get(`/events/${events[0].id}/registration-types`)).body
  const register = () =>
    client.post('/registrations', {
      event_id: events[0].id,
      registration_type_id: types.data[0].id,
      buyer: { name: 'Grace', email: 'grace@example.org' },
    })
  const add = (url: string, ...rest: string[]) =>
    cli.json(
      'webhook',
      'add',
      '--account',
      accountId,
      '--url',
      url,
      '--types',
      'registration.created',
      ...rest,
    )
  return { ...cli, ...server, accountId, register, add }
}
