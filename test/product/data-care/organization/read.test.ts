import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '#base/problem.ts'
import { readOrganization, validateOrganization } from '#product/data-care/organization/read.ts'
import { organization, registration } from '#test/support/organization.ts'

const withEvent = (event: object) => organization({ event })
const withRegistration = (changes: object) => withEvent({ registrations: [registration('one', changes)] })
const withType = (changes: object) =>
  withEvent({ registration_types: [{ name: 'Standard', price: 0, capacity: 1, ...changes }] })
const abstract = {
  code: 'A-1',
  title: 'Plain',
  abstract: 'Text',
  authors: [{ name: 'Lin' }],
  contact: { name: 'Lin', email: 'lin@example.org' },
}
const withAbstract = (changes: object) => withEvent({ abstracts: [{ ...abstract, ...changes }] })
const webhook = { url: 'https://example.org/hook', types: ['ping'] }

/** Each row has what is wrong, the file, and the message that it gets. */
const refused: readonly (readonly [string, unknown, string])[] = [
  ['an array instead of an object', [], 'The file must be an object.'],
  ['nothing', null, 'The file must be an object.'],
  ['a missing account', { events: [] }, 'account is required.'],
  [
    'a missing field',
    withType({ capacity: undefined }),
    'events.0.registration_types.0.capacity must be an integer from 0 to 1000000.',
  ],
  [
    'an unknown field',
    withRegistration({ quantiy: 5 }),
    'events.0.registrations.0.quantiy is not known (did you mean quantity?).',
  ],
  [
    'a field called __proto__',
    JSON.parse('{"account": {"name": "A", "email": "a@b.c", "__proto__": {}}}'),
    'account.__proto__ is not known.',
  ],
  [
    'a wrong type',
    withType({ price: '50' }),
    'events.0.registration_types.0.price must be an integer from 0 to 99999999, in minor units such as 1500 for 15.00.',
  ],
  [
    'a fraction',
    withType({ price: 0.5 }),
    'events.0.registration_types.0.price must be an integer from 0 to 99999999, in minor units such as 1500 for 15.00.',
  ],
  [
    'a capacity over a million',
    withType({ capacity: 1_000_001 }),
    'events.0.registration_types.0.capacity must be an integer from 0 to 1000000.',
  ],
  [
    '30 February',
    withEvent({ starts_at: '2026-02-30T09:00:00Z' }),
    'events.0.starts_at must be a date and time with its offset, such as 2026-12-01T09:00:00Z.',
  ],
  [
    'an instant without an offset',
    withEvent({ starts_at: '2026-02-20T09:00:00' }),
    'events.0.starts_at must be a date and time with its offset, such as 2026-12-01T09:00:00Z.',
  ],
  [
    'an offset that is none',
    withEvent({ starts_at: '2026-02-20T09:00:00+99:99' }),
    'events.0.starts_at must be a date and time with its offset, such as 2026-12-01T09:00:00Z.',
  ],
  [
    'a year of five digits',
    withEvent({ starts_at: '9999-12-31T23:59:59-01:00' }),
    'events.0.starts_at must be a date and time with its offset, such as 2026-12-01T09:00:00Z.',
  ],
  [
    'an end before the start',
    withEvent({ ends_at: '2026-11-21T08:59:59Z' }),
    'events.0.ends_at is before starts_at.',
  ],
  [
    'a lone surrogate',
    withRegistration({ buyer: { name: 'a\ud800', email: 'a@b.c' } }),
    'events.0.registrations.0.buyer.name must be well-formed Unicode without U+0000.',
  ],
  [
    'U+0000',
    withRegistration({ answers: { diet: 'a\u0000' } }),
    'events.0.registrations.0.answers must have strings of at most 5000 well-formed characters as values.',
  ],
  [
    'a control character in a reference',
    withEvent({ registrations: [registration('a\u001b[2J')] }),
    'events.0.registrations.0.reference must not contain control characters.',
  ],
  [
    'a time zone that is none',
    withEvent({ timezone: 'Europe/Atlantis' }),
    'events.0.timezone must be an IANA time zone such as Europe/Madrid.',
  ],
  [
    'a currency in lower case',
    withEvent({ currency: 'eur' }),
    'events.0.currency must be an upper-case ISO 4217 code such as EUR.',
  ],
  [
    'a slug in upper case',
    withEvent({ slug: 'Spring' }),
    'events.0.slug must have 1 to 80 characters of a-z, 0-9 and -.',
  ],
  [
    'a status that is none',
    withEvent({ status: 'open' }),
    'events.0.status must be one of draft, published, cancelled, completed.',
  ],
  [
    'a slug twice',
    organization({ events: [{ slug: 'spring-meeting', title: 'Twice' }] }),
    'events.1.slug is there twice.',
  ],
  [
    'a type twice, in NFC',
    withEvent({
      registration_types: [
        { name: 'é', price: 0, capacity: 1 },
        { name: 'e\u0301', price: 0, capacity: 1 },
      ],
    }),
    'events.0.registration_types.1.name is there twice.',
  ],
  [
    'a reference twice',
    withEvent({ registrations: [registration('one'), registration('one')] }),
    'events.0.registrations.1.reference is there twice.',
  ],
  [
    'a code twice',
    withEvent({ abstracts: [abstract, abstract] }),
    'events.0.abstracts.1.code is there twice.',
  ],
  ['a webhook twice', organization({ webhooks: [webhook, webhook] }), 'webhooks.1.url is there twice.'],
  [
    'a webhook with a password',
    organization({ webhooks: [{ ...webhook, url: 'https://a:b@example.org/' }] }),
    'webhooks.0.url must be an https address without user name and password.',
  ],
  [
    'an event type twice',
    organization({ webhooks: [{ ...webhook, types: ['ping', 'ping'] }] }),
    'webhooks.0.types must name each event type once.',
  ],
  [
    'no event type',
    organization({ webhooks: [{ ...webhook, types: [] }] }),
    'webhooks.0.types must name at least one event type.',
  ],
  [
    'more attendees than quantity',
    withRegistration({ quantity: 1, attendees: [{ name: 'A' }, { name: 'B' }] }),
    'events.0.registrations.0.attendees must be as many as quantity.',
  ],
  [
    'a quantity over 100',
    withRegistration({ quantity: 101 }),
    'events.0.registrations.0.quantity must be an integer from 1 to 100.',
  ],
  [
    'a confirmation of what is pending',
    withRegistration({ status: 'pending', confirmed_at: '2026-01-01T00:00:00Z' }),
    'events.0.registrations.0.confirmed_at does not apply to a registration that is pending.',
  ],
  [
    'a cancellation of what is confirmed',
    withRegistration({ cancelled_at: '2026-01-01T00:00:00Z' }),
    'events.0.registrations.0.cancelled_at does not apply to a registration that is confirmed.',
  ],
  [
    'a refund of what is cancelled',
    withRegistration({ status: 'cancelled', refunded_at: '2026-01-01T00:00:00Z' }),
    'events.0.registrations.0.refunded_at does not apply to a registration that is cancelled.',
  ],
  [
    'a refunded amount of what failed',
    withRegistration({ status: 'failed', refunded_amount: 0 }),
    'events.0.registrations.0.refunded_amount does not apply to a registration that is failed.',
  ],
  [
    'a refund of more than was paid',
    withRegistration({ status: 'refunded', amount_total: 5, refunded_amount: 6 }),
    'events.0.registrations.0.refunded_amount is more than amount_total.',
  ],
  [
    'a confirmed one that never was',
    withRegistration({ never_confirmed: true }),
    'events.0.registrations.0.never_confirmed does not apply to a registration that is confirmed.',
  ],
  [
    'one that both was and was not confirmed',
    withRegistration({ status: 'cancelled', never_confirmed: true, confirmed_at: '2026-01-01T00:00:00Z' }),
    'events.0.registrations.0.confirmed_at contradicts never_confirmed.',
  ],
  [
    'a check-in of what is pending',
    withRegistration({
      status: 'pending',
      attendees: [{ name: 'A', checked_in_at: '2026-01-01T00:00:00Z' }],
    }),
    'events.0.registrations.0.attendees.0.checked_in_at does not apply to a registration that was never confirmed.',
  ],
  [
    'a decision on what is in review',
    withAbstract({ status: 'in_review', decided_at: '2026-01-01T00:00:00Z' }),
    'events.0.abstracts.0.decided_at does not apply to an abstract that is in_review.',
  ],
  [
    'a note on what is submitted',
    withAbstract({ decision_note: 'Yes' }),
    'events.0.abstracts.0.decision_note does not apply to an abstract that is submitted.',
  ],
  [
    'an abstract without authors',
    withAbstract({ authors: [] }),
    'events.0.abstracts.0.authors must be an array of 1 to 100 items.',
  ],
]

for (const [what, file, message] of refused) {
  test(`${what} is refused with the path of it`, () => {
    assert.throws(
      () => validateOrganization(file),
      (problem: Problem) => {
        assert.equal(problem.message, message)
        assert.equal(problem.code, 'invalid_parameter')
        return true
      },
    )
  })
}

test('a field with a name of any length and form is quoted in part', () => {
  const file = { ...organization(), [`x\ud800${'y'.repeat(10_000)}`]: 1 }
  assert.throws(
    () => validateOrganization(file),
    ({ message }: Error) => message.length < 300 && message.isWellFormed(),
  )
})

test('a file is UTF-8 with or without a byte-order mark', () => {
  const text = JSON.stringify(organization())
  assert.deepEqual(readOrganization(Buffer.from(`\ufeff${text}`)), readOrganization(Buffer.from(text)))
})

test('bytes that are no UTF-8, and text that is no JSON, are refused with a sentence', () => {
  const broken: [Buffer, RegExp][] = [
    [Buffer.from([0x7b, 0xff, 0x7d]), /^The file is not text in UTF-8\.$/],
    [Buffer.from(JSON.stringify(organization()), 'utf16le'), /^The file is not valid JSON: /],
    [Buffer.from('{"account": }'), /^The file is not valid JSON: /],
    [Buffer.from(''), /^The file is not valid JSON: /],
    [Buffer.from('['.repeat(100_000)), /^The file is not valid JSON: /],
  ]
  for (const [bytes, message] of broken) {
    assert.throws(() => readOrganization(bytes), { code: 'malformed_json', message })
  }
})
