import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import type { Clock } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { getDelivery, listDeliveries } from '#product/administration/webhooks/deliveries.ts'
import type { WebhookEventType } from '#product/administration/webhooks/event-types.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { organization } from './organization.ts'
import type { Receiver } from './receiver.ts'
import { newRegistration } from './requests.ts'
import { type ServerOptions, startWithOrganization } from './server.ts'
import { subscribeToAll } from './subscriber.ts'

/** Looks until a rule has brought something about, and fails the test if it does not. Times are milliseconds. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  patience = 10_000,
  every = 5,
): Promise<T> {
  const deadline = performance.now() + patience
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > deadline) assert.fail(`It did not come about: ${what}.`)
    await setTimeout(every)
  }
}

/** Returns the deliveries to an endpoint with their attempts, newest first. */
export function readDeliveries(db: Database, endpointId: string) {
  return db.read(INSTANCE, async tx => {
    const deliveries: Awaited<ReturnType<typeof getDelivery>>[] = []
    for (const account of await accounts.list(tx)) {
      const found = await listDeliveries(tx.of(account.id), { endpointId }, { limit: 10_000 })
      for (const { resource } of found) deliveries.push(await getDelivery(tx.of(account.id), resource.id))
    }
    return deliveries
  })
}

/** Waits until the loop has claimed all that is due, and knows it. */
export async function allClaimed({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const due =
    'SELECT count(*) AS count FROM webhook_deliveries WHERE next_attempt_at <= $1 OR manual_attempt_at <= $1'
  await eventually('a claim of all that is due', async () => {
    const row = await db.read(INSTANCE, tx => tx.one<{ count: number }>(due, [clock()]))
    return row?.count === 0
  })
  // A read sees what is not durable yet, and the loop is woken only afterwards: so is this write.
  await db.write(INSTANCE, async () => undefined)
  await nextTurn()
}

/** Starts a server with one organization, each of whose webhook events is written. */
export async function startSubscribed(...args: Parameters<typeof startWithOrganization>) {
  const server = await startWithOrganization(...args)
  await subscribeToAll(server.db, server.applied.account_id)
  return server
}

/** Starts a server whose webhooks may go to the loopback, with an organization that has room. */
export async function startWithWebhooks(t: Pick<TestContext, 'after'>, options: ServerOptions = {}) {
  const file = organization({
    event: {
      registration_types: [{ name: 'Standard', price: 0, capacity: 100_000 }],
      abstracts: [
        {
          code: 'A-1',
          title: 'On rooms',
          abstract: 'They fill.',
          authors: [{ name: 'Lin' }],
          contact: { name: 'Lin', email: 'lin@example.org' },
        },
      ],
    },
  })
  const server = await startWithOrganization(t, file, {
    ...options,
    settings: { allowInsecureWebhooks: true, ...options.settings },
  })
  const { db, client, applied } = server
  const addEndpointTo = (url: string, ...types: WebhookEventType[]) =>
    db.write(applied.account_id, tx => webhooks.addEndpoint(tx, { url, types }))
  return {
    ...server,
    /** Adds an endpoint, and waits until its receiver has got the ping that greets it. */
    async subscribe(receiver: Receiver, ...types: WebhookEventType[]) {
      const endpoint = await addEndpointTo(receiver.url, ...types)
      await eventually('the ping of a new endpoint', async () => {
        const [ping] = await readDeliveries(db, endpoint.id)
        return ping?.status === 'succeeded'
      })
      return endpoint
    },
    addEndpointTo,
    /** Creates a registration, which emits its event. */
    async register(changes: object = {}) {
      const answer = await client.post('/registrations', newRegistration(server, changes))
      assert.equal(answer.status, 201)
      return answer.body
    },
  }
}
