import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { place as folders } from './folder.ts'

const INSTALLED = '/usr/lib/postgresql'
/** The oldest version that the program takes. */
const OLDEST = 15

/** Returns the folder of PostgreSQL's programs as Debian has them, or undefined without them. */
export function findPostgres(): string | undefined {
  if (!existsSync(INSTALLED)) return undefined
  const versions = readdirSync(INSTALLED).map(Number)
  const newest = Math.max(0, ...versions.filter(version => version >= OLDEST))
  const programs = join(INSTALLED, String(newest), 'bin')
  return existsSync(join(programs, 'initdb')) ? programs : undefined
}

/** For a test that needs PostgreSQL, whatever engine the others run on. */
export const ofPostgres = {
  skip: findPostgres() === undefined && 'there is no PostgreSQL: apt install postgresql',
}

/** How a database is made whose texts are compared byte by byte. */
const FIT = "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"

/** A cluster of its own, on a port of this machine. */
export interface PostgresServer {
  /** The address without a database: `postgresql://turnout@127.0.0.1:5432`. */
  url: string
  port: number
  /** The folder of the cluster. */
  data: string
  /** Returns the id of its first process, whose children are the others. */
  pid(): number
  /** Stops it. `immediate` is as if its machine had lost power, but that all processes end. */
  stop(how?: 'fast' | 'immediate'): void
  /** Carries out a statement. @returns its rows as lines */
  psql(sql: string, database?: string): string
  /** Makes a database. @returns its address */
  makeDatabase(how?: string): string
  start(): void
  isRunning(): boolean
  /** Runs one of PostgreSQL's programs as the user of the cluster. */
  run(program: string, args: readonly string[]): string
  /** Stops it and removes all of it. */
  remove(): void
}

export interface PostgresServerOptions {
  /** Settings of postgresql.conf. */
  settings?: Readonly<Record<string, string | number>>
  /** Where its folder is made. By default that is in memory. */
  place?: string
  /** Makes the folder of the cluster instead of initdb. */
  make?: (data: string, run: PostgresServer['run']) => void
}

/** What a test can do without: whatever it loses, nobody misses. */
const CARELESS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

/** Makes and starts a cluster. It is in memory, and syncs nothing unless the settings say so. */
export async function startPostgres({
  settings = CARELESS,
  place = folders,
  make = (data, run) =>
    void run('initdb', ['-D', data, '-A', 'trust', '-U', 'turnout', '--locale=C', '-E', 'UTF8', '--no-sync']),
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const programs = findPostgres()
  if (programs === undefined) throw new Error('There is no PostgreSQL: apt install postgresql')
  const folder = mkdtempSync(join(place, 'turnout-postgres-'))
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0
  const [user, group] = isRoot ? idsOf('postgres') : []
  if (user !== undefined && group !== undefined) chownSync(folder, user, group)
  const run: PostgresServer['run'] = (program, args) =>
    execFileSync(join(programs, program), args, {
      ...{ encoding: 'utf8', cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
      ...(user === undefined ? {} : { uid: user, gid: group }),
    })
  const port = await freePort()
  const data = join(folder, 'data')
  // Other processes for one query would share memory, of which a container may have little.
  const own = { max_connections: 800, autovacuum: 'off', max_parallel_workers_per_gather: 0 }
  const all = { ...own, max_wal_size: '4GB', ...settings }
  const flags = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`)
  const log = join(folder, 'log')
  const start = () => {
    // Whatever the server writes goes to its log, so that nobody waits for the end of this output.
    const { status } = spawnSync(
      join(programs, 'pg_ctl'),
      ['-D', data, '-l', log, '-w', '-o', `-p ${port} -k ${folder} ${flags.join(' ')}`, 'start'],
      { cwd: folder, stdio: 'ignore', ...(user === undefined ? {} : { uid: user, gid: group }) },
    )
    if (status !== 0) throw new Error(`PostgreSQL did not start: ${readFileSync(log, 'utf8')}`)
  }
  const stop = (how: 'fast' | 'immediate' = 'fast') => {
    run('pg_ctl', ['-D', data, '-w', '-m', how, 'stop'])
  }
  const isRunning = () => {
    try {
      run('pg_ctl', ['-D', data, 'status'])
      return true
    } catch {
      return false
    }
  }
  make(data, run)
  start()
  const url = `postgresql://turnout@127.0.0.1:${port}`
  const remove = () => {
    try {
      stop('immediate')
    } catch {
      // It does not run.
    }
    rmSync(folder, { recursive: true, force: true })
  }
  const pid = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  const psql = (sql: string, database = 'postgres') => run('psql', [`${url}/${database}`, '-qAtXc', sql])
  let made = 0
  const makeDatabase = (how = FIT) => {
    const name = `made_${++made}`
    psql(`CREATE DATABASE ${name} ${how}`)
    return `${url}/${name}`
  }
  return { url, port, data, pid, psql, makeDatabase, stop, start, isRunning, run, remove }
}

function idsOf(name: string): [number, number] {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return [id('-u'), id('-g')]
}

/** Returns a port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Starts a cluster before the tests of a file, where there is PostgreSQL, and removes it after them. @returns what returns it */
export function postgresOfFile(): () => PostgresServer {
  let postgres: PostgresServer | undefined
  before(async () => {
    if (findPostgres() !== undefined) postgres = await startPostgres()
  })
  after(() => postgres?.remove())
  return () => {
    if (postgres === undefined) throw new Error('There is no PostgreSQL: the test is to be of PostgreSQL.')
    return postgres
  }
}
