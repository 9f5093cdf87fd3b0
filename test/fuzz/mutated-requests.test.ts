import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { type OperationRequest, pathOf, requestsOf } from '#test/support/operations.ts'
import { openRaw } from '#test/support/raw.ts'
import { naughtyStrings } from './naughty-strings.ts'
import { assertSound, seedOf, startWithEverything } from './server.ts'

const REQUESTS_PER_RUN = 40
const RUNS = 300
const RAW_RUNS = 40
const RAW_REQUESTS_PER_RUN = 25
/** Milliseconds. */
const PATIENCE = 100

const position = fc.nat(1_000_000)
const anyText = fc.oneof(
  fc.constantFrom(...naughtyStrings),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
)
const anyValue = fc.oneof(
  anyText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    -0,
    0.5,
    1e308,
    2 ** 53,
    101,
    99_999_999_999,
    '',
    {},
    [],
    [[]],
    '2026-13-45T99:99:99Z',
    '0197a0b4-0000-7000-8000-00000000dead',
  ),
  fc.array(fc.constantFrom<unknown>(null, {}, { name: 'Grace' }), { maxLength: 120 }),
)

/** Mutations of a request. Each fits any operation, whatever it takes. */
const mutation = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), at: position, value: anyValue }),
  fc.record({ kind: fc.constant('delete' as const), at: position }),
  fc.record({
    kind: fc.constant('add' as const),
    at: position,
    name: fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'account_id', ''), anyText),
    value: anyValue,
  }),
  fc.record({ kind: fc.constant('bytes' as const), at: position, bytes: fc.uint8Array({ maxLength: 8 }) }),
  fc.record({ kind: fc.constant('cut' as const), at: position }),
  fc.record({
    kind: fc.constant('query' as const),
    name: fc.oneof(
      fc.constantFrom('limit', 'starting_after', 'event_id', 'status', 'email', 'format', 'month', 'q'),
      anyText,
    ),
    value: anyText,
  }),
  fc.record({
    kind: fc.constant('target' as const),
    // The text has none of what the client would put into another form before it sends it: dots, backslashes, a fragment.
    text: fc.stringMatching(/^[!"$-\-/-[\]-~]{0,60}$/).filter(text => !/%2e/i.test(text)),
  }),
  fc.record({
    kind: fc.constant('header' as const),
    name: fc.constantFrom(
      'content-type',
      'idempotency-key',
      'authorization',
      'x-api-key',
      'x-request-id',
      'accept',
      'accept-encoding',
      'content-encoding',
      'x-forwarded-for',
      'if-none-match',
      'range',
      'cookie',
    ),
    // One key comes again and again, so that keys meet other requests.
    value: fc.oneof(fc.constant('again'), fc.stringMatching(/^[ -~\x80-\xff]{0,300}$/)),
  }),
  fc.record({
    kind: fc.constant('method' as const),
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'),
  }),
)
type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never

const mutatedRequest = fc.record({
  operation: position,
  mutations: fc.array(mutation, { minLength: 1, maxLength: 3 }),
})

/** A request as it is sent. */
interface Sent {
  method: string
  target: string
  headers: Record<string, string>
  body: Buffer | undefined
}

/** Yields every place of a body, as the path to it; that of the body itself is empty. */
function placesOf(node: unknown, path: string[] = []): string[][] {
  if (typeof node !== 'object' || node === null) return [path]
  return [path, ...Object.entries(node).flatMap(([name, value]) => placesOf(value, [...path, name]))]
}

// biome-ignore lint/suspicious/noExplicitAny: any JSON
function changeAt(node: any, [name, ...rest]: string[], change: (value: unknown) => unknown): any {
  if (name === undefined) return change(node)
  const copy = Array.isArray(node) ? [...node] : { ...node }
  const value = changeAt(copy[name], rest, change)
  if (value === undefined) delete copy[name]
  else copy[name] = value
  return copy
}

function pick<Item>(items: readonly Item[], at: number): Item {
  return items[at % items.length] as Item
}

function mutate(valid: OperationRequest, mutations: readonly Mutation[]): Sent {
  const request = structuredClone(valid)
  const headers: Record<string, string> = {}
  let target: string | undefined
  let method: string = request.method
  const spoilers: ((bytes: Buffer) => Buffer)[] = []
  for (const change of mutations) {
    const at = 'at' in change ? pick(placesOf(request.body), change.at) : []
    switch (change.kind) {
      case 'set':
        request.body = changeAt(request.body, at, () => change.value)
        break
      case 'delete':
        request.body = changeAt(request.body, at, () => undefined)
        break
      case 'add':
        request.body = changeAt(request.body, at, value => {
          if (typeof value !== 'object' || value === null) return { [change.name]: change.value }
          return Array.isArray(value) ? [...value, change.value] : { ...value, [change.name]: change.value }
        })
        break
      case 'bytes':
        spoilers.push(bytes => {
          const place = change.at % (bytes.length + 1)
          return Buffer.concat([bytes.subarray(0, place), change.bytes, bytes.subarray(place + 1)])
        })
        break
      case 'cut':
        spoilers.push(bytes => bytes.subarray(0, change.at % (bytes.length + 1)))
        break
      case 'query':
        request.query[change.name.toWellFormed()] = change.value.toWellFormed()
        break
      case 'target':
        target = change.text
        break
      case 'header':
        headers[change.name] = change.value
        break
      case 'method':
        method = change.method
    }
  }
  const text = request.body === undefined ? undefined : JSON.stringify(request.body)
  const body =
    text === undefined
      ? undefined
      : spoilers.reduce<Buffer>((bytes, spoil) => spoil(bytes), Buffer.from(text))
  return {
    method,
    target: target === undefined ? pathOf(request) : `${request.path.slice(0, target.length % 30)}/${target}`,
    headers,
    body: method === 'GET' || method === 'HEAD' || method === 'TRACE' ? undefined : body,
  }
}

function describe({ method, target, headers, body }: Sent): string {
  return `${method} ${target} ${JSON.stringify(headers)} ${body?.toString('latin1')}`
}

/**
 * Calls `work` for so many runs of so many requests each. A failure names its one request, because the requests before it do not
 * matter.
 */
async function inRuns<Request>(
  t: TestContext,
  { runs, perRun: length, request }: { runs: number; perRun: number; request: fc.Arbitrary<Request> },
  work: (requests: Request[]) => Promise<void>,
): Promise<void> {
  const some = fc.array(request, { minLength: length, maxLength: length })
  const { failed, errorInstance } = await fc.check(fc.asyncProperty(some, work), {
    seed: seedOf(t),
    numRuns: runs,
    endOnFailure: true,
  })
  if (failed) throw errorInstance
}

test(`each of ${RUNS * REQUESTS_PER_RUN} mutated requests gets an answer of the description, and none harms anything`, async t => {
  const server = await startWithEverything(t)
  const { client, clock, eventId } = server
  const valid = requestsOf(server.ids)
  assert.deepEqual([...new Set(valid.map(({ method }) => method))].sort(), ['GET', 'POST'])
  const created = { registrations: 0, checkIns: 0 }
  const statuses = new Set<number>()
  const send = async (sent: Sent) => {
    // The client itself holds each answer against the description: its status, code, headers and body.
    const answer = await client
      .send(sent.method, sent.target, { body: sent.body, headers: sent.headers })
      .catch(error => assert.fail(`${describe(sent)}\n${error.stack}`))
    statuses.add(answer.status)
    assert.ok(answer.status < 500, `${describe(sent)} -> ${answer.status}`)
    if (answer.status !== 201 || answer.headers['idempotent-replayed'] !== undefined) return
    if (answer.body.object === 'registration') created.registrations++
    if (answer.body.object === 'check_in') created.checkIns++
  }
  // By chance alone a key seldom meets another request, so one key is sent with each of them.
  for (const request of valid.filter(({ method }) => method === 'POST')) {
    const sent = mutate(request, [])
    await send({ ...sent, headers: { ...sent.headers, 'idempotency-key': 'again' } })
  }
  await inRuns(t, { runs: RUNS, perRun: REQUESTS_PER_RUN, request: mutatedRequest }, async requests => {
    // Failures that count against an address would otherwise soon be the only answers.
    clock.advance(60_000)
    await Promise.all(
      requests.map(({ operation, mutations }) => send(mutate(pick(valid, operation), mutations))),
    )
    assert.equal((await client.get(`/events/${eventId}`)).status, 200)
  })
  for (const status of [200, 201, 400, 401, 404, 405, 409, 415, 422])
    assert.ok(statuses.has(status), `${status}`)
  assert.ok(created.registrations > 0 && created.checkIns > 0)
  await assertSound(server, created)
})

test(`each of ${RAW_RUNS * RAW_REQUESTS_PER_RUN} requests with spoilt bytes is answered or cut off, and others are served`, async t => {
  const server = await startWithEverything(t)
  const { client, clock, app } = server
  const messages = requestsOf(server.ids).map(request => {
    const body = request.body === undefined ? '' : JSON.stringify(request.body)
    const head = [
      `${request.method} /v1${pathOf(request)} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${client.key}`,
      'Connection: close',
      ...(body === ''
        ? []
        : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    ]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
  const spoilt = fc.record({
    message: position,
    spots: fc.array(fc.record({ at: position, bytes: fc.uint8Array({ maxLength: 4 }) }), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  await inRuns(t, { runs: RAW_RUNS, perRun: RAW_REQUESTS_PER_RUN, request: spoilt }, async requests => {
    clock.advance(60_000)
    await Promise.all(
      requests.map(async ({ message, spots }) => {
        const bytes = spots.reduce(
          (result, { at, bytes }) => {
            const place = at % (result.length + 1)
            return Buffer.concat([result.subarray(0, place), bytes, result.subarray(place + bytes.length)])
          },
          pick(messages, message),
        )
        const { socket, closed } = openRaw(app.url)
        socket.write(bytes)
        // A server that waits for more of the request gets no more: its sender goes away.
        const gone = setTimeout(() => socket.end(), PATIENCE)
        const received = await closed
        clearTimeout(gone)
        assert.match(received, /^($|HTTP\/1\.1 [234]\d\d )/, bytes.toString('latin1'))
      }),
    )
    assert.equal((await client.get('/events')).status, 200)
  })
  await assertSound(server)
})
