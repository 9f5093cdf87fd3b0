import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { organization, registration } from '#test/support/organization.ts'

const instant = '2026-11-01T00:00:00Z'
const place = (name: string, capacity: number, changes = {}) => ({ name, price: 5000, capacity, ...changes })

/** Makes a database that has the spring meeting with three sold places, and returns the messages about a file for it. */
async function withDatabase(t: TestContext, event: object = {}) {
  const cli = commandLine(t)
  const sold = [registration('old', { quantity: 3, amount_total: 5000, created_at: instant })]
  const before = organization({ event: { registrations: sold, ...event } })
  await cli.json('apply', cli.write('before.json', before))
  const exported = await cli.json('export')
  const messagesOf = async (file: object, ...flags: string[]) => {
    const outcomes: string[][] = []
    for (const mode of [[], ['--dry-run'], ['--in-batches']]) {
      const path = cli.write('f.json', file)
      const { code, out, err } = await cli.turnout('apply', path, '--data', cli.data, ...mode, ...flags)
      assert.deepEqual([code, out], [1, ''], err)
      outcomes.push(err.trimEnd().split('\n'))
    }
    assert.deepEqual(await cli.json('export'), exported)
    assert.deepEqual(outcomes, [outcomes[0], outcomes[0], outcomes[0]])
    return outcomes[0]?.map(line => line.replace(/^error: /, ''))
  }
  return { ...cli, messagesOf }
}

test('ten mistakes of every kind are told in one go, in the order of the file, and mended in one go', async t => {
  const { messagesOf, json, write } = await withDatabase(t)
  const file = (mended: boolean) => {
    const or = <Value>(right: Value, wrong: unknown) => (mended ? right : wrong)
    return {
      webhooks: [
        { url: or('https://example.org/hook', 'https://10.0.0.1/'), types: ['ping'] },
        { url: 'https://example.org/other', types: or(['ping'], []) },
      ],
      account: { name: or('Ada Events', ' '), email: 'ada@example.org' },
      events: [
        {
          slug: 'spring-meeting',
          title: 'Spring Meeting',
          currency: or('EUR', 'USD'),
          starts_at: '2026-11-21T09:00:00Z',
          ends_at: or(null, '2026-11-20T09:00:00Z'),
          registrations: [
            registration('new', { [or('quantity', 'quantiy') as string]: 2 }),
            registration('more', { registration_type: or('Standard', 'Standart') }),
            registration(or('most', 'more') as string),
          ],
          waitlist: [
            { reference: 'w', registration_type: or('Free', 'Fre'), name: 'Wes', email: 'wes@example.org' },
          ],
          registration_types: [place('Standard', or(7, 2) as number)],
        },
      ],
    }
  }
  assert.deepEqual(await messagesOf(file(false)), [
    'webhooks.0.url must be an address on the public internet; in a sandbox --allow-insecure-webhooks lifts that, here and on the server.',
    'webhooks.1.types must name at least one event type.',
    'account.name must not be white space alone.',
    'events.0.currency cannot become USD: the event has registrations in EUR.',
    'events.0.ends_at is before starts_at.',
    'events.0.registrations.0.quantiy is not known (did you mean quantity?).',
    'events.0.registrations.1.registration_type is "Standart", and the event has no type of that name.',
    'events.0.registrations.2.reference is there twice.',
    'events.0.waitlist.0.registration_type is "Fre", and the event has no type of that name.',
    'events.0.registration_types.0.capacity is too small: "Standard" has a capacity of 2, and 3 tickets are sold.',
  ])
  const { created, updated } = await json('apply', write('mended.json', file(true)))
  assert.deepEqual([created, updated], [6, 2])
})

test('what only the database has against a file is told in the order of the file too', async t => {
  const { messagesOf } = await withDatabase(t)
  const { account, events } = organization()
  const event = {
    waitlist: [{ reference: 'w', registration_type: 'Fre', name: 'Wes', email: 'wes@example.org' }],
    registration_types: [place('Standard', 2)],
    currency: 'USD',
    slug: 'spring-meeting',
    title: 'Spring Meeting',
  }
  const lines = await messagesOf({ events: [...events.slice(1), event], account })
  assert.deepEqual(
    lines?.map(line => line.split(' ', 1)[0]),
    ['events.0.waitlist.0.registration_type', 'events.0.registration_types.0.capacity', 'events.0.currency'],
  )
})

test('nothing is told that only follows from another fault', async t => {
  const { messagesOf } = await withDatabase(t)
  const many = registration('many', { quantity: 90 })
  const late = registration('late', { registration_type: 'Late', quantity: 9 })
  const cases: [event: object, string[]][] = [
    [
      {
        registration_types: [place('Standard', 100), { ...place('Late', 1), price: '50' }],
        registrations: [late],
      },
      ['registration_types.1.price must be'],
    ],
    [
      { registration_types: [{ nmae: 'Late', price: 0, capacity: 9 }], registrations: [late] },
      ['registration_types.0.name is required.', 'registration_types.0.nmae is not known'],
    ],
    [{ registration_types: 'Late', registrations: [late] }, ['registration_types must be an array.']],
    [
      { registration_types: [place('Late', 9), place('Late', 1)], registrations: [late] },
      ['registration_types.1.name is there twice.'],
    ],
    // The Standard of the database has 100.
    [
      {
        registration_types: [place('Standard', 200, { price: -1 })],
        registrations: [many, registration('other', { quantity: 9 })],
      },
      ['registration_types.0.price must be'],
    ],
    [
      {
        registration_types: [place(' ', 200)],
        registrations: [many, registration('other', { quantity: 9 })],
      },
      ['registration_types.0.name must not be white space alone.'],
    ],
    // It may be one that is cancelled.
    [
      { registrations: [many, registration('other', { quantity: 9, cancelled_at: instant })] },
      ['registrations.1.cancelled_at does not apply to a registration that is confirmed.'],
    ],
    [{ currency: 'usd' }, ['currency must be']],
    [{ slug: 'Spring Meeting', registration_types: [], registrations: [many] }, ['slug must have']],
  ]
  for (const [event, starts] of cases) {
    const lines = await messagesOf(organization({ event }))
    assert.equal(lines?.length, starts.length, lines?.join('\n'))
    for (const [at, start] of starts.entries())
      assert.ok(lines?.[at]?.startsWith(`events.0.${start}`), lines?.[at])
  }
})

test('of shared capacity what has faults, or what it hangs on, is not held against the rest', async t => {
  const room = (changes: object) => ({
    name: 'room',
    capacity: 3,
    registration_types: ['Standard'],
    ...changes,
  })
  const types = [place('Standard', 100), place('Free', 100)]
  const { messagesOf } = await withDatabase(t, { registration_types: types, pools: [room({})] })
  const many = { registrations: [registration('many', { quantity: 9 })] }
  const cases: [event: object, string[]][] = [
    // Sound parts are checked beside other faults, in the order of the file.
    [
      {
        ...many,
        pools: [room({ registration_types: ['Nope', 'Standard'] }), room({ name: 'hall' })],
        registration_types: [...types, place('Late', -1)],
      },
      [
        'registration_types.2.capacity must be',
        'pools.0.capacity is too small: "room" is a shared capacity of 3, and 12 tickets are sold of it.',
        'pools.0.registration_types.0 is "Nope", and the event has no type of that name.',
        'pools.1.capacity is too small',
      ],
    ],
    [
      { ...many, title: ' ' },
      ['title must not', 'registrations are too many: "room" is a shared capacity of 3'],
    ],
    // The room of the file is another than that of the database, and nobody knows which.
    [{ ...many, pools: [room({ capacity: '20' })] }, ['pools.0.capacity must be an integer']],
    [
      { ...many, pools: [room({ name: ' ', capacity: 20 })] },
      ['pools.0.name must not be white space alone.'],
    ],
    [{ ...many, pools: 'room' }, ['pools must be an array.']],
    [{ ...many, pools: [room({}), room({ capacity: 20 })] }, ['pools.1.name is there twice.']],
    [
      { ...many, pools: [room({ registration_types: ['Standard', 'Standard'] })] },
      ['pools.0.registration_types.1 is there twice.'],
    ],
    [
      {
        pools: [room({ capacity: 9, registration_types: ['Standard', 'Late'] })],
        registration_types: [...types, place('Late', -1)],
      },
      ['registration_types.2.capacity must be'],
    ],
  ]
  for (const [event, starts] of cases) {
    const lines = await messagesOf(organization({ event: { registration_types: types, ...event } }))
    assert.deepEqual(
      lines?.map((line, at) => line.slice(0, `events.0.${starts[at]}`.length)),
      starts.map(start => `events.0.${start}`),
    )
  }
})

test('who the account is must be known before the database has anything against it', async t => {
  const { messagesOf } = await withDatabase(t)
  const event = { registration_types: [], registrations: [registration('one', { quantity: 99 })] }
  const lines = async (account: unknown) => messagesOf({ ...organization({ event }), account })
  assert.deepEqual(await lines({ name: 'Ada', email: 'ada' }), [
    'account.email must be an e-mail address of at most 254 characters.',
  ])
  assert.deepEqual(await lines([]), ['account must be an object.'])
  const [name, email, ...more] = (await lines({ name: '', email: 'new@example.org' })) ?? []
  assert.match(name as string, /^account\.name /)
  assert.match(email as string, /^account\.email is of no account, and ada@example\.org has the event /)
  assert.deepEqual(more, [])
  const { account, ...rest } = organization({ event })
  assert.deepEqual(await messagesOf({ account: { ...account, currency: 'eur' }, ...rest }), [
    'account.currency must be an upper-case ISO 4217 code such as EUR.',
    'events.0.registrations are too many: "Standard" has a capacity of 100, 3 tickets are sold, and the file brings 99 more.',
  ])
})

test('with --update-history what has faults may be the refund that makes room', async t => {
  const { messagesOf } = await withDatabase(t)
  const refund = { quantity: 3, amount_total: 5000, status: 'refunded', created_at: instant }
  const file = (changes: object) =>
    organization({
      event: {
        registration_types: [place('Standard', 3)],
        registrations: [registration('old', { ...refund, ...changes }), registration('new', { quantity: 3 })],
      },
    })
  const malformed =
    'events.0.registrations.0.processor_fee must be an integer from 0 to 99999999, in minor units such as 1500 for 15.00.'
  assert.deepEqual(await messagesOf(file({ processor_fee: -1 }), '--update-history'), [malformed])
  const without = await messagesOf(file({ processor_fee: -1 }))
  assert.deepEqual([without?.length, without?.[1]], [2, malformed])
  assert.deepEqual(await messagesOf(file({ refunded_amount: 5001 }), '--update-history'), [
    'events.0.registrations.0.refunded_amount is more than amount_total.',
  ])
})

test('a slug of the account that has faults is looked for nowhere', async t => {
  const { messagesOf } = await withDatabase(t)
  const { account, ...rest } = organization({ event: { currency: 'USD' } })
  for (const [slug, fault] of [
    [5, 'be a string'],
    [{}, 'be a string'],
    ['Ä', 'have 1 to 80 characters of a-z, 0-9 and -'],
  ])
    assert.deepEqual(await messagesOf({ account: { ...account, slug }, ...rest }), [
      `account.slug must ${fault}.`,
      'events.0.currency cannot become USD: the event has registrations in EUR.',
    ])
  const [first, ...more] = (await messagesOf({ account: { ...account, slug: 'manage' }, ...rest })) ?? []
  assert.equal(first, 'account.slug is a name that addresses of our own begin with.')
  assert.equal(more.length, 1)
})

test('where there is no database yet, an event is held against itself whatever its slug and account are', async t => {
  const { turnout, write, data } = commandLine(t)
  const file = {
    account: { name: 'Ada', email: 'ada' },
    events: [
      {
        slug: 'Spring Meeting',
        title: 'Spring Meeting',
        registration_types: [place('Standard', 2)],
        registrations: [
          registration('one', { quantity: 2 }),
          registration('two', { registration_type: 'Nope' }),
          registration('three'),
          registration('four', { quantity: 0 }),
        ],
      },
    ],
  }
  const { err } = await turnout('apply', write('f.json', file), '--data', data)
  assert.deepEqual(err.trimEnd().split('\n'), [
    'error: account.email must be an e-mail address of at most 254 characters.',
    'error: events.0.slug must have 1 to 80 characters of a-z, 0-9 and -.',
    'error: events.0.registration_types.0.capacity is too small: "Standard" has a capacity of 2, and the file brings 3 tickets.',
    'error: events.0.registrations.1.registration_type is "Nope", and the event has no type of that name.',
    'error: events.0.registrations.3.quantity must be an integer from 1 to 100.',
  ])
})

test('twenty of all layers are told, the first of the file, and what the database has counts among those that are not', async t => {
  const { messagesOf } = await withDatabase(t)
  const unknown = (count: number) =>
    Array.from({ length: count }, (_, at) => registration(`r-${at}`, { registration_type: `T${at}` }))
  const lines = await messagesOf(organization({ event: { registrations: unknown(30), waitlist: {} } }))
  assert.equal(lines?.length, 21)
  assert.match(lines?.[19] as string, /^events\.0\.registrations\.19\.registration_type /)
  assert.equal(lines?.[20], 'And 11 more.')
})
