import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type SqliteConnection from 'better-sqlite3'
import { openSqliteFile } from '#machinery/db/sqlite/addon/open-file.ts'
import { Checkpointer } from '#machinery/db/sqlite/checkpointer.ts'
import { databasePath } from '#machinery/db/sqlite/data-folder.ts'
import { DatabaseFiles } from '#machinery/db/sqlite/database-files.ts'
import { WriteAheadLog } from '#machinery/db/sqlite/wal.ts'
import { type Commits, GroupedCommits, SingleCommits } from './floor-commits.ts'
import { FloorOperations, type Outcome } from './floor-operations.ts'
import { readStatements } from './floor-statements.ts'

/**
 * Runs one of the floors that the program is measured against: the least that answers its three hottest requests with the same
 * rows, hashes and signatures. *bare* has the program's group commit; *naive* commits, and waits for the disk, once a request.
 *
 * node floor.cjs bare|naive DIR
 */
async function main(kind: string, data: string): Promise<void> {
  const path = databasePath(data)
  const statements = await readStatements()
  const writer = open(path, kind === 'bare' ? 'NORMAL' : 'FULL')
  const reader = open(path, 'NORMAL')
  const commits =
    kind === 'bare'
      ? groupedCommits(path, writer, statements.takeInstant)
      : new SingleCommits(writer, statements.takeInstant)
  const operations = new FloorOperations(reader, writer, commits, statements)
  const server = createServer((request, response) => {
    answer(operations, request, response).catch(error => {
      process.stderr.write(`${error.stack}\n`)
      response.writeHead(500, { 'Content-Length': 0 }).end()
    })
  })
  server.keepAliveTimeout = 65_000
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.stdout.write(`listening on http://127.0.0.1:${port}/v1\n`)
  })
  // A profiler writes its profile at an orderly end.
  process.on('SIGTERM', () => process.exit())
}

function open(path: string, synchronous: 'NORMAL' | 'FULL'): SqliteConnection.Database {
  const sqlite = openSqliteFile(path)
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma(`synchronous = ${synchronous}`)
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('temp_store = MEMORY')
  return sqlite
}

function groupedCommits(path: string, writer: SqliteConnection.Database, takeInstant: string): Commits {
  writer.pragma('wal_autocheckpoint = 0')
  // The first use makes the log.
  writer.exec('BEGIN IMMEDIATE; COMMIT')
  const log = new WriteAheadLog(path)
  const commits = new GroupedCommits(writer, takeInstant, log, () => checkpointer.check())
  const checkpointer = new Checkpointer({
    files: new DatabaseFiles(path),
    log,
    commits,
    onFailure: error => {
      throw error
    },
  })
  return commits
}

async function answer(
  operations: FloorOperations,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, body } = await operate(operations, request, await readBody(request))
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
  })
}

async function operate(
  operations: FloorOperations,
  request: IncomingMessage,
  rawBody: Buffer,
): Promise<Outcome> {
  const { headers, url: path = '' } = request
  const key = operations.authenticate(headers.authorization?.slice('Bearer '.length) ?? '')
  if (request.method === 'GET')
    return operations.getRegistration(key.account_id, path.slice('/v1/registrations/'.length))
  const idempotencyKey = headers['idempotency-key'] as string
  const address = request.socket.remoteAddress ?? ''
  const write = { key, path, idempotencyKey, rawBody, address }
  return path === '/v1/check-ins' ? operations.createCheckIn(write) : operations.createRegistration(write)
}

void main(process.argv[2] ?? '', process.argv[3] ?? '')
