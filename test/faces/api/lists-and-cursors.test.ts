import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

const registrations = Array.from({ length: 30 }, (_, at) =>
  registration(`r${at}`, {
    status: 'confirmed',
    // Three rows share each instant, so that a page ends among rows of the same one.
    created_at: `2026-11-${String(1 + Math.floor(at / 3)).padStart(2, '0')}T10:00:00.000Z`,
    attendees: [{ name: 'Grace', checked_in_at: `2026-11-21T10:00:0${at % 3}.000Z` }],
  }),
)
const file = organization({
  event: { registrations },
  events: ['b', 'c', 'd'].map(slug => ({ slug, title: slug, registration_types: [] })),
})

const LISTS = ['/events', '/registrations', '/check-ins']

test('a page has 25 rows by default, and from 1 to 100 where it is asked for', async t => {
  const { client } = await startWithOrganization(t, file)
  const page = async (query: string) => {
    const { body } = await client.get(`/registrations${query}`)
    return [body.data.length, body.has_more, body.next_cursor !== '']
  }
  assert.deepEqual(await page(''), [25, true, true])
  assert.deepEqual(await page('?limit=1'), [1, true, true])
  assert.deepEqual(await page('?limit=29'), [29, true, true])
  assert.deepEqual(await page('?limit=30'), [30, false, false])
  assert.deepEqual(await page('?limit=100'), [30, false, false])
})

test('a limit that is no integer from 1 to 100 is a 400, on every list', async t => {
  const { client } = await startWithOrganization(t, file)
  for (const list of LISTS) {
    for (const limit of [
      '0',
      '101',
      '-1',
      '1.5',
      '1e1',
      '010',
      '',
      '%201',
      '+1',
      '0x1',
      'ten',
      '1,2',
      'NaN',
      '٣',
    ]) {
      const { status, body } = await client.get(`${list}?limit=${limit}`)
      const { code, param } = body.error
      assert.deepEqual([status, code, param], [400, 'invalid_parameter', 'limit'], `${list} ${limit}`)
    }
  }
})

test('pages follow each other without a gap or a row twice, whatever their size', async t => {
  const { client } = await startWithOrganization(t, file)
  for (const list of LISTS) {
    const complete = (await client.get(`${list}?limit=100`)).body.data
    for (const limit of [1, 2, 3, 4, 7, 29, 30]) {
      assert.deepEqual(await client.walk(`${list}?limit=${limit}`), complete, `${list} ${limit}`)
    }
  }
})

test('rows are newest first, and those of one instant by their id', async t => {
  const { client } = await startWithOrganization(t, file)
  for (const [list, instant] of [
    ['/registrations', 'created_at'],
    ['/check-ins', 'checked_in_at'],
    ['/events', 'created_at'],
  ] as const) {
    const rows = await client.walk(`${list}?limit=4`)
    const keys = rows.map(row => `${row[instant]} ${row.id}`)
    assert.deepEqual(keys, [...keys].sort().reverse(), list)
  }
})

test('the limit may change between pages', async t => {
  const { client } = await startWithOrganization(t, file)
  const { data: complete } = (await client.get('/registrations?limit=100')).body
  const rows = []
  let cursor = ''
  for (const limit of [1, 10, 2, 100]) {
    const { body } = await client.get(`/registrations?limit=${limit}${cursor && `&starting_after=${cursor}`}`)
    rows.push(...body.data)
    cursor = body.next_cursor
  }
  assert.equal(cursor, '')
  assert.deepEqual(rows, complete)
})

test('rows that arrive meanwhile do not shift the pages', async t => {
  const server = await startWithOrganization(t, file)
  const { data: complete } = (await server.client.get('/registrations?limit=100')).body
  const walked = await server.client.walk('/registrations?limit=4', async () => {
    await server.client.post('/registrations', newRegistration(server))
  })
  assert.deepEqual(walked, complete)
  assert.equal((await server.client.walk('/registrations')).length, 30 + 8)
})

test('a cursor survives the cancelling, and the leaving of the filter, of the row that it points at', async t => {
  const server = await startWithOrganization(t, file)
  const path = `/registrations?status=confirmed&event_id=${server.eventId}&limit=5`
  const first = (await server.client.get(path)).body
  const expected = (await server.client.get(`${path}&starting_after=${first.next_cursor}`)).body
  assert.equal((await server.client.post(`/registrations/${first.data[4].id}/cancel`)).status, 200)
  const after = await server.client.get(`${path}&starting_after=${first.next_cursor}`)
  assert.deepEqual([after.status, after.body], [200, expected])
})

test('a cursor that was altered in any one position is a 400', async t => {
  const { client } = await startWithOrganization(t, file)
  for (const list of LISTS) {
    const { next_cursor: cursor } = (await client.get(`${list}?limit=1`)).body
    const altered = [...cursor].flatMap((character, at) =>
      ['A', 'B', '_']
        .filter(other => other !== character)
        .map(other => cursor.slice(0, at) + other + cursor.slice(at + 1)),
    )
    const cut = [
      cursor.slice(1),
      cursor.slice(0, -1),
      cursor.slice(0, 16),
      `${cursor}A`,
      `A${cursor}`,
      cursor + cursor,
    ]
    const encoded = [
      `${cursor}=`,
      `%20${cursor}`,
      `${cursor}%0A`,
      `${cursor}%00`,
      encodeURIComponent(`${cursor}é`),
    ]
    const texts = ['', '0', 'null', 'x'.repeat(5000), '%F0%9F%98%80', '%ff', ...cut, ...encoded]
    await Promise.all(
      [...altered, ...texts].map(async text => {
        const { status, body } = await client.get(`${list}?limit=1&starting_after=${text}`)
        const { code, param } = body.error ?? {}
        assert.deepEqual([status, code, param], [400, 'invalid_cursor', 'starting_after'], `${list} ${text}`)
      }),
    )
    assert.equal((await client.get(`${list}?limit=1&starting_after=${cursor}`)).status, 200)
  }
})

test('a cursor is good for its own list, filters and account alone', async t => {
  const server = await startWithOrganization(t, file)
  const { client, eventId } = server
  const other = await server.apply({ ...file, account: { ...file.account, email: 'bob@example.org' } })
  const stranger = await server.clientOf(other.account_id)
  const colleague = await server.clientOf(server.applied.account_id)
  const filters = [
    '/registrations?',
    '/registrations?status=confirmed&',
    '/registrations?email=grace@example.org&',
    `/registrations?event_id=${eventId}&`,
    `/registrations?event_id=${eventId}&status=confirmed&`,
    '/check-ins?',
    `/check-ins?event_id=${eventId}&`,
    '/events?',
  ]
  for (const own of filters) {
    const cursor = (await client.get(`${own}limit=2`)).body.next_cursor
    for (const path of filters) {
      const answer = await client.get(`${path}starting_after=${cursor}`)
      assert.equal(answer.status, path === own ? 200 : 400, `${own} -> ${path}`)
      if (path !== own) assert.equal(answer.body.error.code, 'invalid_cursor')
    }
    assert.equal((await stranger.get(`${own}starting_after=${cursor}`)).status, 400)
    assert.equal((await colleague.get(`${own}starting_after=${cursor}`)).status, 200)
  }
})

test('a filter in another spelling is the same filter to a cursor', async t => {
  const { client, eventId } = await startWithOrganization(t, file)
  const { next_cursor } = (
    await client.get(`/registrations?limit=2&email=grace@example.org&event_id=${eventId}`)
  ).body
  const spelled = `/registrations?event_id=${eventId.toUpperCase()}&email=GRACE@example.org`
  assert.equal((await client.get(`${spelled}&starting_after=${next_cursor}`)).status, 200)
})

test('a cursor is good after a restart, for it is signed with a secret of the database', async t => {
  const server = await startWithOrganization(t, file)
  const { next_cursor } = (await server.client.get('/events?limit=1')).body
  await server.app.close()
  const { startServer } = await import('#test/support/server.ts')
  const again = await startServer(t, { data: server.data })
  const answer = await again.anonymous.get(`/events?starting_after=${next_cursor}`, {
    key: server.client.key as string,
  })
  assert.deepEqual([answer.status, answer.body.data.length], [200, 3])
})

test('parameters that a list does not know, or that come twice, are a 400 that names them', async t => {
  const { client } = await startWithOrganization(t, file)
  for (const list of LISTS) {
    for (const name of [
      'page',
      'Limit',
      'limit[]',
      'offset',
      '__proto__',
      'constructor',
      'toString',
      'sort',
      '',
    ]) {
      const { status, body } = await client.get(`${list}?${encodeURIComponent(name)}=1`)
      assert.deepEqual([status, body.error.code], [400, 'unknown_parameter'], `${list} ${name}`)
    }
    for (const query of ['limit=1&limit=1', 'limit=1&limit=2', 'starting_after=a&starting_after=b']) {
      const { status, body } = await client.get(`${list}?${query}`)
      assert.deepEqual([status, body.error.code], [400, 'invalid_parameter'], `${list} ${query}`)
    }
    assert.equal((await client.get(`${list}?`)).status, 200)
  }
  const repeated = await client.get('/registrations?status=pending&email=a@b.org&status=pending')
  assert.deepEqual([repeated.status, repeated.body.error.param], [400, 'status'])
  for (const query of ['status=pending', 'email=a@b.org']) {
    assert.equal((await client.get(`/check-ins?${query}`)).body.error.code, 'unknown_parameter')
    assert.equal((await client.get(`/events?${query}`)).body.error.code, 'unknown_parameter')
  }
})
