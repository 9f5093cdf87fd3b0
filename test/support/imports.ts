import type { TestContext } from 'node:test'
import { describeLine } from '#faces/dashboard/guests/import-lines.tsx'
import * as jobs from '#product/administration/jobs/rules.ts'
import { leftOut } from '#product/guests/imports/left-out.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { readTable } from '#product/guests/imports/table.ts'
import { textsIn } from '#texts/catalogue.ts'
import { organization } from './organization.ts'
import { startWithOrganization } from './server.ts'
import { onceSettled } from './settled.ts'

/** Starts a server with an event that has some places, and does what a member does to bring guests to it. */
export async function startWithImports(t: TestContext, event: object = {}) {
  const types = [
    { name: 'Standard', price: 5000, capacity: 5 },
    { name: 'Free', price: 0, capacity: 1000 },
  ]
  const file = organization({ event: { registration_types: types, ...event } })
  const server = await startWithOrganization(t, file)
  const { db, eventId } = server
  const accountId = server.applied.account_id
  const actor = { accountId, who: 'cli', requestId: null, address: null }
  const job = (id: string) => db.read(accountId, tx => jobs.get(tx, id))
  const ended = (id: string) =>
    onceSettled(server, 'jobs', 'the end of the job', async () => {
      const one = await job(id)
      return ['done', 'failed', 'stopped'].includes(one.state) && one
    })
  const upload = async (text: string) =>
    imports.upload(db, actor, eventId, await readTable(Buffer.from(text)))
  const lines = (id: string) => db.read(accountId, tx => imports.listLines(tx, id, { limit: 1_000 }))
  return {
    ...server,
    accountId,
    actor,
    job,
    ended,
    upload,
    lines,
    /** Uploads a table, and waits until its lines are checked. */
    check: async (text: string) => {
      const { id } = await upload(text)
      return ended(id)
    },
    begin: (id: string) => db.write(accountId, tx => imports.start(tx, id, 'cli')),
    /** Returns for each line its number and its fate. */
    fates: async (id: string) =>
      Object.fromEntries((await lines(id)).map(({ line, fate }) => [line, fate] as const)),
    leftOut: async (id: string) => {
      let text = ''
      const words = { language: 'en', tell: describeLine.bind(undefined, textsIn('en')) } as const
      for await (const part of leftOut(db, accountId, id, words)) text += part
      return text
    },
    registrations: async () => (await server.client.get('/registrations?limit=100')).body.data,
  }
}
