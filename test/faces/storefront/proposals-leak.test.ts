import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as proposals from '#product/programme/abstracts/proposals.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { reviewerUrl } from '#product/programme/reviews/links.ts'
import { submissionUrl, submitterUrl } from '#product/programme/submissions/links.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { startSale } from '#test/support/people/sale.ts'
import { assignAll, inviteOne, openReview, proposeFor, review } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

/** Stands in each note that is proposed. */
const CANARY = 'zqcanary'

async function start(t: TestContext) {
  const sale = await startSale(t, {}, { takes_abstracts: true })
  const { db, accountId, clock } = sale
  await subscribeToAll(db, accountId)
  const kinds = [
    { name: 'Talk', minutes: 20, poster: false },
    { name: 'Poster', minutes: null, poster: true },
  ]
  const call = await openCall(sale, { per_person: 50, kinds })
  await openReview(sale, { wanted: 1 })
  const sent: { id: string; code: string; submissionId: string }[] = []
  for (const title of ['On rooms', 'On doors', 'On halls']) {
    const { submission } = await begin(sale, { email: 'lin@writers.example' })
    const kind_id = call.kinds[0]?.id ?? null
    const { id, code } = await send(sale, submission.id, contentOf({ title, kind_id }))
    sent.push({ id, code, submissionId: submission.id })
    clock.advance(60_000)
  }
  const rosa = await inviteOne(sale)
  await assignAll(sale)
  await review(sale, rosa, sent[0]?.code as string)
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const server = { baseUrl: '', secret: row?.cursor_secret as string }
  const { submitter } = await db.read(accountId, tx => submissions.get(tx, sent[0]?.submissionId as string))
  const addresses = [
    ...sent.map(({ submissionId }) => submissionUrl(server, submitter, { id: submissionId })),
    submitterUrl(server, submitter),
    reviewerUrl(server, rosa),
    `${reviewerUrl(server, rosa)}/all`,
    ...sent.map(({ code }) => `${reviewerUrl(server, rosa)}/abstracts/${code}`),
    ...['/ada', '/ada/spring-meeting', '/ada/spring-meeting/abstracts', '/ada/spring-meeting/abstracts/new'],
  ]
  // A member who only reviews is no chair either.
  const reader = await sale.member('reviewer')
  const inside = ['', '/abstracts', '/decisions', '/decisions.csv', '/decisions/propose', '/review'].map(
    what => `/manage/e/${sale.eventId}${what}`,
  )
  return { ...sale, call, sent, addresses, reader, inside, chair: () => sale.member('chair') }
}

type At = Awaited<ReturnType<typeof start>>

/** Returns an answer without what is new in each. */
const settled = (text: string) =>
  text
    .replace(/req_\w+/g, 'req_')
    .replace(/name="form[._]id" value="[^"]*"/g, '')
    .replace(/name="[a-z._]*" value="[\w.-]{60,}"/g, '')

/** Reads all that anybody can read who is no chair, and what programs are told, byte for byte. */
async function readAll(at: At): Promise<Map<string, string>> {
  const { db, client, sent, eventId } = at
  const found = new Map<string, string>()
  const visitor = at.visitor()
  for (const address of at.addresses) {
    const { status, bytes } = await visitor.download(address)
    found.set(address, `${status} ${settled(bytes.toString('utf8'))}`)
  }
  for (const address of at.inside) {
    const { status, bytes } = await at.reader.download(address)
    found.set(`member ${address}`, `${status} ${settled(bytes.toString('utf8'))}`)
  }
  const asked = [
    ...[
      '/abstracts',
      `/abstracts?event_id=${eventId}`,
      '/abstracts?status=submitted',
      '/abstracts?status=accepted',
    ],
    ...['/abstracts?limit=1', '/abstracts?withdrawn=true', '/events', `/events/${eventId}`],
    ...sent.map(({ id }) => `/abstracts/${id}`),
  ]
  for (const address of asked) {
    const { status, body } = await client.get(address)
    found.set(`API ${address}`, `${status} ${JSON.stringify(body)}`)
  }
  const tables = ['abstracts', 'abstract_revisions', 'submissions', 'submitters', 'reviews', 'webhook_events']
  for (const table of [...tables, 'webhook_deliveries', 'emails', 'codes', 'events', 'calls']) {
    // Each row, with when it was changed.
    const rows = await db.read(INSTANCE, tx => tx.all<object>(`SELECT * FROM ${table}`))
    found.set(table, JSON.stringify(rows.map(row => JSON.stringify(row)).sort()))
  }
  return found
}

/** Returns what differs. */
function differences(one: Map<string, string>, other: Map<string, string>): string[] {
  assert.equal(one.size, other.size)
  return [...one].filter(([what, answer]) => other.get(what) !== answer).map(([what]) => what)
}

const note = `${CANARY} in the hall`

test('what is proposed, changed and taken back changes no byte that anybody but a chair can read', async t => {
  const at = await start(t)
  const before = await readAll(at)
  const [one, two, three] = at.sent as [At['sent'][0], At['sent'][0], At['sent'][0]]
  assert.match(before.get(`API /abstracts/${one.id}`) ?? '', /^200 .*On rooms/)
  for (const address of at.addresses.slice(0, 9)) assert.match(before.get(address) ?? '', /^200 /, address)
  const same = async () => {
    const now = await readAll(at)
    assert.deepEqual(differences(before, now), [])
    for (const [what, answer] of now) assert.ok(!answer.includes(CANARY), what)
  }
  await proposeFor(at, one.id, { note, kind_id: at.call.kinds[1]?.id ?? null })
  await proposeFor(at, two.id, { note, decision: 'rejected' })
  await same()
  await proposeFor(at, one.id, { note, decision: 'rejected' })
  await proposeFor(at, three.id, { note })
  await at.db.write(at.accountId, tx => proposals.takeBack(tx, at.eventId, two.id))
  await same()
  // As a chair does it, by the pages.
  const chair = await at.chair()
  const begun = await readAll(at)
  const page = await chair.open(`/manage/e/${at.eventId}/decisions`)
  const asked = await page.fill({ 'Select “On doors”': true }).press('Accept', 'Propose for those')
  await asked.fill({ Note: note }).press('Propose to accept 1')
  const now = await readAll(at)
  assert.deepEqual(differences(begun, now), [])
})

test('the same look finds a decision in each of these places, and a proposal that would touch its abstract', async t => {
  const at = await start(t)
  const [one] = at.sent as [At['sent'][0]]
  const before = await readAll(at)
  // What a careless proposal would do: the abstract is changed now.
  await at.db.write(at.accountId, async tx =>
    tx.run('UPDATE abstracts SET updated_at = $3 WHERE account_id = $1 AND id = $2', [
      ...[tx.accountId, one.id, await tx.now()],
    ]),
  )
  const touched = await readAll(at)
  assert.deepEqual(differences(before, touched), ['abstracts'])
  await at.db.write(at.accountId, tx => abstracts.decide(tx, one.id, { decision: 'accepted', note }))
  const found = differences(touched, await readAll(at))
  const [own] = at.addresses as [string]
  for (const what of [
    own,
    `API /abstracts/${one.id}`,
    'API /abstracts',
    'webhook_events',
    'webhook_deliveries',
  ])
    assert.ok(found.includes(what), `${what} does not tell of a decision`)
  assert.ok(found.includes('API /abstracts?status=accepted'))
})
