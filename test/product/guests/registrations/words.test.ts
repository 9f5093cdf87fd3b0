import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MAX_WORDS } from '#base/words.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { INSTANCE, type Value } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { searchWords } from '#product/guests/registrations/word-search.ts'
import type { Answer } from '#test/support/client.ts'
import { organization, registration } from '#test/support/organization.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { newRegistration } from '#test/support/requests.ts'
import { withRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'

const type = { name: 'Standard', price: 0, capacity: 100_000 }

function fileOf(registrations: object[], others: object[] = [], email = 'ada@example.org') {
  const other = { slug: 'other', title: 'Other', registration_types: [type], registrations: others }
  return organization({ email, event: { registration_types: [type], registrations }, events: [other] })
}

function guest(reference: string, name: string, changes: object = {}) {
  const buyer = { name, email: `${reference}@example.org` }
  return registration(reference, { buyer, ...changes })
}

async function start(t: TestContext, file = fileOf([])) {
  const server = await startWithOrganization(t, file)
  const { applied, client } = server
  const all = Object.values(applied.events).flatMap(event => Object.entries(event.registrations))
  const references = new Map(all.map(([reference, id]) => [id, reference]))
  const search = async (query: Record<string, string>) => {
    const answer = await client.get(`/registrations?${new URLSearchParams(query)}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.map(({ id }: { id: string }) => references.get(id) ?? id).sort()
  }
  const importOf = async (changes: object): Promise<Answer> =>
    client.post('/registrations', newRegistration(server, changes))
  return { ...server, search, importOf, other: applied.events.other?.id as string }
}

/** Wraps a reader, and notes how many rows each read gives. */
function notingLengths(reader: Reader): { noted: Reader; lengths: number[] } {
  const lengths: number[] = []
  const noted: Reader = {
    read: (owner, work) =>
      reader.read(owner, tx => {
        const at = lengths.push(0) - 1
        const all = async <Row>(sql: string, params?: readonly Value[]) => {
          const rows = await tx.all<Row>(sql, params)
          lengths[at] = (lengths[at] ?? 0) + rows.length
          return rows
        }
        const one = async <Row>(sql: string, params?: readonly Value[]) => {
          const row = await tx.one<Row & { found?: unknown }>(sql, params)
          // Rows of words come as one text.
          const text = typeof row?.found === 'string' ? row.found : ''
          lengths[at] = (lengths[at] ?? 0) + JSON.parse(`[${text}]`).length
          return row
        }
        return work(Object.assign(Object.create(tx), { one, all }))
      }),
  }
  return { noted, lengths }
}

test('a registration is found by the beginnings of words of buyer and attendees, in any order', async t => {
  const { search, importOf } = await start(
    t,
    fileOf([
      guest('r1', 'José Pérez', { attendees: [{ name: "Ann O'Brien", email: 'nan.cy@example.org' }] }),
      guest('r2', 'Josefa Ruiz'),
      guest('r3', '山田太郎'),
      // Past the first plane, UTF-16 sorts otherwise than the database.
      guest('r4', 'Q𐐨𐐨'),
    ]),
  )
  const { body } = await importOf({ buyer: { name: 'Jörg', email: 'late@example.org' } })
  for (const [q, found] of [
    ['jose', ['r1', 'r2']],
    ['JOSÉ', ['r1', 'r2']],
    ['perez jos', ['r1']],
    ['jose obrien', ['r1']],
    ["o'b", ['r1']],
    ['nan', ['r1']],
    ['cy jos', ['r1']],
    ['nan.cy@exam', ['r1']],
    ['cy', ['r1']],
    ['太郎', ['r3']],
    ['jor', [body.id]],
    ['LATE@example.org', [body.id]],
    ['q', ['r4']],
    ['q𐐀', ['r4']],
    ['ose', []],
    ['example', []],
    ['jose jorg', []],
    ['--', []],
  ] as const) {
    assert.deepEqual(await search({ q }), [...found], q)
  }
})

test('with other filters a registration must pass each of them; a cancelled one is still found', async t => {
  const changes = { buyer: { name: 'Grace', email: 'one@example.org' } }
  const file = fileOf(
    [guest('r1', 'Grace'), guest('r2', 'Grace')],
    [guest('r3', 'Grace'), guest('r4', 'Ada')],
  )
  const { search, importOf, client, eventId, other } = await start(t, file)
  const { body } = await importOf(changes)
  await client.post(`/registrations/${body.id}/cancel`)
  assert.deepEqual(await search({ q: 'gra', event_id: other }), ['r3'])
  assert.deepEqual(await search({ q: 'gra', event_id: eventId, status: 'confirmed' }), ['r1', 'r2'])
  assert.deepEqual(await search({ q: 'gra', status: 'cancelled' }), [body.id])
  assert.deepEqual(await search({ q: 'gra', email: 'R2@example.org' }), ['r2'])
  assert.deepEqual(await search({ q: 'gra', email: 'r4@example.org' }), [])
  assert.deepEqual(await search({ q: 'r2@example.org', email: 'r1@example.org' }), [])
  assert.deepEqual(await search({ q: 'r2@example.org', event_id: other }), [])
})

test('what is just a reference, an id or the code of a ticket comes alone', async t => {
  const file = fileOf([
    guest('Grace', 'Ada'),
    guest('r2', 'Grace'),
    guest('r3', 'Bob', { attendees: [{ name: 'Cyd', email: 'r2@example.org' }] }),
  ])
  const { search, client } = await start(t, file)
  const [row] = (await client.get('/registrations?q=r3')).body.data
  assert.deepEqual(await search({ q: 'Grace' }), ['Grace'])
  assert.deepEqual(await search({ q: 'grace' }), ['Grace', 'r2'])
  assert.deepEqual(await search({ q: ' R2@Example.org ' }), ['r2', 'r3'])
  for (const q of [row.id, row.id.toUpperCase(), row.attendees[0].id, row.attendees[0].qr_code, ' r3 ']) {
    assert.deepEqual(await search({ q }), ['r3'], q)
    assert.deepEqual(await search({ q, status: 'cancelled' }), [], q)
  }
})

test('a whole e-mail finds what its owner bought and where they are an attendee, with other filters too', async t => {
  const long = 'a.b.c.d.e.f.g.h.i.j.k@x.org'
  const holding = (email: string) => ({ attendees: [{ name: 'Cyd', email }] })
  const { search, eventId, other } = await start(
    t,
    fileOf(
      [
        guest('r1', 'Grace', { buyer: { name: 'Grace', email: 'grace@x.org' } }),
        guest('r2', 'Ada', holding(long)),
      ],
      [guest('r3', 'Bob', holding('Grace@X.org')), guest('r4', 'Dan', holding('_@x.org'))],
    ),
  )
  assert.deepEqual(await search({ q: 'grace@x.org' }), ['r1', 'r3'])
  assert.deepEqual(await search({ q: 'grace@x.org', event_id: eventId }), ['r1'])
  assert.deepEqual(await search({ q: 'grace@x.org', event_id: other }), ['r3'])
  assert.deepEqual(await search({ q: long }), ['r2'])
  assert.deepEqual(await search({ q: '_@x.org' }), ['r4'])
  assert.deepEqual(await search({ q: 'bob grace@x.org' }), ['r3'])
})

test('an e-mail that somebody has finds theirs alone, and one that nobody has what begins so', async t => {
  const guestOf = (reference: string, email: string, changes: object = {}) =>
    guest(reference, 'Grace', { buyer: { name: 'Grace', email }, ...changes })
  const holding = (email: string) => ({ attendees: [{ name: 'Zoe', email }] })
  const { search, other, eventId } = await start(
    t,
    fileOf(
      [
        guestOf('r1', 'grace@x.org'),
        guestOf('r2', 'grace@x.org.uk'),
        guestOf('r3', 'ada@example.org', holding('Grace@X.org')),
        guestOf('r4', 'ada@example.org', holding('zoe@x.org')),
        guestOf('r5', 'ada@example.org', holding('zoe@x.org.uk')),
      ],
      [guestOf('r6', 'grace@x.org.uk')],
    ),
  )
  assert.deepEqual(await search({ q: 'Grace@x.ORG' }), ['r1', 'r3'])
  assert.deepEqual(await search({ q: 'grace@x.org', event_id: eventId }), ['r1', 'r3'])
  assert.deepEqual(await search({ q: 'grace@x.org', event_id: other }), ['r6'])
  assert.deepEqual(await search({ q: 'grace@x.org', email: 'grace@x.org.uk' }), ['r2', 'r6'])
  assert.deepEqual(await search({ q: 'grace@x.or' }), ['r1', 'r2', 'r3', 'r6'])
  assert.deepEqual(await search({ q: 'zoe@x.org' }), ['r4'])
  assert.deepEqual(await search({ q: 'zoe@x.o' }), ['r4', 'r5'])
  assert.deepEqual(await search({ q: 'zoe grace@x.org' }), ['r3'])
})

test('a walk by the beginning of an e-mail leaves nothing out when somebody gets that e-mail meanwhile', async t => {
  const { client, importOf } = await start(t)
  for (const name of ['Ann', 'Bob', 'Cyd']) await importOf({ buyer: { name, email: 'grace@x.org.uk' } })
  const walked = await client.walk('/registrations?q=grace@x.org&limit=1', async () => {
    await importOf({ buyer: { name: 'Grace', email: 'grace@x.org' } })
  })
  assert.equal(walked.length, 3)
})

test('a reference that does not pass the other filters hides nothing that does', async t => {
  const file = fileOf([guest('Martin', 'Ada')], [guest('r2', 'Martin')])
  const { search, other } = await start(t, file)
  assert.deepEqual(await search({ q: 'Martin' }), ['Martin'])
  assert.deepEqual(await search({ q: 'Martin', event_id: other }), ['r2'])
})

test('what is imported between two pages changes nothing of the way that they are found', async t => {
  const { client, importOf } = await start(t, fileOf([guest('r1', 'Grace'), guest('r2', 'Grace')]))
  const walked = await client.walk('/registrations?q=grace&limit=1', async () => {
    await importOf({ reference: 'grace' })
  })
  assert.equal(walked.length, 2)
  const email = 'zoe@example.org'
  for (const name of ['Ann', 'Bob']) await importOf({ attendees: [{ name, email }] })
  const ofHolder = await client.walk(`/registrations?q=${email}&limit=1`, async () => {
    await importOf({ buyer: { name: 'Zoe', email } })
  })
  assert.equal(ofHolder.length, 2)
})

test('a reference that several events have is found in each of them, page by page', async t => {
  const { client } = await start(
    t,
    fileOf([guest('same', 'Ada'), guest('r2', 'Same')], [guest('same', 'Bob')]),
  )
  assert.equal((await client.walk('/registrations?q=same&limit=1')).length, 2)
})

test('nothing of another account is found, by whatever it is looked for', async t => {
  const { search, apply, clientOf } = await start(t, fileOf([guest('r1', 'Ada')]))
  const bob = await apply(fileOf([guest('theirs', 'Grace', { reference: 'theirs' })], [], 'bob@example.org'))
  const theirs = (await (await clientOf(bob.account_id)).get('/registrations?q=grace')).body.data
  assert.equal(theirs.length, 1)
  const [{ id, attendees }] = theirs
  for (const q of ['grace', 'theirs', 'theirs@example.org', id, attendees[0].id, attendees[0].qr_code]) {
    assert.deepEqual(await search({ q }), [], q)
  }
  assert.deepEqual(await search({ q: 'grace', event_id: bob.events['spring-meeting']?.id as string }), [])
})

test('what is looked for has 1 to 254 visible characters, and its cursor is for it alone', async t => {
  const { client } = await start(t, fileOf([guest('r1', 'Grace'), guest('r2', 'Grace')]))
  const { next_cursor: cursor } = (await client.get('/registrations?q=grace&limit=1')).body
  for (const query of ['q=', 'q=%20', 'q=%00', 'q=a%0Ab', `q=${'x'.repeat(255)}`, 'q=a&q=b']) {
    const { status, body } = await client.get(`/registrations?${query}`)
    assert.deepEqual([status, body.error.param], [400, 'q'], query)
  }
  assert.equal((await client.get(`/registrations?q=${'x'.repeat(254)}`)).status, 200)
  for (const query of ['', 'q=grac&', 'q=grace&status=confirmed&']) {
    const { body } = await client.get(`/registrations?${query}starting_after=${cursor}`)
    assert.equal(body.error?.code, 'invalid_cursor', query)
  }
})

test('a walk gives each registration once, newest first, while others arrive; many have one instant', async t => {
  const created_at = '2026-10-01T10:00:00Z'
  const same = Array.from({ length: 450 }, (_, at) => guest(`s${at}`, 'Grace', { created_at }))
  const { client, db, importOf } = await start(
    t,
    fileOf([...same, guest('old', 'Grace', { created_at: '2025-01-01T00:00:00Z' })]),
  )
  for (let at = 0; at < 5; at++) await importOf({ buyer: { name: 'Grace', email: 'a@example.org' } })
  const expected = await db.read(INSTANCE, tx =>
    tx.all<{ id: string }>('SELECT id FROM registrations ORDER BY created_at DESC, id DESC'),
  )
  for (const limit of [100, 37]) {
    const walked = await client.walk(`/registrations?q=gra&limit=${limit}`, async () => {
      await importOf({ buyer: { name: 'Grace', email: 'late@example.org' } })
    })
    assert.deepEqual(
      walked.map(({ id }) => id).filter(id => expected.some(row => row.id === id)),
      expected.map(({ id }) => id),
    )
    assert.equal(new Set(walked.map(({ id }) => id)).size, walked.length)
  }
})

test('where every word is common the newest are looked at, and a page that ends early says where it goes on; each read is short', async t => {
  const holder = { name: 'Zoe', email: 'grace@xylophone.example' }
  const old = guest('old', 'Grace', { created_at: '2025-01-01T00:00:00Z', attendees: [holder] })
  const server = await start(t, fileOf([old]))
  const { client, data, applied, eventId, types, search, other } = server
  await insertCrowd(
    { data, accountId: applied.account_id, eventId, typeId: types.Standard as string },
    { count: 20_001 },
  )
  const page = await client.get('/registrations?q=grace&limit=3')
  const newest = await client.get('/registrations?limit=3')
  assert.deepEqual(page.body.data, newest.body.data)
  assert.equal(page.body.has_more, true)

  const sizes: number[] = []
  const walked = await client.walk('/registrations?q=grace@xylo', ({ body }) => {
    sizes.push(body.data.length)
  })
  assert.deepEqual(sizes, [0, 0, 0, 0, 1])
  assert.equal(walked[0].attendees[0].name, 'Zoe')
  const { noted, lengths } = notingLengths(server.db)
  const wanted = { text: '1', event_id: undefined, status: undefined, buyer_email_key: undefined }
  assert.equal([...(await searchWords(noted, applied.account_id, wanted, { limit: 3 })).rows].length, 3)
  assert.ok(lengths.reduce((sum, length) => sum + length) > 10_000)
  assert.ok(Math.max(...lengths) <= 4_000, `${Math.max(...lengths)} rows in one read`)

  // A rare word leads there at once, whatever else is searched for.
  assert.deepEqual(await search({ q: 'grace zo' }), ['old'])
  assert.deepEqual(await search({ q: 'grace', event_id: other }), [])
  assert.deepEqual(await search({ q: 'grace', email: 'old@example.org' }), ['old'])
})

test('where few are of the status that is wanted, they are looked at and not all that have the words', async t => {
  const { applied, data, db, eventId, types, client } = await start(t)
  const place = { data, accountId: applied.account_id, eventId, typeId: types.Standard as string }
  await insertCrowd(place, { count: 3_000 })
  const { body } = await client.get('/registrations?limit=1')
  await client.post(`/registrations/${body.data[0].id}/cancel`)
  const { noted, lengths } = notingLengths(db)
  const wanted = {
    text: 'grace',
    event_id: undefined,
    status: 'cancelled' as const,
    buyer_email_key: undefined,
  }
  const page = await searchWords(noted, applied.account_id, wanted, { limit: 10 })
  assert.deepEqual([[...page.rows].length, page.ends], [1, false])
  // The search reads the rows of the word, and little else.
  const read = lengths.reduce((sum, length) => sum + length)
  assert.ok(read < 3_020, `${read} rows`)
})

test('of thousands of one instant a page reads as many as it has, and a walk gives each once, in their order', async t => {
  const { applied, data, db, eventId, types, client } = await start(t)
  const place = { data, accountId: applied.account_id, eventId, typeId: types.Standard as string }
  await insertCrowd(place, { count: 5_200 })
  // All rows but ten are of one instant.
  await withRows(data, async rows => {
    for (const table of ['registrations', 'registration_words'])
      await rows.run(
        `UPDATE ${table} SET created_at = 1 WHERE created_at < (SELECT max(created_at) - 9 FROM registrations)`,
      )
  })
  const { noted, lengths } = notingLengths(db)
  const wanted = { text: 'grace', event_id: undefined, status: undefined, buyer_email_key: undefined }
  const page = await searchWords(noted, applied.account_id, wanted, { limit: 30 })
  assert.equal([...page.rows].length, 30)
  const read = lengths.reduce((sum, length) => sum + length)
  assert.ok(read < 5_200 + 500, `${read} rows`)
  const walked = await client.walk('/registrations?q=grace&limit=100')
  const rows = await db.read(INSTANCE, tx =>
    tx.all<{ id: string }>('SELECT id FROM registrations ORDER BY created_at DESC, id DESC'),
  )
  assert.deepEqual(
    walked.map(({ id }) => id),
    rows.map(({ id }) => id),
  )
})

test('where registrations have many tickets, few are looked at in one turn, and a page ends after some thousand tickets', async t => {
  const { applied, data, db, eventId, types } = await start(t)
  const place = { data, accountId: applied.account_id, eventId, typeId: types.Standard as string }
  await insertCrowd(place, { count: 120, tickets: 100 })
  for (const buyer_email_key of [undefined, 'grace@example.org']) {
    const { noted, lengths } = notingLengths(db)
    // Each has the words, and none has the e-mail.
    const wanted = { text: 'guest grace@zzz', event_id: undefined, status: undefined, buyer_email_key }
    const page = await searchWords(noted, applied.account_id, wanted, { limit: 10 })
    assert.deepEqual([[...page.rows].length, page.ends], [0, true])
    assert.ok(Math.max(...lengths) <= 500, `${Math.max(...lengths)} rows in one read`)
    const sum = lengths.reduce((all, length) => all + length)
    assert.ok(sum >= 5_000 && sum < 6_000, `${sum} rows`)
  }
})

test('one registration writes a bounded number of words, and each of its people is found by some', async t => {
  const { importOf, db, search } = await start(t)
  const name = (at: number) =>
    String.fromCodePoint(...Array.from({ length: 200 }, (_, by) => 0x4e00 + at * 200 + by))
  const attendees = Array.from({ length: 100 }, (_, at) => ({ name: name(at), email: `g${at}@example.org` }))
  const { status, body } = await importOf({ attendees })
  assert.equal(status, 201)
  const rows = await db.read(INSTANCE, tx => tx.all('SELECT * FROM registration_words'))
  assert.equal(rows.length, MAX_WORDS)
  assert.deepEqual(await search({ q: name(3) }), [body.id])
  assert.deepEqual(await findDamage(db), [])
})

test('an import that is refused leaves no words', async t => {
  const { importOf, db } = await start(
    t,
    organization({ event: { registration_types: [{ ...type, capacity: 1 }] } }),
  )
  assert.equal((await importOf({})).status, 201)
  assert.equal((await importOf({ buyer: { name: 'Zoe', email: 'z@example.org' } })).status, 409)
  const words = await db.read(INSTANCE, tx => tx.all<{ word: string }>('SELECT word FROM registration_words'))
  assert.deepEqual(words, [{ word: 'grace' }])
})

test('a file brings its words beside imports that come while it is made ready', async t => {
  const { db, apply, importOf, search, applied } = await start(t, fileOf([guest('r1', 'Ada')]))
  const stage = db.stage.bind(db)
  t.mock.method(db, 'stage', async (...rows: Parameters<typeof stage>) => {
    assert.equal((await importOf({ buyer: { name: 'Zoe', email: 'zoe@example.org' } })).status, 201)
    return stage(...rows)
  })
  const more = {
    slug: 'third',
    title: 'Third',
    registration_types: [type],
    registrations: [guest('r4', 'Dan')],
  }
  const file = fileOf([guest('r1', 'Ada'), guest('r2', 'Bob')], [guest('r3', 'Cyd')])
  const { events } = await apply({ ...file, events: [...file.events, more] })
  for (const [q, id] of [
    ['bob', events['spring-meeting']?.registrations.r2],
    ['cyd', events.other?.registrations.r3],
    ['dan', events.third?.registrations.r4],
  ] as const) {
    assert.deepEqual(await search({ q }), [id])
    assert.deepEqual(
      await search({ q, event_id: applied.events.other?.id as string }),
      q === 'cyd' ? [id] : [],
    )
  }
  assert.equal((await search({ q: 'zoe' })).length, 1)
  assert.deepEqual(await findDamage(db), [])
})
