import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { readState } from '#test/support/observations.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const GRACE = { name: 'Grace', email: 'grace@example.org' }

test('names are kept exactly, trimmed and in NFC, in whatever script', async t => {
  const server = await startWithOrganization(t)
  const names: [string, string?][] = [
    ['Grace 👩‍👩‍👧‍👦 Hopper'],
    ['עברית مرحبا'],
    ['𠜎𠜱𡿺'],
    ['\u202Eright to left\u202C'],
    ['  inner  and outer spaces  ', 'inner  and outer spaces'],
    ['\t Grace\r\n', 'Grace'],
    ['\ufeff\u00a0Grace\u3000\u2028', 'Grace'],
    [`${' '.repeat(300)}${'x'.repeat(200)}${' '.repeat(300)}`, 'x'.repeat(200)],
    // A character that is no white space stays, though nobody sees it.
    ['\u200bGrace\u200b'],
    ['<script>"\'&\\/'],
    ['=SUM(A1)'],
    ['Ame\u0301lie', 'Am\u00e9lie'],
    ['\u1100\u1161\u11a8', '각'],
    ['Z\u0351\u036b'],
    ['😀'.repeat(200)],
    ['e\u0301'.repeat(200), 'é'.repeat(200)],
    // No letter comes from more code points than this one, U+1F82.
    ['\u03b1\u0313\u0300\u0345'.repeat(200), '\u1f82'.repeat(200)],
    [`Z${'\u0334'.repeat(30)}algo`],
    ['x'],
  ]
  for (const [sent, kept = sent] of names) {
    const body = newRegistration(server, { buyer: { ...GRACE, name: sent }, attendees: [{ name: sent }] })
    const answer = await server.client.post('/registrations', body)
    assert.equal(answer.status, 201, sent)
    const read = await server.client.get(`/registrations/${answer.body.id}`)
    assert.deepEqual([read.body.buyer.name, read.body.attendees[0].name], [kept, kept])
  }
})

test('e-mails are trimmed, and otherwise kept as given', async t => {
  const server = await startWithOrganization(t)
  const longest = `${'a'.repeat(242)}@example.org`
  const emails: [string, string?][] = [
    [' \t Grace.Hopper+Tag@Example.ORG \r\n', 'Grace.Hopper+Tag@Example.ORG'],
    [longest],
    [` ${longest} `, longest],
    ["o'hara!#$%&*/=?^_`{|}~-@x"],
    ['a@b-c.d2'],
    ['grace@München.example'],
    ['Grace@MU\u0308NCHEN.example'],
    ['grace@xn--mnchen-3ya.example'],
    ['a@пример.испытание'],
    ['a@例え.テスト'],
    ['a@ファミリー・マート.jp'],
    ['a@ΣΟΦΟΣ.gr'],
    ['a@mail.faß.de'],
    ['a@PARAL·LEL.cat'],
    ['a@رایانه\u200cها.example'],
    ['a@münchen.xn--p1ai'],
    [`${'a'.repeat(240)}@ü.org`],
  ]
  for (const [sent, kept = sent] of emails) {
    const body = newRegistration(server, {
      buyer: { ...GRACE, email: sent },
      attendees: [{ name: 'A', email: sent }],
    })
    const answer = await server.client.post('/registrations', body)
    assert.equal(answer.status, 201, sent)
    assert.deepEqual([answer.body.buyer.email, answer.body.attendees[0].email], [kept, kept])
  }
})

test('an e-mail is found by its domain in any form: in letters of any case, and in those of the name system', async t => {
  const server = await startWithOrganization(t)
  const { client } = server
  const forms = ['Grace@München.example', 'grace@MU\u0308NCHEN.example', 'GRACE@xn--mnchen-3ya.example']
  for (const email of forms) {
    const { status } = await client.post(
      '/registrations',
      newRegistration(server, { buyer: { name: 'G', email } }),
    )
    assert.equal(status, 201)
  }
  // This is another domain, which only looks the same: its first letter is a Cyrillic one.
  const homograph = { name: 'G', email: 'grace@мünchen.example' }
  await client.post('/registrations', newRegistration(server, { buyer: homograph }))
  for (const form of forms) {
    const { body } = await client.get(`/registrations?email=${encodeURIComponent(form)}`)
    const found = body.data.map((row: { buyer: { email: string } }) => row.buyer.email)
    assert.deepEqual(found, forms.toReversed(), form)
  }
  assert.deepEqual(await findDamage(server.db), [])
})

test('of a ticket and of the form only the names are trimmed: a seat and an answer are kept as they are', async t => {
  const server = await startWithOrganization(t)
  const seat = ' A 1\t'
  const answers = { ' diet ': ' vegan ' }
  const body = newRegistration(server, { attendees: [{ name: ' Grace ', seat }], answers })
  const { body: made } = await server.client.post('/registrations', body)
  const [ticket] = made.attendees
  assert.deepEqual([ticket.name, ticket.seat, made.answers], ['Grace', seat, answers])
})

const refusedNames = [
  ['\u200b', '\u00ad', '\u2800', '\u3164', '\u0301', `Z${'\u0334'.repeat(31)}algo`, '\u0301'.repeat(200_000)],
  [
    '',
    ' ',
    '\u3000\u2003',
    '\r\n',
    ' \u200b ',
    `${' '.repeat(800)}x`,
    ` ${'x'.repeat(201)} `,
    'a\nb',
    'a\tb',
    'bell\u0007',
    'next\u0085line',
    'del\u007f',
  ],
  [
    '\ud800',
    'x\udc00',
    'a\u0000b',
    'x'.repeat(201),
    '😀'.repeat(201),
    'x'.repeat(5000),
    7,
    null,
    true,
    ['x'],
    {},
  ],
].flat()

const refusedEmails = [
  [
    '',
    ' ',
    'grace',
    'grace@',
    '@example.org',
    'a b@example.org',
    'a@b..org',
    'a@-b.org',
    'a@b-.org',
    'a@b.org.',
  ],
  ['é@example.org', 'a@ü@ü.org', 'a@.ü.org', 'a@ü..org', 'a@ü.org.', 'a@-ü.org', 'a@ü-.org', 'a@xn--ü.org'],
  // Nothing of them is seen, or it is another character than it seems: the domain that they lead to is written otherwise.
  ['a@mün\u00adchen.org', 'a@mün\u200bchen.org', 'a@mün\u200dchen.org', 'a@\u202eü.org', 'a@ü\ufe0f.org'],
  [
    'a@ｅxample.org',
    'a@ﬁ.org',
    'a@ü。org',
    'a@ü．org',
    'a@ü⁄b.org',
    'a@a·b.org',
    'a@ü_b.org',
    'a@ü b.org',
    'a@i❤.ws',
  ],
  [
    'a@\u0301ü.org',
    'a@אa.org',
    'a@ü.1',
    'a@ü%41.org',
    'a@ü:1.org',
    'a@ü/b.org',
    'a@ü\t.org',
    'a@ü\ud800.org',
  ],
  [`a@${'ü'.repeat(60)}.org`, `${'a'.repeat(243)}@ü.org`, `a@${'ü.'.repeat(120)}org`],
  ['a@b@c', 'a\n@b.org', '<a@b.org>', '"a"@b.org', 'a@[127.0.0.1]'],
  [
    `a@${'b'.repeat(64)}.org`,
    `${'a'.repeat(243)}@example.org`,
    'a\ud800@b.org',
    'a\u0000@b.org',
    7,
    ['a@b.org'],
  ],
].flat()

const refusedQuantities = [0, -1, 101, 1.5, 1e300, '1', '', null, true, [1], {}]

const refusedIds = ['', '1', 'spring-meeting', 7, null, '\u0000', '\ud800', {}, `{${'0'.repeat(34)}}`]

const refusedAnswers: [unknown, string][] = [
  [[], 'a list'],
  [null, 'null'],
  ['diet', 'a string'],
  [{ diet: 1 }, 'a number'],
  [{ diet: null }, 'null as a value'],
  [{ diet: ['vegan'] }, 'a list as a value'],
  [{ diet: { kind: 'vegan' } }, 'an object as a value'],
  [{ '': 'x' }, 'an empty key'],
  [{ ['k'.repeat(65)]: 'x' }, 'a key of 65'],
  [{ ['😀'.repeat(65)]: 'x' }, 'a key of 65 code points'],
  [{ k: 'v'.repeat(5001) }, 'a value of 5,001'],
  [{ k: '😀'.repeat(5001) }, 'a value of 5,001 code points'],
  [{ 'k\u0000': 'x' }, 'U+0000 in a key'],
  [{ k: '\u0000' }, 'U+0000 in a value'],
  [{ '\ud800': 'x' }, 'a lone surrogate in a key'],
  [{ k: '\udfff' }, 'a lone surrogate in a value'],
  [Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, ''])), '101 answers'],
]

const others: [object, string, string][] = [
  [{ buyer: undefined }, 'buyer', 'no buyer'],
  [{ buyer: null }, 'buyer', 'buyer null'],
  [{ buyer: 'Grace' }, 'buyer', 'buyer a string'],
  [{ buyer: [] }, 'buyer', 'buyer a list'],
  [{ buyer: { name: 'Grace' } }, 'buyer.email', 'no e-mail'],
  [{ buyer: { email: GRACE.email } }, 'buyer.name', 'no name'],
  [{ event_id: undefined }, 'event_id', 'no event'],
  [{ registration_type_id: undefined }, 'registration_type_id', 'no type'],
  [{ attendees: [] }, 'attendees', 'no attendees in the list'],
  [{ attendees: null }, 'attendees', 'attendees null'],
  [{ attendees: GRACE }, 'attendees', 'attendees an object'],
  [{ attendees: Array(101).fill(GRACE) }, 'attendees', '101 attendees'],
  [{ attendees: [GRACE], quantity: 2 }, 'attendees', 'fewer attendees than tickets'],
  [{ attendees: [GRACE, GRACE], quantity: 1 }, 'attendees', 'more attendees than tickets'],
  [{ attendees: [GRACE, null] }, 'attendees.1', 'an attendee null'],
  [{ attendees: [{ email: GRACE.email }] }, 'attendees.0.name', 'an attendee without a name'],
  [{ attendees: [{ ...GRACE, seat: 's'.repeat(51) }] }, 'attendees.0.seat', 'a seat of 51'],
  [{ attendees: [{ ...GRACE, seat: 7 }] }, 'attendees.0.seat', 'a seat of a number'],
  [{ attendees: [{ ...GRACE, seat: '\ud800' }] }, 'attendees.0.seat', 'a lone surrogate in a seat'],
  [{ attendees: [{ ...GRACE, seat: '\u0000' }] }, 'attendees.0.seat', 'U+0000 in a seat'],
  [{ language: 'de' }, 'language', 'another language'],
  [{ language: 'EN' }, 'language', 'a language in upper case'],
  [{ language: null }, 'language', 'language null'],
]

const cases: [changes: object, param: string, what: string][] = [
  ...refusedNames.map((name): [object, string, string] => [
    { buyer: { ...GRACE, name } },
    'buyer.name',
    `${name}`,
  ]),
  ...refusedNames.map((name): [object, string, string] => [
    { attendees: [GRACE, { name }] },
    'attendees.1.name',
    `${name}`,
  ]),
  ...refusedEmails.map((email): [object, string, string] => [
    { buyer: { ...GRACE, email } },
    'buyer.email',
    `${email}`,
  ]),
  ...refusedEmails.map((email): [object, string, string] => [
    { attendees: [{ name: 'A', email }] },
    'attendees.0.email',
    `${email}`,
  ]),
  ...refusedQuantities.map((quantity): [object, string, string] => [{ quantity }, 'quantity', `${quantity}`]),
  ...refusedIds.map((event_id): [object, string, string] => [{ event_id }, 'event_id', `${event_id}`]),
  ...refusedIds.map((id): [object, string, string] => [
    { registration_type_id: id },
    'registration_type_id',
    `${id}`,
  ]),
  ...refusedAnswers.map(([answers, what]): [object, string, string] => [{ answers }, 'answers', what]),
  ...others,
]

test('a value that no registration may have is a 400 that names its field, and leaves nothing behind', async t => {
  const server = await startSubscribed(t)
  const before = await readState(server.db)
  for (const [changes, param, what] of cases) {
    const { status, body } = await server.client.post('/registrations', newRegistration(server, changes))
    assert.deepEqual(
      [status, body.error.code, body.error.param],
      [400, 'invalid_parameter', param],
      `${param} ${what}`,
    )
    assert.equal(body.error.type, 'invalid_request_error')
  }
  assert.deepEqual(await readState(server.db), before)
})

test('a number that JSON cannot hold, or that is too precise for an integer, is no quantity', async t => {
  const server = await startSubscribed(t)
  const before = await readState(server.db)
  for (const quantity of ['1e999', '-0', '1.0000001', '0.9999']) {
    const body = JSON.stringify(newRegistration(server, { quantity: 'Q' })).replace('"Q"', quantity)
    assert.equal((await server.client.post('/registrations', body)).status, 400, quantity)
  }
  assert.deepEqual(await readState(server.db), before)
})

test('form answers at their limits are kept', async t => {
  const server = await startWithOrganization(t)
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, `v${at}`]))
  const long = { ['😀'.repeat(64)]: '👩'.repeat(5000), empty: '', 'white\tspace\n': ' \r\n ' }
  for (const answers of [many, long, {}]) {
    const { status, body } = await server.client.post('/registrations', newRegistration(server, { answers }))
    assert.equal(status, 201)
    assert.deepEqual((await server.client.get(`/registrations/${body.id}`)).body.answers, answers)
  }
})

test('answers named like inherited properties are ordinary answers', async t => {
  const server = await startWithOrganization(t)
  const answers =
    '{"__proto__":"p","constructor":"c","toString":"t","hasOwnProperty":"h","valueOf":"","a.b":"d"}'
  const sent = JSON.stringify(newRegistration(server, { answers: 'A' })).replace('"A"', answers)
  const created = await server.client.post('/registrations', sent)
  assert.equal(created.status, 201, created.text)
  const read = await server.client.get(`/registrations/${created.body.id}`)
  const listed = await server.client.get('/registrations')
  for (const answer of [created, read, listed])
    assert.ok(answer.text.includes(`"answers":${answers}`), answer.text)
  const poisoned = sent.replace('"p"', '{"admin":"yes"}')
  assert.equal((await server.client.post('/registrations', poisoned)).status, 400)
})

test('seats of 50 characters, an empty seat and null are kept', async t => {
  const server = await startWithOrganization(t)
  const seats = ['💺'.repeat(50), '', null, 'Row 1\tSeat 2']
  const attendees = seats.map(seat => ({ name: 'A', email: null, seat }))
  const { body } = await server.client.post('/registrations', newRegistration(server, { attendees }))
  assert.deepEqual(
    body.attendees.map((attendee: { seat: string | null }) => attendee.seat),
    seats,
  )
})
