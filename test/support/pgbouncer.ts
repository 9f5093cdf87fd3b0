import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { place } from './folder.ts'
import { findPostgres, freePort } from './postgres-server.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

/** For a test that puts PgBouncer before PostgreSQL. */
export const ofPgBouncer = {
  skip:
    (findPostgres() === undefined || !existsSync(PROGRAM)) &&
    'there is no PgBouncer: apt install postgresql pgbouncer',
}

/** Starts PgBouncer before a PostgreSQL that trusts its users. @returns its port */
export async function startPgBouncer(
  t: Pick<TestContext, 'after'>,
  postgres: { port: number },
  settings: Readonly<Record<string, string | number>>,
): Promise<number> {
  const folder = mkdtempSync(join(place, 'turnout-pgbouncer-'))
  const port = await freePort()
  const users = join(folder, 'users')
  const all = {
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '' },
    ...{ auth_type: 'plain', auth_file: users, ...settings },
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(users, '"turnout" "s3cret"\n')
  writeFileSync(
    file,
    `[databases]\n* = host=127.0.0.1 port=${postgres.port}\n[pgbouncer]\n${lines.join('\n')}\n`,
  )
  // Neither program of PostgreSQL's runs as root.
  const isRoot = process.getuid?.() === 0
  const child = spawn(PROGRAM, isRoot ? ['-u', 'postgres', file] : [file], { stdio: 'ignore' })
  t.after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}.`)
    await pause(20)
  }
  return port
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    const tell = (is: boolean) => () => {
      socket.destroy()
      resolve(is)
    }
    socket.on('connect', tell(true)).on('error', tell(false))
  })
}
