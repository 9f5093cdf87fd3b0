import type { TestContext } from 'node:test'
import { startAlternating } from './alternating.ts'
import { Client } from './client.ts'
import { startMailServer } from './mail-server.ts'
import { startSale } from './people/order-forms.ts'
import { startServer } from './server.ts'

/** Starts two servers on one database, and a balancer that sends each request to the other one. */
export async function startTwo(t: TestContext, databaseUrl: string) {
  const balancer = await startAlternating(t)
  const mails = await startMailServer(t)
  const settings = {
    ...{ baseUrl: balancer.url, allowInsecureWebhooks: true, metricsPort: 0, testPayments: true },
    ...{ smtpUrl: mails.url, mailFrom: 'tickets@example.org' },
  }
  const types = [
    { name: 'Guest', price: 0, capacity: 500 },
    { name: 'Patron', price: 3000, capacity: 500 },
  ]
  // Its doors are open.
  const event = {
    starts_at: '2026-11-21T15:00:00Z',
    ends_at: '2026-11-21T23:00:00Z',
    registration_types: types,
  }
  const sale = await startSale(t, event, { databaseUrl, settings })
  const second = await startServer(t, { databaseUrl, settings, clock: sale.clock })
  const origins = [sale.app, second.app].map(({ url }) => new URL(url).origin) as [string, string]
  balancer.leadTo(...origins)
  const key = (await sale.clientOf(sale.accountId)).key as string
  const clients = [new Client(sale.app.url, key), new Client(second.app.url, key)] as const
  t.after(() => Promise.all(clients.map(client => client.close())))
  return { ...sale, second, origins, balancer, mails, clients, key }
}

export type TwoServers = Awaited<ReturnType<typeof startTwo>>
