import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openLog } from '#base/log.ts'
import { Problem } from '#base/problem.ts'
import { apiFace } from '#faces/api/pipeline.ts'
import { routes } from '#faces/api/routes.ts'
import { Cursors } from '#machinery/db/cursors.ts'
import type { Face, State } from '#machinery/http/face.ts'
import { MemoryBudget } from '#machinery/http/memory-budget.ts'
import type { AnsweredRequest } from '#machinery/http/observer.ts'
import { receive } from '#machinery/http/receiving.ts'
import { Client } from '#test/support/client.ts'
import { testClock } from '#test/support/clock.ts'
import { openRaw, sendRaw } from '#test/support/raw.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { serveFaces } from '#test/support/site.ts'
import { eventually } from '#test/support/webhooks.ts'

interface ShopState extends State {
  form: URLSearchParams
}

/** A face of pages beside the API: it reads forms, and tells of problems in HTML. */
function shopFace(memory: MemoryBudget): Face<ShopState> {
  return {
    path: '/shop',
    headers: { 'Cache-Control': 'private', 'Content-Security-Policy': "default-src 'none'" },
    answerProblem(context, { code }) {
      if (code === 'refund_required') throw new Error('the page of this problem is broken')
      context.status = code === 'internal_error' ? 500 : 422
      if (code === 'route_not_found') context.status = 404
      if (code === 'method_not_allowed') context.status = 405
      if (code === 'rate_limited') context.status = 429
      context.type = 'html'
      context.body = `<h1>${code}</h1>`
    },
    routes: [
      {
        method: 'GET',
        path: '/items/{slug}',
        stages: [
          async context => {
            context.type = 'html'
            context.body = `<h1>${context.captures[0]}</h1>`
          },
        ],
      },
      {
        method: 'POST',
        path: '/orders',
        stages: [
          async (context, next) => {
            const holding = memory.open(context.res, undefined, '127.0.0.1')
            const length = Number(context.req.headers['content-length'])
            const bytes = await receive(context.req, length, 100_000, size => holding.keep('body', size))
            context.state.form = new URLSearchParams(bytes.toString())
            return next()
          },
          async context => {
            context.redirect(`/shop/items/${context.state.form.get('item')}`)
          },
        ],
      },
      {
        method: 'POST',
        path: '/broken',
        stages: [
          () => {
            throw new TypeError('secret')
          },
        ],
      },
      {
        method: 'POST',
        path: '/broken-page',
        stages: [
          () => {
            throw new Problem('refund_required')
          },
        ],
      },
    ],
  }
}

async function startSite(t: TestContext) {
  const { db, clock, client, ...rest } = await startWithOrganization(t)
  const lines: Record<string, unknown>[] = []
  const observed: AnsweredRequest[] = []
  const log = openLog('info', { write: line => lines.push(JSON.parse(line)) })
  const memory = new MemoryBudget({ ofAddress: 100_000 })
  const services = { db, clock, log, cursors: new Cursors('secret'), memory }
  const observe = (request: AnsweredRequest) => observed.push(request)
  const url = await serveFaces(t, { clock, log, observe }, parts => [
    apiFace({ ...services, ...parts }, routes, []),
    shopFace(memory),
  ])
  const apiClient = new Client(`${url}/v1`, client.key)
  t.after(() => apiClient.close())
  const ask = async (method: string, path: string, body?: string) => {
    const answer = await fetch(url + path, { method, body: body ?? null, redirect: 'manual' })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  return { ...rest, url, lines, observed, memory, client: apiClient, ask }
}

test('a face reads bodies and answers in its own way, and what it refuses is told in its own way too', async t => {
  const { ask, client, ...server } = await startSite(t)
  const page = await ask('GET', '/shop/items/a%20b')
  assert.deepEqual([page.status, page.text], [200, '<h1>a%20b</h1>'])
  const ordered = await ask('POST', '/shop/orders', 'item=cap')
  assert.deepEqual([ordered.status, ordered.headers.get('location')], [302, '/shop/items/cap'])
  const large = await ask('POST', '/shop/orders', `item=${'x'.repeat(100_000)}`)
  assert.deepEqual([large.status, large.text], [422, '<h1>payload_too_large</h1>'])
  // The content is a form to one route and no body to the other.
  const form = { body: 'item=cap', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  assert.equal(
    (await client.post('/registrations', undefined, form)).body.error.code,
    'unsupported_media_type',
  )
  assert.equal((await client.post('/registrations', newRegistration(server))).status, 201)
})

test('the headers of a face are those of all its answers, and of no other’s', async t => {
  const { ask } = await startSite(t)
  const headersOf = async (method: string, path: string) => {
    const { headers } = await ask(method, path)
    const names = ['cache-control', 'content-security-policy', 'www-authenticate', 'x-ratelimit-limit']
    assert.match(headers.get('x-request-id') ?? '', /^req_[0-9a-f]{32}$/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    return names.map(name => headers.get(name))
  }
  const ofPages = ['private', "default-src 'none'", null]
  assert.deepEqual(await headersOf('GET', '/shop/items/cap'), [...ofPages, null])
  assert.deepEqual(await headersOf('POST', '/shop/broken'), [...ofPages, null])
  assert.deepEqual(await headersOf('GET', '/shop/nowhere'), [...ofPages, '120'])
  assert.deepEqual(await headersOf('GET', '/v1/events'), ['no-store', null, 'Bearer', '30'])
  assert.deepEqual(await headersOf('GET', '/v1/nowhere'), ['no-store', null, null, '120'])
  assert.deepEqual(await headersOf('GET', '/nowhere'), ['no-store', null, null, '120'])
})

test('a path that a face lacks is a 404 of its own, and a method a 405 that lists those it has; HEAD is a GET', async t => {
  const { ask } = await startSite(t)
  for (const path of ['/shop', '/shop/', '/shop/items/', '/shop/Items/cap', '/shop/v1/events']) {
    const answer = await ask('GET', path)
    assert.deepEqual([answer.status, answer.text], [404, '<h1>route_not_found</h1>'], path)
  }
  for (const method of ['POST', 'PUT', 'OPTIONS']) {
    const answer = await ask(method, '/shop/items/cap')
    assert.deepEqual([answer.status, answer.text], [405, '<h1>method_not_allowed</h1>'])
    assert.equal(answer.headers.get('allow'), 'HEAD, GET')
  }
  const head = await ask('HEAD', '/shop/items/cap')
  assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', '12'])
  for (const path of ['/', '/shopping', '/SHOP/items/cap', '//shop/items/cap', '/sh%6Fp/items/cap']) {
    const answer = await ask('GET', path)
    assert.deepEqual([answer.status, JSON.parse(answer.text).error.code], [404, 'route_not_found'], path)
  }
})

test('a failure in a face is in the log, and neither its page nor a page that fails itself reveals it', async t => {
  const { ask, lines } = await startSite(t)
  const failed = await ask('POST', '/shop/broken')
  assert.deepEqual([failed.status, failed.text], [500, '<h1>internal_error</h1>'])
  const requestId = failed.headers.get('x-request-id')
  assert.deepEqual(
    lines.map(({ level, msg, code, request_id }) => [level, msg, code, request_id]),
    [
      [50, 'a request failed', undefined, requestId],
      [30, undefined, 'internal_error', requestId],
    ],
  )
  lines.length = 0
  const { status, text, headers } = await ask('POST', '/shop/broken-page')
  assert.deepEqual([status, JSON.parse(text).error.code], [500, 'internal_error'])
  assert.ok(headers.has('x-ratelimit-limit'))
  assert.deepEqual(
    lines.map(({ level, code }) => [level, code]),
    [
      [50, undefined],
      [30, 'internal_error'],
    ],
  )
})

test('requests are logged and observed by the path of their route, and who asks is in the log alone', async t => {
  const { ask, client, lines, observed } = await startSite(t)
  await ask('GET', '/shop/items/canary')
  await ask('GET', '/shop/canary')
  await client.get('/events')
  const expected = [
    ['GET', '/shop/items/{slug}', 200],
    ['GET', null, 404],
    ['GET', '/events', 200],
  ]
  assert.deepEqual(
    observed.map(({ method, route, status }) => [method, route, status]),
    expected,
  )
  assert.deepEqual(
    lines.map(({ method, route, status }) => [method, route, status]),
    expected,
  )
  assert.deepEqual(
    lines.map(line => 'key_id' in line),
    [false, false, true],
  )
  assert.ok(!JSON.stringify([lines, observed]).includes('canary'))
})

test('unknown paths count against their address in all faces together, and known ones do not', async t => {
  const { ask, url } = await startSite(t)
  for (let at = 0; at < 40; at++) {
    assert.equal((await ask('GET', '/shop/nowhere')).status, 404)
    assert.equal((await ask('PUT', '/v1/events')).status, 405)
    assert.equal((await ask('GET', '/nowhere')).status, 404)
  }
  const refused = await ask('GET', '/shop/nowhere')
  assert.deepEqual([refused.status, refused.text], [429, '<h1>rate_limited</h1>'])
  assert.equal(refused.headers.get('retry-after'), '60')
  const bytes = 'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  assert.equal((await sendRaw(url, bytes)).body.error.code, 'rate_limited')
  assert.equal((await ask('GET', '/shop/items/cap')).status, 200)
})

test('the memory of an address’s requests is counted for all faces together', async t => {
  const { client, memory, ask, url, ...server } = await startSite(t)
  const body = JSON.stringify(newRegistration(server)).padEnd(40_000)
  assert.equal((await client.post('/registrations', body)).status, 201)
  const { socket, closed } = openRaw(url)
  socket.write('POST /shop/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 40000\r\n\r\nitem=')
  await eventually('the form has its room', () => memory.kept > 0)
  assert.equal((await client.post('/registrations', body)).body.error.code, 'rate_limited')
  assert.equal((await ask('POST', '/shop/orders', 'x'.repeat(40_000))).text, '<h1>rate_limited</h1>')
  socket.destroy()
  await closed
  await eventually('nothing is kept', () => memory.kept === 0)
  assert.equal((await client.post('/registrations', body)).status, 201)
})

test('the longest path that fits has a request, whole segments of it, and the empty one what is left over', async t => {
  const log = openLog('silent', { write: () => undefined })
  const nameItself = (path: string): Face<State> => ({
    path,
    answerProblem(context) {
      context.status = 404
      context.body = path
    },
    routes: [],
  })
  const faces = ['', '/v1', '/v1/inner', '/v', '/v1.2'].map(nameItself)
  const url = await serveFaces(t, { clock: testClock(), log }, () => faces)
  for (const [path, expected] of [
    ['/', ''],
    ['/v10', ''],
    ['/v10/events', ''],
    ['/V1/events', ''],
    ['/v1', '/v1'],
    ['/v1/', '/v1'],
    ['/v1?x=/v1/inner', '/v1'],
    ['/v1/innermost', '/v1'],
    ['/v1/inner', '/v1/inner'],
    ['/v1/inner/v1', '/v1/inner'],
    ['/v/1', '/v'],
    ['/v1.2/x', '/v1.2'],
    ['/v1x2/x', ''],
  ]) {
    assert.equal(await (await fetch(url + path)).text(), expected, path)
  }
})
