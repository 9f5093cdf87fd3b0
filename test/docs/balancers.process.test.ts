import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { request } from 'undici'
import { type Balancer, balancers, startBalancer } from '#test/support/balancers.ts'
import { eventually } from '#test/support/webhooks.ts'
import { pages, tokensOf } from './pages.ts'

interface Got {
  server: number
  key: string | undefined
  body: string
  forwarded: string | undefined
}

/** Starts what stands for a server: it notes what it gets, and answers with its number or breaks off. */
async function startServer(t: TestContext, number: number, got: Got[]) {
  const state = { breaksOff: false }
  const server = createServer(async (message: IncomingMessage, response) => {
    if (message.url === '/healthz') return response.end('{}')
    let body = ''
    for await (const piece of message) body += piece
    const { authorization: key, 'x-forwarded-for': forwarded } = message.headers
    got.push({ server: number, key, body, forwarded: forwarded as string | undefined })
    return state.breaksOff ? message.socket.destroy() : response.end(String(number))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  t.after(close)
  return { state, close, port: (server.address() as AddressInfo).port }
}

/** Starts a balancer before two servers. */
async function start(t: TestContext, balancer: Balancer) {
  const got: Got[] = []
  const servers = [await startServer(t, 1, got), await startServer(t, 2, got)] as const
  const url = await startBalancer(t, balancer, [servers[0].port, servers[1].port])
  const ask = async (key: string, body?: string, headers = {}) => {
    const { statusCode, body: answer } = await request(`${url}/`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...(key === '' ? {} : { authorization: `Bearer ${key}` }), ...headers },
      body: body ?? null,
    })
    return { status: statusCode, server: Number(await answer.text()) }
  }
  return { got, servers, ask }
}

for (const balancer of balancers) {
  const { file, keepsBodies, skip } = balancer
  test(`${file} keeps a key at a server, and sends nothing on that a server has got`, {
    skip,
    timeout: 60_000,
  }, async t => {
    const { got, servers, ask } = await start(t, balancer)
    const keys = Array.from({ length: 20 }, (_, number) => `key-${number}`)
    const serverOf = new Map<string, number>()
    for (const key of ['', ...keys]) {
      const answers = [await ask(key), await ask(key, 'a body'), await ask(key)]
      assert.deepEqual(new Set(answers.map(({ server }) => server)).size, 1, key)
      serverOf.set(key, answers[0]?.server as number)
    }
    assert.deepEqual([...new Set(keys.map(key => serverOf.get(key)))].sort(), [1, 2])

    await ask('', undefined, { 'x-forwarded-for': '192.0.2.1' })
    assert.match(got.at(-1)?.forwarded ?? '', /^(127\.0\.0\.1|::1)$/)

    // The server has got the body, and nobody knows what became of it.
    got.length = 0
    for (const { state } of servers) state.breaksOff = true
    assert.equal((await ask('', 'at most once')).status, 502)
    assert.deepEqual(
      got.map(({ body }) => body),
      ['at most once'],
    )
    for (const { state } of servers) state.breaksOff = false
    await eventually('both are used again', async () => (await ask('')).status === 200)

    got.length = 0
    await servers[0].close()
    const ofFirst = keys.filter(key => serverOf.get(key) === 1)
    assert.deepEqual(await ask(ofFirst[0] as string), { status: 200, server: 2 })
    const posted = await ask(ofFirst[1] as string, 'another')
    assert.ok(posted.status === 200 || !keepsBodies, String(posted.status))
    await eventually('the first is seen to be away', async () => {
      const answers = await Promise.all(ofFirst.map(key => ask(key, key)))
      return answers.every(({ status, server }) => status === 200 && server === 2)
    })
  })
}

test('every file of contrib is named by a page that says how to use it', () => {
  const links = pages.flatMap(page =>
    tokensOf(page).flatMap(token => (token.type === 'link' ? [token.href as string] : [])),
  )
  const files = readdirSync('contrib', { recursive: true, withFileTypes: true }).filter(each => each.isFile())
  assert.ok(files.length > 3)
  for (const { parentPath, name } of files) {
    assert.ok(links.includes(`../${join(parentPath, name)}`), `no page leads to ${name}`)
  }
})
