import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { request } from 'undici'
import { temporaryFolder } from './folder.ts'
import { freePort } from './postgres-server.ts'
import { eventually } from './webhooks.ts'

/** A balancer whose configuration people copy. */
export interface Balancer {
  program: string
  file: string
  /** Makes a whole configuration of the file, and returns the arguments that start the program with it. */
  prepare(text: string, folder: string): string[]
  /** Whether it keeps a body for another server, while the one that it was for refuses connections. */
  keepsBodies: boolean
  /** For a test that starts it. */
  skip: string | false
}

function ofProgram<T extends { program: string }>(balancer: T): T & { skip: string | false } {
  const { program } = balancer
  return {
    ...balancer,
    skip: !existsSync(program) && `there is no ${program}: apt install nginx caddy`,
  }
}

const nginx: Balancer = ofProgram({
  program: '/usr/sbin/nginx',
  file: 'contrib/cluster/nginx.conf',
  prepare: (text: string, folder: string) => {
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      name => `${name}_temp_path ${folder}/${name};`,
    )
    const whole = `daemon off; pid ${folder}/pid; error_log stderr;
      events {} http { access_log off; ${paths.join(' ')} ${text} }`
    writeFileSync(join(folder, 'nginx.conf'), whole)
    return ['-e', 'stderr', '-c', join(folder, 'nginx.conf')]
  },
  keepsBodies: true,
})

const caddy: Balancer = ofProgram({
  program: '/usr/bin/caddy',
  file: 'contrib/cluster/Caddyfile',
  prepare: (text: string, folder: string) => {
    const own = `{\n\tadmin off\n\tstorage file_system ${folder}\n}\n`
    writeFileSync(join(folder, 'Caddyfile'), own + text)
    return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  },
  keepsBodies: false,
})

export const balancers: readonly Balancer[] = [nginx, caddy]

/** Starts a balancer before two servers, on a port of its own instead of that of the file. @returns its address */
export async function startBalancer(
  t: TestContext,
  { program, file, prepare }: Balancer,
  [first, second]: readonly [number, number],
): Promise<string> {
  const port = await freePort()
  const text = readFileSync(file, 'utf8')
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${first}`)
    .replaceAll('127.0.0.1:8082', `127.0.0.1:${second}`)
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
  const url = `http://localhost:${port}`
  await eventually(`${program} answers: ${said}`, async () => {
    assert.equal(child.exitCode, null, said)
    const answer = await request(`${url}/healthz`).catch(() => undefined)
    await answer?.body.dump()
    return answer?.statusCode === 200
  })
  return url
}
