import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { meterPayments } from '#app/payments.ts'
import { describeApi } from '#faces/api/description/describe.ts'
import type { Route } from '#faces/api/route.ts'
import { routes } from '#faces/api/routes.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { countFailing, countPending } from '#product/administration/webhooks/deliveries.ts'
import { listNeeds } from '#product/administration/webhooks/needs.ts'
import { findPerson } from '#product/data-care/erasure/erase.ts'
import { listByName } from '#product/entrance/check-ins/printed-list.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { listTickets } from '#product/entrance/check-ins/tickets.ts'
import { amend, amendmentEntry } from '#product/guests/registrations/amendment.ts'
import { countUpTo, listByType } from '#product/guests/registrations/of-event.ts'
import * as searchStore from '#product/guests/registrations/search-store.ts'
import * as registrationStore from '#product/guests/registrations/store.ts'
import { timeline } from '#product/guests/registrations/timeline.ts'
import * as abstracts from '#product/programme/abstracts/of-event.ts'
import { withdraw } from '#product/programme/abstracts/submitted.ts'
import { countEvent } from '#product/reporting/figures/count.ts'
import { figures, keep, listStates } from '#product/reporting/figures/rules.ts'
import { summarize } from '#product/reporting/figures/summaries.ts'
import { isLarge } from '#product/reporting/reports/monthly-report.ts'
import * as reports from '#product/reporting/reports/store.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { Reconciler } from '#product/selling/payments/reconciler.ts'
import { carryOut } from '../carry-out.ts'
import type { Client } from '../client.ts'
import { temporaryFolder } from '../folder.ts'
import { organization, registration } from '../organization.ts'
import { organize } from '../organizing.ts'
import { newRegistration } from '../requests.ts'
import { startWithOrganization } from '../server.ts'
import { goOnAfterDecision } from './after-run.ts'
import { deleteAnEvent } from './deletion-run.ts'
import { runDoor } from './door-run.ts'
import { remindAuthors } from './draft-run.ts'
import { exchangeTickets } from './exchange-run.ts'
import { keepFiles } from './file-run.ts'
import { forgetGuests } from './forgetting-run.ts'
import { mailGuests } from './guest-mail-run.ts'
import { importGuests } from './import-run.ts'
import { sendMails } from './mail-run.ts'
import { runMessages } from './message-run.ts'
import { tellNotices } from './notice-run.ts'
import { takeOrders } from './order-run.ts'
import { takePayments } from './payment-run.ts'
import { runPeople } from './people-run.ts'
import { giveLooks, sizePictures } from './picture-run.ts'
import { moveAbstracts } from './portable-run.ts'
import { publishProgramme } from './publishing-run.ts'
import { issueReceipts } from './receipt-run.ts'
import { reviewAbstracts } from './review-run.ts'
import { runScanners } from './scan-run.ts'
import { prepareSelling } from './selling-run.ts'
import { repeatEvents } from './series-run.ts'
import { readStatements } from './statement-run.ts'
import { submitAbstracts } from './submission-run.ts'
import { planProgramme } from './timetable-run.ts'
import { sendWebhooks } from './webhook-run.ts'

/** Every way to give some of these filters, or none. */
function combinationsOf(filters: [string, string][]): [string, string][][] {
  const [first, ...rest] = filters
  if (first === undefined) return [[]]
  return combinationsOf(rest).flatMap(some => [some, [first, ...some]])
}

/** Returns the parameters of the query that an operation describes. */
function parametersOf(route: Route): string[] {
  const { paths } = JSON.parse(JSON.stringify(describeApi()))
  const operation = paths[route.path][route.method.toLowerCase()]
  return (operation.parameters ?? []).flatMap((one: { in: string; name: string }) =>
    one.in === 'query' ? [one.name] : [],
  )
}

/**
 * Runs all that the program does with its database, on a server and by commands, so that each statement is made once.
 *
 * @returns the database, whose server is closed
 */
export async function runProduct(t: TestContext) {
  const abstract = {
    title: 'T',
    abstract: 'A',
    authors: [{ name: 'L' }],
    contact: { name: 'L', email: 'l@example.org' },
  }
  const file = organization({
    event: {
      registrations: ['a', 'b', 'c'].map(reference => registration(reference, { amount_total: 5000 })),
      abstracts: ['A-1', 'A-2', 'A-3', 'A-4', 'A-5'].map(code => ({ code, ...abstract })),
      // The first is taken off the list, and the other is made anonymous.
      waitlist: ['m', 'l'].map(name => ({
        ...{ reference: name, registration_type: 'Standard', name, email: `${name}@example.org` },
      })),
    },
    events: ['autumn', 'winter'].map(slug => ({ slug, title: slug })),
    webhooks: [{ url: 'https://127.0.0.1:1/hook', types: ['registration.created', 'checkin.created'] }],
  })
  // The server's own would take first what the run of payments makes, and knows no processor for it.
  for (const begin of ['start', 'wake'] as const) t.mock.method(Reconciler.prototype, begin, () => undefined)
  const server = await startWithOrganization(t, file)
  const { applied, client, clock, data, db, eventId, types } = server

  // These operations write, and each also looks things up.
  let keys = 0
  const post = async (path: string, body?: object) => {
    const headers = { 'Idempotency-Key': `plan-${++keys}` }
    const answer = await client.post(path, body, { headers })
    assert.ok(answer.status < 300, `${path} ${answer.text}`)
    return answer.body
  }
  // biome-ignore lint/suspicious/noExplicitAny: checked against the OpenAPI document when it was received
  const made: any[] = []
  for (const name of ['Ada', 'Bob', 'Cyd', 'Dan']) {
    const buyer = { name, email: 'grace@example.org' }
    const answers = { diet: 'vegan', [name]: 'ñ'.repeat(5_000) }
    made.push(await post('/registrations', newRegistration({ eventId, types }, { buyer, answers })))
  }
  for (const { attendees } of made.slice(1)) await post('/check-ins', { attendee_id: attendees[0].id })
  await client.post('/check-ins', { qr_code: made[0].attendees[0].qr_code })
  await post(`/registrations/${made[0].id}/cancel`)

  // Every read of the API, with every combination of its filters, the first page and a later one.
  const values: Record<string, string> = {
    event_id: eventId,
    email: 'grace@example.org',
    month: '2026-11',
    format: 'csv',
    q: 'grace',
    withdrawn: 'true',
  }
  const statuses: Record<string, string> = { listRegistrations: 'confirmed', listAbstracts: 'submitted' }
  const codes: Record<string, string> = applied.events['spring-meeting']?.abstracts ?? {}
  for (const code of ['A-4', 'A-5'])
    await db.write(applied.account_id, tx => withdraw(tx, codes[code] as string))
  const abstracts = (await client.get('/abstracts')).body.data
  await post(`/abstracts/${abstracts[0].id}/decision`, { decision: 'accepted' })
  const ids: Record<string, string> = {
    events: eventId,
    registrations: made[1].id,
    abstracts: abstracts[1].id,
  }
  for (const route of routes) {
    if (route.method !== 'GET') continue
    const path = route.path.replace('{id}', ids[route.path.split('/')[1] as string] ?? 'none')
    const parameters = parametersOf(route)
    const paged = parameters.includes('starting_after')
    const own = parameters.filter(name => name !== 'limit' && name !== 'starting_after')
    const filters = own.map((name): [string, string] => {
      const value = name === 'status' ? statuses[route.operationId] : values[name]
      assert.ok(
        value !== undefined,
        `${route.operationId} has a filter ${name} that this test has no value for`,
      )
      return [name, value]
    })
    for (const some of combinationsOf(filters)) await readPages(client, path, some, paged)
  }

  await deleteAnEvent(server)
  for (const q of [made[1].id, 'Grace@example.org', 'bo']) {
    const { body } = await client.get(`/registrations?q=${encodeURIComponent(q)}`)
    assert.ok(body.data.length > 0, q)
  }

  const lin = { name: 'Lin', email: 'l@example.org' }
  await post('/registrations', newRegistration({ eventId, types }, { buyer: lin }))
  await runScreens(server, made)

  // The command line, the cleaning and the deliveries come last.
  const turnout = async (...args: string[]) => {
    let printed = ''
    const out = (text: string) => {
      printed += text
    }
    await carryOut([...args, '--data', data, '--json'], { out, err: text => assert.fail(text), clock })
    return JSON.parse(printed)
  }
  const account = applied.account_id
  const [endpoint] = Object.values(applied.webhooks)
  await turnout('account', 'list')
  const [key] = (await turnout('key', 'list', '--account', account)).data
  await turnout('key', 'revoke', key.id)
  await turnout('log', 'list', '--account', account)
  await turnout('waitlist', 'list', '--event', eventId)
  await runPeople(db, clock, account, eventId)
  await runMessages(db, account, eventId)
  const ticketId = made[1].attendees[0].id
  await runDoor(db, { accountId: account, eventId, typeId: types.Standard as string, ticketId })
  await runScanners({ ...server, accountId: account, ticketId })
  await turnout('event', 'list')
  await turnout('webhook', 'list', '--account', account)
  const ofDeliveries: [string, string][] = [
    ['--endpoint', endpoint?.id as string],
    ['--status', 'pending'],
  ]
  for (const some of combinationsOf(ofDeliveries)) await turnout('delivery', 'list', ...some.flat())
  const [delivery] = (await turnout('delivery', 'list')).data
  await turnout('delivery', 'show', delivery.id)
  await turnout('delivery', 'retry', delivery.id)
  await turnout('webhook', 'update', endpoint?.id as string, '--types', 'ping')
  for (const command of ['disable', 'enable', 'ping', 'rotate', 'remove']) {
    await turnout('webhook', command, endpoint?.id as string)
  }
  await turnout('person', 'erase', '--email', 'l@example.org', '--account', account, '--yes')
  await turnout('export', '--account', account)
  await server.apply({ ...file, account: { ...file.account, name: 'Ada' } })
  // It was paid from the beginning, and what that cost is known later.
  const [event] = file.events
  const paid = { ...event, registrations: [registration('a', { amount_total: 5000, processor_fee: 100 })] }
  const completed = join(temporaryFolder(t), 'completed.json')
  writeFileSync(completed, JSON.stringify({ ...file, events: [paid], webhooks: [] }))
  await turnout('apply', completed, '--update-history')
  await organize(db, account)
  await sizePictures(db, account, eventId)
  await giveLooks(db, account, eventId)
  await repeatEvents(db, account, eventId)
  await keepFiles(db, clock, { accountId: account, eventId })
  await submitAbstracts(db, clock, {
    accountId: account,
    eventId,
    otherId: applied.events.autumn?.id as string,
  })
  await db.read(account, tx => listNeeds(tx, clock()))
  await db.read(account, tx => summarize(tx, [[eventId, applied.events.autumn?.id as string]]))
  await sendWebhooks(db, account)
  await prepareSelling(db, { accountId: account, eventId, typeId: types.Free as string })
  await takeOrders(db, clock, { accountId: account, eventId, typeId: types.Free as string })
  await issueReceipts(db, clock, { accountId: account, eventId })
  await takePayments(db, clock, { accountId: account, eventId, typeId: types.Free as string })
  await readStatements(db, clock, { accountId: account, eventId, typeId: types.Free as string })
  await exchangeTickets(db, { accountId: account, eventId, typeId: types.Free as string })
  await server.apply(await turnout('export', '--account', account))
  await sendMails(db, clock, { accountId: account, eventId })
  const reviewed = { accountId: account, eventId, otherId: applied.events.autumn?.id as string }
  await reviewAbstracts(db, clock, reviewed)
  await planProgramme(db, clock, reviewed)
  await goOnAfterDecision(db, clock, { accountId: account, eventId })
  await publishProgramme(db, clock, { accountId: account, eventId })
  await tellNotices(db, clock, { accountId: account, eventId })
  await remindAuthors(db, clock, { accountId: account, eventId })
  await mailGuests(db, { accountId: account, eventId, typeId: types.Free as string })
  await db.read(INSTANCE, countPending)
  await db.read(INSTANCE, tx => countFailing(tx, Date.now()))
  for (const look of Object.values(meterPayments(db, clock))) await look()
  const place = { accountId: account, eventId, folder: temporaryFolder(t) }
  await moveAbstracts(db, clock, place, turnout)
  await importGuests(server)
  await forgetGuests(db, clock, reviewed)
  await cleanUp(db, clock, 1)

  // Only a report of thousands of rows reads a next batch.
  const last = {
    id: made[0].id,
    created_at: 0,
    confirmed_at: 0,
    moved_at: 0,
    kind: 'fee',
    entry_id: '',
  } as never
  const extent = {
    accountId: account,
    eventId,
    until: { created_at: clock(), id: made[3].id },
    lastNumber: 9,
  }
  await db.read(account, async tx => {
    await reports.listRegistrations(tx, extent, last, 10)
    await reports.listTickets(tx, extent, last, last)
    await reports.readAnswers(tx, made[0].id)
    await reports.readTicketAnswers(tx, ticketId)
    await reports.listCounted(tx, 0, clock(), last, 10)
    await reports.listEntries(tx, 0, clock(), last, 10)
    await reports.listCheckIns(tx, 0, clock(), last, 10)
    await ledger.list(tx, { registrationId: made[0].id })
    await ledger.list(tx, { orderId: made[0].id })
    await ledger.has(tx, 'fee', made[0].id)
    // Only a search with hundreds of results looks them up in this way.
    const filters = { event_id: eventId, status: 'confirmed' } as const
    for (const some of [filters, { event_id: eventId }, { status: filters.status }])
      await searchStore.countOf(tx, some, 10)
    // Those that are not confirmed are found by indexes of their own.
    for (const some of [{ event_id: eventId, status: 'cancelled' }, { status: 'cancelled' }] as const)
      await registrationStore.listPage(tx, some, { limit: 10 })
  })
  await server.app.close()
  return { db, clock, file, data, accountId: applied.account_id }
}

/** Does what the organizer's screens do and no operation of the API does. */
async function runScreens(
  { applied, db, clock, eventId, types }: Awaited<ReturnType<typeof startWithOrganization>>,
  made: { id: string; attendees: { id: string }[] }[],
): Promise<void> {
  const accountId = applied.account_id
  const [, second] = made
  const ticket = second?.attendees[0]?.id as string
  const actor = { accountId, who: 'user:ada', requestId: null, address: null }
  const id = second?.id as string
  const changes = {
    buyer: { name: 'Joan' },
    attendees: [{ id: ticket, email: 'l@example.org' }],
    note: 'Train',
  }
  await recordedWrite(db, actor, tx => amend(tx, id, changes), amendmentEntry(id))
  await db.read(accountId, tx => timeline(tx, id))
  const undo = checkIns.undoEntry(ticket, 'By mistake')
  await recordedWrite(db, actor, tx => checkIns.undo(tx, ticket), undo)

  for (const checked_in of [undefined, true, false]) {
    const { next } = await listTickets(db, accountId, eventId, { checked_in }, { limit: 1 })
    await listTickets(db, accountId, eventId, { checked_in }, { limit: 1, after: next })
  }
  for await (const _ of listByName(db, accountId, eventId, 1));
  const after = { created_at: clock(), id }
  for (const status of [undefined, 'confirmed'] as const) {
    const wanted = { event_id: eventId, registration_type_id: types.Standard as string, status }
    for (const page of [{ limit: 1 }, { limit: 1, after }]) await listByType(db, accountId, wanted, page)
  }
  await countUpTo(db, accountId, { event_id: eventId })
  for (const status of [undefined, 'submitted'] as const) {
    const wanted = { event_id: eventId, status }
    const { next } = await db.read(accountId, tx => abstracts.listOfEvent(tx, wanted, { limit: 1 }))
    assert.ok(next !== undefined)
    await db.read(accountId, tx => abstracts.listOfEvent(tx, wanted, { limit: 1, after: next }))
    await db.read(accountId, tx => abstracts.findNeighbours(tx, wanted, next.id))
  }
  await db.read(accountId, tx => abstracts.countByStatus(tx, eventId))
  await db.read(accountId, tx => isLarge(tx, '2026-11', 1))
  await figures(db, accountId, eventId)
  const counted = await countEvent(db, accountId, { id: eventId, timezone: 'UTC' })
  await db.read(accountId, tx => listStates(tx))
  await db.write(accountId, tx => keep(tx, eventId, { state: '', counted, countedAt: clock() }))

  // Somebody has no word, and an import was of somebody.
  await findPerson(db, accountId, '_@example.org')
  await db.write(accountId, async tx => {
    const input = JSON.stringify({ email: 'l@example.org' })
    const cells = JSON.stringify(['l@example.org'])
    await tx.run(
      `INSERT INTO jobs (id, account_id, kind, input, state, done, started_by, created_at, updated_at)
       VALUES ($1, $2, 'import', $3, 'done', 1, 'cli', 1, 1)`,
      ['0197a0b4-4b10-7c55-b1a0-0d1e2f3a4b5c', accountId, input],
    )
    await tx.run(
      `INSERT INTO import_lines (job_id, line, input, fate, details, created_at, updated_at)
       VALUES ('0197a0b4-4b10-7c55-b1a0-0d1e2f3a4b5c', 1, $1, 'read', '{}', 1, 1)`,
      [cells],
    )
  })
}

async function readPages(
  client: Client,
  path: string,
  filters: [string, string][],
  paged: boolean,
): Promise<void> {
  const query = new URLSearchParams(filters)
  if (paged) query.set('limit', '1')
  const first = await client.get(`${path}?${query}`)
  if (!paged) return
  assert.equal(first.body.has_more, true, `${path}?${query} has a second page`)
  query.set('starting_after', first.body.next_cursor)
  assert.equal((await client.get(`${path}?${query}`)).status, 200)
}
