import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openDatabaseForServer } from '#machinery/db/sqlite/data-folder.ts'
import { type Answer, Client } from '#test/support/client.ts'
import { findDamage, findLoss } from '#test/support/damage.ts'
import { organizationToday, prepareDataFolder } from '#test/support/data-folder.ts'
import { diskFolder, temporaryFolder } from '#test/support/folder.ts'
import { ImportLoad } from '#test/support/load.ts'
import { registration } from '#test/support/organization.ts'
import type { Program } from '#test/support/program.ts'
import { withRows } from '#test/support/rows.ts'
import { runCommandIn, startServerProcess } from '#test/support/server-process.ts'
import { type Cut, cuts, Disk } from './disk.ts'
import { buildRecorder, recording } from './recorder.ts'
import { type FolderState, type Operation, readFolderState, readRecording } from './recording.ts'

/** A command of the command line adds this many beside the load. */
const APPLIED = 200

interface Acknowledged<Of> {
  /** How many operations had been recorded when it left the process. */
  at: number
  of: Of
}

/** A load on a server, and everything that it did to its files until it was killed. */
export interface Recorded {
  before: FolderState
  operations: Operation[]
  imports: Acknowledged<[idempotencyKey: string, answer: Answer]>[]
  /** The ids that the command said it had made. */
  applied: Acknowledged<string[]>
}

/**
 * @param imported how many imports are answered before the server is killed
 * @param imports modules that are loaded before the program
 */
export async function recordLoad(
  t: TestContext,
  imported: number,
  imports: Program[] = [],
): Promise<Recorded> {
  const { data, eventId, typeId, key } = await prepareDataFolder(t)
  const before = readFolderState(data)
  const aside = diskFolder(t)
  const record = recording(buildRecorder(aside), data, join(aside, 'recording'))
  const smallLog = 'test/durability/small-log.ts'
  const server = await startServerProcess(t, data, { ...record, imports: [smallLog, ...imports] })
  const client = new Client(server.url, key)
  const load = new ImportLoad(client, 'power', 32, number => ({
    event_id: eventId,
    registration_type_id: typeId,
    buyer: { name: `Guest ${number}`, email: `guest-${number}@example.org` },
    quantity: 1 + (number % 3),
  }))
  await load.reached(imported / 4)
  const file = join(aside, 'more.json')
  const references = Array.from({ length: APPLIED }, (_, number) => `moved-${number}`)
  writeFileSync(file, JSON.stringify(organizationToday(references.map(reference => registration(reference)))))
  const command = await runCommandIn(t, { ...record, imports }, 'apply', file, '--data', data, '--json')
  assert.equal(command.code, 0, command.stderr)
  await load.reached(imported)
  server.kill('SIGKILL')
  await load.ended()
  await client.close()
  await server.ended

  const operations = readRecording(join(aside, 'recording'))
  const answers = [...load.answered].filter(([, { status }]) => status === 201)
  assert.equal(answers.length, load.answered.size)
  const sent = firstSent(operations)
  const event = JSON.parse(command.stdout).events['spring-meeting']
  const applied: string[] = Object.values(event.registrations)
  assert.equal(applied.length, APPLIED)
  const at = (id: string) => {
    const position = sent.get(id)
    assert.ok(position !== undefined, `the recording lacks the answer with ${id}`)
    return position
  }
  return {
    before,
    operations,
    imports: answers.map(answer => ({ at: at(answer[1].body.id), of: answer })),
    applied: { at: Math.max(...applied.map(at)), of: applied },
  }
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Returns for each id where it was first sent to anybody. */
function firstSent(operations: Operation[]): Map<string, number> {
  const sent = new Map<string, number>()
  operations.forEach((operation, at) => {
    if (operation.kind !== 'send') return
    for (const [id] of operation.data.toString('latin1').matchAll(ID)) if (!sent.has(id)) sent.set(id, at)
  })
  return sent
}

export interface Findings {
  /** Returns what had been acknowledged by the moment of a power cut, and is missing after it. */
  losses: string[]
  /** Describes files that do not open, or that are damaged. */
  damages: string[]
}

/** Cuts the power at so many moments, each in one of the ways, and looks at what the program then finds on the disk. */
export async function cutPower(
  t: TestContext,
  recorded: Recorded,
  times: number,
  random: () => number,
  ways: readonly Cut[] = cuts,
): Promise<Findings> {
  const { before, operations, imports, applied } = recorded
  const findings: Findings = { losses: [], damages: [] }
  const folder = join(temporaryFolder(t), 'disk')
  const disk = new Disk(before)
  let done = 0
  for (const { moment, way } of choosePowerCuts(recorded, times, random, ways)) {
    while (done < moment) disk.do(operations[done++] as Operation)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    for (const [name, content] of disk.afterPowerCut(way, random)) writeFileSync(join(folder, name), content)
    const found = (what: string) => `${way} at ${moment}: ${what}`
    try {
      await openAsServer(folder)
      findings.damages.push(...(await findDamage(folder)).map(found))
      const acknowledged = new Map(imports.filter(({ at }) => at < moment).map(({ of }) => of))
      findings.losses.push(...(await findLoss(folder, acknowledged)).map(found))
      if (applied.at < moment) findings.losses.push(...(await findMissing(folder, applied.of)).map(found))
    } catch (error) {
      findings.damages.push(found(String(error)))
    }
  }
  return findings
}

interface PowerCut {
  /** How many operations come before it. */
  moment: number
  way: Cut
}

/**
 * Returns the moments in the order of time. What was not synced is all lost just after an answer has left, which is when an answer
 * that was given too early is found out; the others lie around the end of a log, after a sync, within a checkpoint, and anywhere.
 */
function choosePowerCuts(
  { operations, imports }: Recorded,
  times: number,
  random: () => number,
  ways: readonly Cut[],
): PowerCut[] {
  const after = (is: (operation: Operation) => boolean) =>
    operations.flatMap((operation, at) => (is(operation) ? [at + 1] : []))
  const answers = imports.map(({ at }) => at + 1)
  const classes = [
    answers,
    after(({ kind }) => kind === 'truncate'),
    after(({ kind }) => kind === 'sync ends'),
    after(operation => operation.kind === 'write' && operation.offset % 4096 === 0),
    operations.map((_, at) => at),
  ]
  const one = <Any>(some: Any[]) => some[Math.floor(random() * some.length)] as Any
  return Array.from({ length: times }, (_, number) => {
    const way = ways[number % ways.length] as Cut
    const moments = way === 'synced' ? answers : one(classes)
    return { moment: one(moments), way }
  }).sort((a, b) => a.moment - b.moment)
}

async function openAsServer(folder: string): Promise<void> {
  const failures: unknown[] = []
  const db = openDatabaseForServer(folder, Date.now, error => failures.push(error))
  await db.close()
  if (failures.length > 0) throw failures[0]
}

async function findMissing(data: string, ids: string[]): Promise<string[]> {
  const there = new Set(await withRows(data, rows => rows.column<string>('SELECT id FROM registrations')))
  return ids.filter(id => !there.has(id)).map(id => `the registration ${id} of the file is lost`)
}

/** Returns numbers from 0 to 1 that a seed repeats (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
