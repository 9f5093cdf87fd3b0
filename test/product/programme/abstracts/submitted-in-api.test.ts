import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as calls from '#product/programme/calls/rules.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { readOutbox } from '#test/support/observations.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const talk = { name: 'Long talk', minutes: 30, poster: false }
const poster = { name: 'Poster', minutes: null, poster: true }

/** An event with an abstract that a file has brought, and a call with topics and kinds. */
async function start(t: TestContext) {
  const server = await startSubscribed(t, organizationWith([abstract('A-1')]))
  const place = { ...server, accountId: server.applied.account_id, clock: () => server.clock() }
  const { topics, kinds } = await openCall(place, { topics: ['Rooms', 'Doors'], kinds: [talk, poster] })
  const chosen = { topic_id: topics[1]?.id ?? null, kind_id: kinds[0]?.id ?? null }
  const submit = async (changes: Parameters<typeof contentOf>[0] = {}) => {
    const { submission } = await begin(place)
    const { id } = await send(place, submission.id, contentOf({ ...chosen, ...changes }))
    return { id, submissionId: submission.id }
  }
  const read = async (id: string) => (await server.client.get(`/abstracts/${id}`)).body
  const codes = async (query: string) => {
    const { status, body } = await server.client.get(`/abstracts${query}`)
    assert.equal(status, 200, query)
    return body.data.map(({ code }: { code: string }) => code)
  }
  return { ...place, submit, read, codes, kinds }
}

test('what authors have submitted has its topic, kind, language, ORCID iDs and affiliations in the API', async t => {
  const { submit, read, client } = await start(t)
  const affiliations = ['Institute of Rooms', 'Academy; Doors']
  const authors = [
    {
      ...{ given: 'Lin', family: 'Mei', email: null, presenting: true },
      ...{ orcid: '0000-0002-1825-0097', affiliations: [1, 0] },
    },
    { given: null, family: 'Aristotle', email: null, orcid: null, affiliations: [], presenting: false },
  ]
  const { id } = await submit({ language: 'es', affiliations, authors })
  const shown = await read(id)
  const { topic, kind, language, withdrawn_at } = shown
  assert.deepEqual(
    { topic, kind, language, withdrawn_at },
    {
      ...{ topic: 'Doors', kind: talk, language: 'es', withdrawn_at: null },
    },
  )
  assert.deepEqual(shown.authors, [
    {
      ...{
        name: 'Lin Mei',
        email: null,
        affiliation: 'Academy; Doors; Institute of Rooms',
        presenting: true,
      },
      ...{ orcid: '0000-0002-1825-0097', affiliations: ['Academy; Doors', 'Institute of Rooms'] },
    },
    { name: 'Aristotle', email: null, affiliation: null, presenting: false, orcid: null, affiliations: [] },
  ])
  const { data } = (await client.get('/abstracts')).body
  assert.deepEqual(data[0], shown)
})

test('an abstract that a file has brought has no topic, kind or language, also beside a call that has them', async t => {
  const { read, applied } = await start(t)
  const { topic, kind, language, authors } = await read(
    applied.events['spring-meeting']?.abstracts['A-1'] as string,
  )
  assert.deepEqual([topic, kind, language], [null, null, null])
  assert.deepEqual([authors[0].orcid, authors[0].affiliations], [null, []])
})

test('an abstract keeps the topic and kind that its call offers no more, by their newest names', async t => {
  const { submit, read, db, accountId, eventId } = await start(t)
  const { id } = await submit()
  await db.write(accountId, async tx => {
    const { opens_at, closes_at, ...call } = await calls.get(tx, eventId)
    const times = { opens_at: Date.parse(opens_at), closes_at: Date.parse(closes_at) }
    await calls.put(tx, eventId, { ...call, ...times, topics: ['Rooms', 'Gates'], kinds: [poster] })
  })
  const { topic, kind } = await read(id)
  assert.deepEqual([topic, kind], ['Gates', talk])
})

test('the webhook of a decision has the abstract as the API shows it', async t => {
  const { submit, read, client, db } = await start(t)
  const { id } = await submit()
  await client.post(`/abstracts/${id}/decision`, { decision: 'accepted' })
  const [event] = await readOutbox(db)
  assert.deepEqual(event.data.object, await read(id))
  assert.deepEqual([event.data.object.topic, event.data.object.kind], ['Doors', talk])
})

test('lists leave out what was withdrawn; `withdrawn=true` lists that alone, also by event and state', async t => {
  const { submit, read, codes, client, db, accountId, eventId } = await start(t)
  const standing = await submit()
  const gone = await submit()
  await client.post(`/abstracts/${gone.id}/decision`, { decision: 'in_review' })
  await db.write(accountId, tx => sending.withdraw(tx, gone.submissionId))
  const { code, withdrawn_at } = await read(gone.id)
  assert.match(withdrawn_at, /^2026-/)
  const others = [(await read(standing.id)).code, 'A-1'].sort()
  for (const query of ['', '?withdrawn=false', `?event_id=${eventId}`])
    assert.deepEqual((await codes(query)).sort(), others, query)
  for (const filters of [
    '',
    `&event_id=${eventId}`,
    '&status=in_review',
    `&event_id=${eventId}&status=in_review`,
  ])
    assert.deepEqual(await codes(`?withdrawn=true${filters}`), [code], filters)
  assert.deepEqual(await codes('?withdrawn=true&status=submitted'), [])
  assert.deepEqual(await codes('?status=in_review'), [])
  const { status, body } = await client.get('/abstracts?withdrawn=yes')
  assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_parameter', 'withdrawn'])
  const decided = await client.post(`/abstracts/${gone.id}/decision`, { decision: 'accepted' })
  assert.deepEqual([decided.status, decided.body.error.code], [422, 'abstract_withdrawn'])
})

test('a cursor of the list without withdrawn ones does not go on in the list of them', async t => {
  const { submit, client } = await start(t)
  await submit()
  const { next_cursor: cursor } = (await client.get('/abstracts?limit=1')).body
  assert.equal((await client.get(`/abstracts?limit=1&starting_after=${cursor}`)).status, 200)
  const other = await client.get(`/abstracts?limit=1&withdrawn=true&starting_after=${cursor}`)
  assert.deepEqual([other.status, other.body.error.code], [400, 'invalid_cursor'])
})
