import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { request } from 'undici'
import { temporaryFolder } from '#test/support/folder.ts'
import { freePort } from '#test/support/postgres-server.ts'
import { eventually } from '#test/support/webhooks.ts'
import { pages, tokensOf } from './pages.ts'

/** A balancer whose configuration people copy. */
interface Balancer {
  program: string
  file: string
  /** Makes a whole configuration of the file, and returns the arguments that start the program with it. */
  prepare(text: string, folder: string): string[]
  /** Whether it keeps a body for another server, while the one that it was for refuses connections. */
  keepsBodies: boolean
}

const nginx: Balancer = {
  program: '/usr/sbin/nginx',
  file: 'contrib/cluster/nginx.conf',
  prepare: (text, folder) => {
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      name => `${name}_temp_path ${folder}/${name};`,
    )
    const whole = `daemon off; pid ${folder}/pid; error_log stderr;
      events {} http { access_log off; ${paths.join(' ')} ${text} }`
    writeFileSync(join(folder, 'nginx.conf'), whole)
    return ['-e', 'stderr', '-c', join(folder, 'nginx.conf')]
  },
  keepsBodies: true,
}

const caddy: Balancer = {
  program: '/usr/bin/caddy',
  file: 'contrib/cluster/Caddyfile',
  prepare: (text, folder) => {
    const own = `{\n\tadmin off\n\tstorage file_system ${folder}\n}\n`
    writeFileSync(join(folder, 'Caddyfile'), own + text)
    return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  },
  keepsBodies: false,
}

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

/** Starts a balancer before two servers, on ports of this test instead of those of the file. */
async function start(t: TestContext, { program, file, prepare }: Balancer) {
  const got: Got[] = []
  const servers = [await startServer(t, 1, got), await startServer(t, 2, got)] as const
  const port = await freePort()
  const text = readFileSync(file, 'utf8')
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${servers[0].port}`)
    .replaceAll('127.0.0.1:8082', `127.0.0.1:${servers[1].port}`)
    .replaceAll(/(localhost|listen 127\.0\.0\.1):80[89]0/g, `$1:${port}`)
  const child = spawn(program, prepare(text, temporaryFolder(t)), { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', piece => {
    said += piece
  })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const ask = async (key: string, body?: string, headers = {}) => {
    const { statusCode, body: answer } = await request(`http://localhost:${port}/`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...(key === '' ? {} : { authorization: `Bearer ${key}` }), ...headers },
      body: body ?? null,
    })
    return { status: statusCode, server: Number(await answer.text()) }
  }
  await eventually(`${program} answers: ${said}`, async () => {
    assert.equal(child.exitCode, null, said)
    return (await ask('').catch(() => undefined))?.status === 200
  })
  got.length = 0
  return { got, servers, ask }
}

for (const balancer of [nginx, caddy]) {
  const { program, file, keepsBodies } = balancer
  test(`${file} keeps a key at a server, and sends nothing on that a server has got`, {
    skip: !existsSync(program) && `there is no ${program}: apt install nginx caddy`,
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
