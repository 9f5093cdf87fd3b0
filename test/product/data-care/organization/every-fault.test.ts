import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { organization, registration } from '#test/support/organization.ts'

const type = { name: 'Standard', price: 5000, capacity: 100 }
const cancelled = '2026-01-01T00:00:00Z'

test('a file with ten mistakes is told of all ten, each with its path, and is mended in one go', async t => {
  const { turnout, write, data, json } = commandLine(t)
  const file = {
    account: { name: ' ', email: 'nobody' },
    events: [
      {
        slug: 'spring',
        title: 'Spring',
        starts_at: '2026-12-02T09:00:00Z',
        ends_at: '2026-12-01T09:00:00Z',
        registration_types: [{ ...type, price: '50' }],
        registrations: [
          registration('one', { quantiy: 2, cancelled_at: cancelled }),
          registration('one', { buyer: { name: 'Grace', email: 'grace@example.org' } }),
          { registration_type: 'Standard', buyer: { name: 'Ann', email: 'ann@example.org' } },
        ],
      },
      { slug: 'spring', title: 'Again' },
    ],
    webhooks: [{ url: 'https://example.org/hook', types: [] }],
  }
  const sentences = [
    'account.name must not be white space alone.',
    'account.email must be an e-mail address of at most 254 characters.',
    'events.0.registration_types.0.price must be an integer from 0 to 99999999, in minor units such as 1500 for 15.00.',
    'events.0.registrations.0.quantiy is not known (did you mean quantity?).',
    'events.0.registrations.2.reference is required.',
    'webhooks.0.types must name at least one event type.',
    'events.0.ends_at is before starts_at.',
    'events.1.slug is there twice.',
    'events.0.registrations.0.cancelled_at does not apply to a registration that is confirmed.',
    'events.0.registrations.1.reference is there twice.',
  ]
  for (const flags of [[], ['--dry-run']]) {
    const { code, out, err } = await turnout('apply', write('ten.json', file), '--data', data, ...flags)
    assert.deepEqual([code, out], [1, ''])
    assert.deepEqual(err.split('\n').sort(), ['', ...sentences.map(line => `error: ${line}`)].sort())
  }
  assert.equal(existsSync(data), false)

  file.account = { name: 'Ada', email: 'ada@example.org' }
  const [event, again] = file.events as [object, object]
  Object.assign(event, {
    ends_at: null,
    registration_types: [type],
    registrations: [registration('one'), registration('two'), registration('three')],
  })
  Object.assign(again, { slug: 'autumn' })
  Object.assign(file.webhooks[0] ?? {}, { types: ['ping'] })
  assert.equal((await json('apply', write('mended.json', file))).created, 8)
})

test('twenty are told, and of the others how many they are', async t => {
  const { turnout, write, data } = commandLine(t)
  const apply = async (count: number) => {
    const registrations = Array.from({ length: count }, (_, at) => registration(`r-${at}`, { quantity: 0 }))
    const { code, err } = await turnout(
      'apply',
      write('f.json', organization({ event: { registrations } })),
      '--data',
      data,
    )
    assert.equal(code, 1)
    return err.trimEnd().split('\n')
  }
  assert.equal((await apply(20)).length, 20)
  const lines = await apply(23)
  assert.equal(lines.length, 21)
  assert.equal(lines[19], 'error: events.0.registrations.19.quantity must be an integer from 1 to 100.')
  assert.equal(lines[20], 'error: And 3 more.')
  assert.equal((await apply(100_000)).at(-1), 'error: And at least 980 more.')
})

test('what the database has against a file is told in one go too', async t => {
  const { turnout, write, data, json } = commandLine(t)
  await json('apply', write('before.json', organization({ event: { registrations: [registration('old')] } })))
  const file = organization({
    event: {
      currency: 'USD',
      registration_types: [{ ...type, capacity: 1 }],
      registrations: [
        registration('new'),
        registration('lost', { registration_type: 'Nope' }),
        registration('other', { registration_type: 'Neither' }),
      ],
    },
    webhooks: [],
  })
  const before = await json('export')
  for (const flags of [[], ['--dry-run'], ['--in-batches']]) {
    const { code, out, err } = await turnout('apply', write('f.json', file), '--data', data, ...flags)
    assert.deepEqual([code, out], [1, ''])
    assert.deepEqual(err.split('\n'), [
      'error: events.0.currency cannot become USD: the event has registrations in EUR.',
      'error: events.0.registration_types.0.capacity is too small: "Standard" has a capacity of 1, 1 ticket is sold, and the file brings 1 more.',
      'error: events.0.registrations.1.registration_type is "Nope", and the event has no type of that name.',
      'error: events.0.registrations.2.registration_type is "Neither", and the event has no type of that name.',
      '',
    ])
  }
  assert.deepEqual(await json('export'), before)
  const types = ['ping']
  const hooks = ['https://10.0.0.1/', 'https://example.org/hook', 'http://1.1.1.1/'].map(url => ({
    url,
    types,
  }))
  const { err } = await turnout('apply', write('h.json', organization({ webhooks: hooks })), '--data', data)
  assert.deepEqual(err.split('\n'), [
    'error: webhooks.0.url must be an address on the public internet; in a sandbox --allow-insecure-webhooks lifts that, here and on the server.',
    'error: webhooks.2.url must be an https address; in a sandbox --allow-insecure-webhooks lifts that, here and on the server.',
    '',
  ])
})

test('a file of the wrong shape is told what it is, and nothing that follows from it', async t => {
  const { turnout, write, data } = commandLine(t)
  const files: [unknown, string[]][] = [
    [[], ['The file must be an object.']],
    [
      { account: [], events: {}, webhooks: 'x' },
      ['account must be an object.', 'events must be an array.', 'webhooks must be an array.'],
    ],
    [
      organization({ events: [null as never, [] as never, 7 as never] }),
      [1, 2, 3].map(at => `events.${at} must be an object.`),
    ],
    [
      organization({
        event: { registrations: [[], null, registration('x', { status: 7, refunded_amount: 5 })] },
      }),
      [
        'events.0.registrations.0 must be an object.',
        'events.0.registrations.1 must be an object.',
        'events.0.registrations.2.status must be one of pending, confirmed, failed, refunded, cancelled.',
        'events.0.registrations.2.refunded_amount is more than amount_total.',
      ],
    ],
  ]
  for (const [file, sentences] of files) {
    const path = write('f.json', JSON.stringify(file))
    const { err } = await turnout('apply', path, '--data', data)
    assert.deepEqual(
      err.trimEnd().split('\n'),
      sentences.map(line => `error: ${line}`),
    )
  }
  const dots = { ...organization(), ['.'.repeat(1_000_000)]: 1 }
  const { err } = await turnout('apply', write('dots.json', dots), '--data', data)
  assert.match(err, /^error: \.{200} is not known\.\n$/)
})
