import assert from 'node:assert/strict'
import { test } from 'node:test'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { organization } from '#test/support/organization.ts'
import { UNKNOWN_ID, withoutRequestId } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

const at = (day: number) => `2026-10-${String(day).padStart(2, '0')}T10:00:00.000Z`

const file = organizationWith(
  [
    abstract('a', { submitted_at: at(1), status: 'accepted', decided_at: at(9) }),
    abstract('b', { submitted_at: at(5) }),
    abstract('c', { submitted_at: at(3), status: 'in_review' }),
    abstract('d', { submitted_at: at(2), status: 'rejected', decided_at: at(9) }),
  ],
  {
    events: [
      {
        slug: 'other',
        title: 'Other',
        registration_types: [],
        abstracts: [abstract('e', { submitted_at: at(4) })],
      },
    ],
  },
)

async function start(t: Parameters<typeof startWithOrganization>[0]) {
  const server = await startWithOrganization(t, file)
  const codes = async (query: string) => {
    const answer = await server.client.get(`/abstracts${query}`)
    assert.equal(answer.status, 200, query)
    return answer.body.data.map(({ code }: { code: string }) => code).join('')
  }
  return { ...server, codes, ids: server.applied.events['spring-meeting']?.abstracts ?? {} }
}

test('an abstract has every field, and a field that was not given is null', async t => {
  const complete = abstract('A-1', {
    title: 'Counting “what” is counted',
    abstract: 'First line.\nSecond line: ä 🎟️ <b>',
    keywords: 'counting, trust',
    authors: [
      { name: 'Lin', email: 'lin@example.org', affiliation: 'Institute', presenting: true },
      { name: 'Grace' },
    ],
    contact: { name: 'Lin', email: 'Lin@Example.org', phone: '+34 600' },
    file_name: 'counting.pdf',
    status: 'rejected',
    decision_note: 'Not\nthis year.',
    decided_at: '2026-10-12T08:00:00+02:00',
    submitted_at: '2026-10-01T08:00:00Z',
  })
  const { client, applied, eventId } = await startWithOrganization(
    t,
    organizationWith([complete, abstract('A-2')]),
  )
  const ids = applied.events['spring-meeting']?.abstracts ?? {}
  const { body } = await client.get(`/abstracts/${ids['A-1']}`)
  assert.deepEqual(body, {
    id: ids['A-1'],
    object: 'abstract',
    event_id: eventId,
    code: 'A-1',
    title: 'Counting “what” is counted',
    abstract: 'First line.\nSecond line: ä 🎟️ <b>',
    keywords: 'counting, trust',
    ...{ topic: null, kind: null, language: null, withdrawn_at: null, confirmed_at: null, session: null },
    authors: [
      {
        ...{ name: 'Lin', email: 'lin@example.org', affiliation: 'Institute', presenting: true },
        ...{ orcid: null, affiliations: ['Institute'] },
      },
      { name: 'Grace', email: null, affiliation: null, presenting: false, orcid: null, affiliations: [] },
    ],
    contact: { name: 'Lin', email: 'Lin@Example.org', phone: '+34 600' },
    file_name: 'counting.pdf',
    status: 'rejected',
    decision_note: 'Not\nthis year.',
    decided_at: '2026-10-12T06:00:00.000Z',
    submitted_at: '2026-10-01T08:00:00.000Z',
  })
  const least = (await client.get(`/abstracts/${(ids['A-2'] as string).toUpperCase()}`)).body
  assert.deepEqual(
    [least.status, least.keywords, least.file_name, least.decision_note, least.decided_at],
    ['submitted', null, null, null, null],
  )
  assert.deepEqual(least.contact, { name: 'Lin', email: 'lin@example.org', phone: null })
  assert.deepEqual((await client.get('/abstracts')).body.data, [least, body])
})

test('abstracts are listed newest first, filtered by event and status, each alone and together', async t => {
  const server = await start(t)
  const other = server.applied.events.other?.id
  const queries: [string, string][] = [
    ['', 'becda'],
    [`?event_id=${server.eventId}`, 'bcda'],
    [`?event_id=${server.eventId.toUpperCase()}`, 'bcda'],
    [`?event_id=${other}`, 'e'],
    [`?event_id=${UNKNOWN_ID}`, ''],
    ['?status=submitted', 'be'],
    ['?status=in_review', 'c'],
    ['?status=accepted', 'a'],
    ['?status=rejected', 'd'],
    [`?status=submitted&event_id=${other}`, 'e'],
    [`?status=accepted&event_id=${other}`, ''],
  ]
  for (const [query, expected] of queries) assert.equal(await server.codes(query), expected, query)
})

test('a decided abstract appears under its new status at once, and no longer under the old one', async t => {
  const { client, codes, ids } = await start(t)
  await client.post(`/abstracts/${ids.b}/decision`, { decision: 'accepted' })
  assert.equal(await codes('?status=accepted'), 'ba')
  assert.equal(await codes('?status=submitted'), 'e')
  assert.equal(await codes(''), 'becda')
})

test('pages have each abstract once, and a cursor holds for its own filters only', async t => {
  const { client } = await start(t)
  for (const limit of [1, 2, 4, 5, 100]) {
    const rows = await client.walk(`/abstracts?limit=${limit}`)
    assert.equal(rows.map(({ code }) => code).join(''), 'becda')
  }
  const page = await client.get('/abstracts?status=submitted&limit=1')
  assert.deepEqual([page.body.has_more, page.body.data.length], [true, 1])
  const cursor = page.body.next_cursor
  const next = await client.get(`/abstracts?status=submitted&starting_after=${cursor}`)
  assert.deepEqual([next.body.has_more, next.body.next_cursor], [false, ''])
  for (const path of [
    `/abstracts?starting_after=${cursor}`,
    `/abstracts?status=accepted&starting_after=${cursor}`,
    `/registrations?starting_after=${cursor}`,
    '/abstracts?starting_after=x',
    '/abstracts?starting_after=',
  ]) {
    const { status, body } = await client.get(path)
    assert.deepEqual([status, body.error.code], [400, 'invalid_cursor'], path)
  }
})

test('an unknown parameter of the list, or an impossible value, is a 400 that names it', async t => {
  const { client } = await start(t)
  const refused: [string, string, string][] = [
    ['event_id=', 'event_id', 'invalid_parameter'],
    ['event_id=spring-meeting', 'event_id', 'invalid_parameter'],
    ['status=', 'status', 'invalid_parameter'],
    ['status=Accepted', 'status', 'invalid_parameter'],
    ['status=confirmed', 'status', 'invalid_parameter'],
    ['status=accepted&status=rejected', 'status', 'invalid_parameter'],
    ['limit=0', 'limit', 'invalid_parameter'],
    ['limit=101', 'limit', 'invalid_parameter'],
    ['limit=ten', 'limit', 'invalid_parameter'],
    ['code=a', 'code', 'unknown_parameter'],
    ['__proto__=a', '__proto__', 'unknown_parameter'],
  ]
  for (const [query, param, code] of refused) {
    const { status, body } = await client.get(`/abstracts?${query}`)
    assert.deepEqual([status, body.error.code, body.error.param], [400, code, param], query)
  }
})

test('an account sees no abstract of another: a 404 the same as an unknown one, and an empty list', async t => {
  const { apply, clientOf, eventId, ids } = await start(t)
  const stranger = await clientOf((await apply(organization({ email: 'bob@example.org' }))).account_id)
  const unknown = await stranger.get(`/abstracts/${UNKNOWN_ID}`)
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'not_found'])
  for (const id of [ids.a, eventId, 'a', `${ids.a}%0A`]) {
    const answer = await stranger.get(`/abstracts/${id}`)
    assert.equal(answer.status, 404)
    assert.equal(withoutRequestId(answer), withoutRequestId(unknown))
  }
  for (const query of ['', `?event_id=${eventId}`, '?status=accepted']) {
    assert.deepEqual((await stranger.get(`/abstracts${query}`)).body.data, [])
  }
})

test('reading needs abstracts:read, which does not allow deciding', async t => {
  const { clientOf, anonymous, applied, codes, ids } = await start(t)
  const reader = await clientOf(applied.account_id, { scopes: ['abstracts:read'] })
  const decider = await clientOf(applied.account_id, { scopes: ['abstracts:write'] })
  const one = `/abstracts/${ids.b}`
  for (const path of ['/abstracts', one]) {
    assert.equal((await anonymous.get(path)).status, 401)
    assert.equal((await reader.get(path)).status, 200)
    assert.equal((await decider.get(path)).status, 403)
  }
  assert.equal((await anonymous.post(`${one}/decision`, { decision: 'accepted' })).status, 401)
  const refused = await reader.post(`${one}/decision`, { decision: 'accepted' })
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_scope'])
  assert.equal(await codes('?status=accepted'), 'a')
  assert.equal((await decider.post(`${one}/decision`, { decision: 'accepted' })).status, 200)
})

test('a page of the largest abstracts has about a mebibyte, and the walk gives each of them once', async t => {
  const author = { name: '\u{1f3ab}'.repeat(200), email: 'lin@example.org', affiliation: 'x'.repeat(200) }
  const abstracts = Array.from({ length: 40 }, (_, number) => ({
    code: `A-${number}`,
    title: 'Counting',
    abstract: '\u0001'.repeat(20_000),
    authors: Array.from({ length: 100 }, () => author),
    contact: { name: 'Lin', email: 'lin@example.org' },
    submitted_at: `2026-10-12T08:00:${String(number).padStart(2, '0')}Z`,
  }))
  const { client } = await startWithOrganization(t, organization({ event: { abstracts } }))
  const sizes: number[] = []
  const rows = await client.walk('/abstracts?limit=100', ({ text }) => {
    sizes.push(Buffer.byteLength(text))
  })
  assert.deepEqual(
    rows.map(({ code }) => code),
    abstracts.map(({ code }) => code).reverse(),
  )
  assert.ok(sizes.length > 5 && Math.max(...sizes) < 1.01 * 1024 * 1024, `${sizes}`)
})

test('a page of a hundred ordinary abstracts comes whole', async t => {
  const abstracts = Array.from({ length: 100 }, (_, number) => ({
    code: `A-${number}`,
    title: 'Counting',
    abstract: 'We count, and then we count again. '.repeat(60),
    authors: [{ name: 'Lin', email: 'lin@example.org' }, { name: 'Ada' }],
    contact: { name: 'Lin', email: 'lin@example.org' },
  }))
  const { client } = await startWithOrganization(t, organization({ event: { abstracts } }))
  const { body } = await client.get('/abstracts?limit=100')
  assert.deepEqual([body.data.length, body.has_more, body.next_cursor], [100, false, ''])
})
