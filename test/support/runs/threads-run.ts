import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { openSqliteFile } from '#machinery/db/sqlite/addon/open-file.ts'
import { backUp } from '#machinery/db/sqlite/copies/backup.ts'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { startDatabaseThread } from '#machinery/db/sqlite/threads/thread.ts'
import { ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import { signInThread } from '#product/guests/attendees/signing-thread.ts'
import { newTicketKey } from '#product/guests/attendees/ticket-code.ts'
import { INSERT, notes } from '#test/machinery/db/sqlite/notes.ts'
import { documentOf, ticketOf } from '../ticket-documents.ts'

// This process starts and ends threads, one after the other, while its database is written to and read, and the garbage is
// collected. Its arguments are FOLDER, how many, and which. It prints how the threads ended.

const [folder = '', times = '', which = ''] = process.argv.slice(2)
const collect = (globalThis as unknown as { gc: () => void }).gc
const started: Worker[] = []
const codes: number[] = []
process.on('worker', worker => {
  started.push(worker)
  worker.on('exit', code => codes.push(code))
})

/** Each round starts and ends such a thread. */
const rounds: Record<string, (round: number) => Promise<void>> = {
  checkpoints: writeUntilCheckpoint,
  backups: copyOnce,
  signing: signOnce,
  drawing: drawOnce,
  'left open': leaveOpen,
}

const failures: unknown[] = []
const path = join(folder, 'test.db')

async function run(): Promise<void> {
  const wait = setTimeout
  if (which === 'drawing') {
    Object.assign(globalThis, { setTimeout: (work: () => void) => wait(work, 0) })
  }
  const db = openSqlite(path, { clock: Date.now, schema: notes })
  const load = { isOver: false }
  const busy = keepBusy(db, load)
  for (let round = 0; round < Number(times); round++) {
    await rounds[which]?.(round)
    collect()
  }
  load.isOver = true
  await busy
  await db.close()
  collect()
  const ended = { started: started.length, codes: [...new Set(codes)], failures }
  process.stdout.write(`${JSON.stringify(ended)}\n`)
}

function openServer(path: string) {
  const server = {
    onFailure: (error: unknown) => failures.push(String(error)),
    beginAt: 50_000,
    waitAt: 500_000,
  }
  return openSqlite(path, { clock: Date.now, schema: notes, server })
}

/** Writes and reads, with statements of connections that are left to be collected. */
async function keepBusy(db: Database, load: { isOver: boolean }): Promise<void> {
  for (let number = 0; !load.isOver; number++) {
    await db.write(INSTANCE, tx =>
      tx.run('INSERT OR REPLACE INTO notes (text) VALUES ($1)', [`${number % 50}`]),
    )
    await db.read(INSTANCE, tx => tx.all('SELECT * FROM notes'))
    if (number % 20 === 0) {
      const forgotten = openSqliteFile(path)
      forgotten.prepare('SELECT * FROM notes').iterate().next()
    }
    await nextTurn()
  }
}

/** Opens a server of its own, and closes it as soon as a checkpoint has begun. */
async function writeUntilCheckpoint(round: number): Promise<void> {
  const folderOfRound = join(folder, `round-${round}`)
  mkdirSync(folderOfRound)
  const before = started.length
  const own = openServer(join(folderOfRound, 'test.db'))
  for (let number = 0; started.length === before; number++) {
    await own.write(INSTANCE, tx => tx.run(INSERT, [`${number} ${'x'.repeat(5_000)}`]))
  }
  await own.close()
  rmSync(folderOfRound, { recursive: true })
}

async function copyOnce(round: number): Promise<void> {
  const copy = join(folder, `copy-${round}.db`)
  const before = codes.length
  await backUp(path, copy).catch((error: unknown) => failures.push(String(error)))
  while (codes.length === before) await nextTurn()
  rmSync(copy)
}

/** Ends the thread by force, because nothing asks it to end. */
async function signOnce(): Promise<void> {
  await signInThread(newTicketKey(), 3)
  await started.at(-1)?.terminate()
}

/** It ends once nobody has wanted another for long: `run` has it end at once. */
async function drawOnce(): Promise<void> {
  const before = codes.length
  await ticketPdf(documentOf({ tickets: [ticketOf('Grace')] }))
  while (codes.length === before) await nextTurn()
}

/** Ends the thread by force while its connection is open, as when the process ends in the middle of a checkpoint. */
async function leaveOpen(): Promise<void> {
  const { worker } = startDatabaseThread('checkpoint', describe())
  worker.postMessage('PASSIVE')
  await new Promise(resolve => worker.once('message', resolve))
  await worker.terminate()
}

function describe() {
  const { dev, ino } = statSync(path, { bigint: true })
  return { path, database: { dev, ino } }
}

run()
