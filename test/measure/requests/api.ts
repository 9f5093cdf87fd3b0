import type { Answer, Program, Recording, Sent } from '../recording.ts'

const UNKNOWN = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'
const ALL = [
  'events:read,registrations:read,registrations:write,checkins:read,checkins:write',
  'abstracts:read,abstracts:write,reports:read',
].join(',')

const READ = (event: string) => [
  ...['', '/openapi.json', '/reference', '/events', '/events?limit=1', '/events?limit=0', '/events?limit=x'],
  ...[
    '/events?starting_after=x',
    '/events?colour=red',
    `/events/${UNKNOWN}`,
    '/events/x',
    `/events/${event}`,
  ],
  ...[`/events/${event}/registration-types`, `/events/${UNKNOWN}/registration-types`, '/registrations'],
  ...[`/registrations?event_id=${event}`, '/registrations?status=cancelled', '/registrations?status=lost'],
  ...[
    '/registrations?email=grace@example.org',
    '/registrations?q=gra',
    '/registrations?q=',
    '/registrations?limit=2',
  ],
  ...[`/registrations/${UNKNOWN}`, '/check-ins', `/check-ins?event_id=${event}`, '/check-ins?event_id=x'],
  ...['/abstracts', `/abstracts?event_id=${event}`, '/abstracts?status=submitted', '/abstracts?status=x'],
  ...[`/abstracts/${UNKNOWN}`, `/reports/registrations?event_id=${event}`, '/reports/registrations'],
  ...[
    `/reports/registrations?event_id=${event}&format=csv`,
    `/reports/registrations?event_id=${event}&format=xml`,
  ],
  ...[`/reports/registrations?event_id=${UNKNOWN}`, '/reports/monthly', '/reports/monthly?month=2020-01'],
  ...['/reports/monthly?month=2020-13', '/nothing', '/Events', '/events/'],
]

interface Applied {
  events: Record<string, { id: string; registration_types: Record<string, string> }>
}

/** Sends each operation of the API what it takes and what it refuses. */
export async function askApi(recording: Recording, program: Program, applied: Applied): Promise<void> {
  const { id: event, registration_types: types } = applied.events[
    'spring-meeting'
  ] as Applied['events'][string]
  const keyOf = async (...args: string[]) =>
    JSON.parse(await program.command('key', 'create', '--json', '--rate-limit', '0', ...args)).key as string
  const key = await keyOf('--name', 'all', '--scopes', ALL)
  const reader = await keyOf('--name', 'reader', '--scopes', 'events:read')
  const ask = (method: string, path: string, { headers, ...sent }: Sent = {}) =>
    recording.ask(method, `/v1${path}`, { ...sent, headers: { authorization: `Bearer ${key}`, ...headers } })
  await recording.ask('GET', '/healthz')
  for (const path of READ(event)) await ask('GET', path)
  for (const authorization of ['', 'Bearer', 'Bearer svc_wrong', `Basic ${key}`, `Bearer ${reader}`])
    for (const path of ['/events', '/registrations']) await ask('GET', path, { headers: { authorization } })
  for (const method of ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']) await ask(method, '/events')
  for (const headers of [
    { 'accept-encoding': 'gzip' },
    { accept: 'text/html' },
    { origin: 'https://example.org' },
  ])
    await ask('GET', '/events', { headers })
  const { body: made } = await register(ask, event, types)
  await cancel(ask, made)
  await checkIn(ask, event)
  await decide(ask)
  for (const path of READ(event).slice(14, 20)) await ask('GET', path)
}

type Ask = (method: string, path: string, sent?: Sent) => Promise<Answer>

async function register(ask: Ask, event: string, types: Record<string, string>): Promise<Answer> {
  const body = {
    ...{
      event_id: event,
      registration_type_id: types.Free,
      buyer: { name: 'Grace', email: 'g@example.org' },
    },
    ...{ quantity: 2, attendees: [{ name: 'Grace' }, { name: 'Alan', seat: 'A1' }] },
  }
  const once = { 'idempotency-key': 'once' }
  const made = await ask('POST', '/registrations', { body, headers: once })
  await ask('POST', '/registrations', { body, headers: once })
  await ask('POST', '/registrations', { body: { ...body, quantity: 1 }, headers: once })
  const { attendees: _, ...short } = body
  const wrong: unknown[] = [
    ...['{', '[]', 'null', '""', {}, { ...short, event_id: 'x' }, { ...short, event_id: UNKNOWN }],
    ...[
      { ...short, registration_type_id: UNKNOWN },
      { ...short, quantity: 0 },
      { ...short, quantity: 1000 },
    ],
    ...[
      { ...short, quantity: '2' },
      { ...short, colour: 'red' },
      { ...short, buyer: { name: 'Grace' } },
    ],
    { ...body, quantity: 3 },
    ...[
      { ...short, buyer: { name: '', email: 'nobody' } },
      { ...short, answers: { unknown: 'x' } },
    ],
    ...[
      { ...short, language: 'de' },
      { ...short, registration_type_id: types.Full },
    ],
    ...[
      { ...short, answers: { why: 'x'.repeat(100_000) } },
      { ...short, quantity: 100 },
    ],
    // Whatever becomes of the name, no place is left: what follows is the same.
    {
      ...short,
      registration_type_id: types.Full,
      buyer: { name: 'http://example.org', email: 'g@example.org' },
    },
  ]
  for (const each of wrong)
    await ask('POST', '/registrations', { body: each, headers: { 'content-type': 'application/json' } })
  await ask('POST', '/registrations', {
    body: JSON.stringify(body),
    headers: { 'content-type': 'text/plain' },
  })
  await ask('POST', '/registrations', { body: `"${'x'.repeat(2_000_000)}"` })
  await ask('POST', '/registrations', { body, headers: { 'idempotency-key': 'x'.repeat(300) } })
  await ask('POST', '/registrations', { body: { ...short, quantity: 1, answers: { why: 'To learn.' } } })
  await ask('POST', '/registrations', {
    body: { ...short, registration_type_id: types.Standard, language: 'es' },
  })
  return made
}

async function cancel(ask: Ask, { id }: { id: string }): Promise<void> {
  await ask('GET', `/registrations/${id}`)
  await ask('POST', `/registrations/${UNKNOWN}/cancel`)
  await ask('POST', `/registrations/${id}/cancel`, { body: { reason: 'x' } })
  await ask('POST', `/registrations/${id}/cancel`, { body: {} })
  await ask('POST', `/registrations/${id}/cancel`)
  await ask('GET', `/registrations/${id}`)
}

async function checkIn(ask: Ask, event: string): Promise<void> {
  const { body: list } = await ask('GET', `/registrations?event_id=${event}&status=confirmed`)
  const [one, two] = list.data.flatMap(({ attendees }: { attendees: object[] }) => attendees)
  const bodies = [
    ...[
      {},
      { attendee_id: UNKNOWN },
      { attendee_id: 'x' },
      { qr_code: 'x' },
      { qr_code: two.qr_code, event_id: event },
    ],
    ...[{ qr_code: two.qr_code }, { attendee_id: one.id }, { attendee_id: one.id, qr_code: one.qr_code }],
    ...[{ attendee_id: one.id, event_id: UNKNOWN }],
  ]
  for (const body of bodies) await ask('POST', '/check-ins', { body })
  await ask('GET', `/check-ins?event_id=${event}`)
}

async function decide(ask: Ask): Promise<void> {
  const { body: list } = await ask('GET', '/abstracts')
  const [one, two] = list.data
  await ask('GET', `/abstracts/${one.id}`)
  for (const body of [{}, { decision: 'maybe' }, { decision: 'accepted', note: 'Twenty minutes.' }])
    await ask('POST', `/abstracts/${one.id}/decision`, { body })
  await ask('POST', `/abstracts/${two.id}/decision`, { body: { decision: 'rejected' } })
  await ask('POST', `/abstracts/${UNKNOWN}/decision`, { body: { decision: 'rejected' } })
  await ask('GET', '/abstracts?status=accepted')
}
