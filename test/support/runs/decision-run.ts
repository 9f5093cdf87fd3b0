import assert from 'node:assert/strict'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { runHere } from '#product/administration/jobs/run-here.ts'
import {
  DECIDE,
  decideMany,
  manyDecisions,
  previewDecision,
  start,
} from '#product/entrance/check-ins/decide-many.ts'
import { countHeld, exportScans, findOpen, importLine } from '#product/entrance/check-ins/door-history.ts'
import { readHistoryLine } from '#product/entrance/check-ins/door-history-schemas.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import * as scanCases from '#product/entrance/check-ins/scan-cases.ts'
import * as decisions from '#product/entrance/check-ins/scan-decisions.ts'
import * as scanLog from '#product/entrance/check-ins/scan-log.ts'
import * as scans from '#product/entrance/check-ins/scans.ts'
import * as doors from '#product/entrance/doors/rules.ts'

interface Place {
  accountId: string
  eventId: string
  /** The ticket is not checked in. */
  ticketId: string
}

/** Looks at what is to decide, by door, case and time, and decides about all of it. */
async function runMany(
  db: Database,
  { accountId, eventId, receive }: Omit<Place, 'ticketId'> & { receive: (id: string) => Promise<void> },
): Promise<void> {
  for (const id of ['many', 'more']) await receive(id)
  await db.write(accountId, async tx => {
    const undo = {
      id: 'held-undo',
      kind: 'undo',
      of: 'many',
      deviceAt: 0,
      offset: 0,
      at: 0,
      note: null,
    } as const
    const door = { deviceId: 'revoked', eventId, name: 'Door', typeIds: null, isRevoked: true }
    await scans.receive(tx, door, undo)
  })
  const [held, after] = await db.read(accountId, async tx => {
    const [first] = await scanCases.list(tx, eventId, 'held', { limit: 1 })
    assert.equal((await scanCases.list(tx, eventId, 'held', { limit: 5 })).length, 2)
    const [scan] = await scanLog.listOfCase(tx, first?.resource.id as string, { limit: 1 })
    await scanCases.listDoors(tx, eventId, 'held')
    await scanCases.get(tx, first?.resource.id as string, eventId)
    return [first, scan]
  })
  await db.read(accountId, async tx => {
    const page = { limit: 1, after: after?.position }
    await scanLog.listOfCase(tx, held?.resource.id as string, page)
    await scanCases.list(tx, eventId, 'held', { limit: 1, after: held?.position })
  })
  const of = [{ caseId: held?.resource.id as string }, { deviceId: 'revoked' }, { from: 0, to: 1 }]
  for (const scope of of) await previewDecision(db, accountId, { eventId, decision: 'count', ...scope })
  for (const decision of manyDecisions) {
    const which = { eventId, decision }
    const look = await previewDecision(db, accountId, which)
    const { id } = await db.write(accountId, tx => start(tx, which, { look, by: 'cli' }))
    // A running server may have it already.
    await db.read(INSTANCE, tx => jobs.findFree(tx, '', Date.now(), DECIDE))
    assert.equal((await runHere(db, accountId, id, decideMany)).done, look.scans)
  }
}

/** Does what organizers do about scans, each once, and carries them. */
export async function runScans(db: Database, { accountId, eventId, ticketId }: Place): Promise<void> {
  const door = { deviceId: null, eventId, name: 'Door', typeIds: null, isRevoked: false }
  const receive = (id: string, isRevoked = false): Promise<void> =>
    db.write(accountId, async tx => {
      const now = tx.clock()
      const common = { deviceAt: now, offset: 0, at: now, shown: 'admitted', note: null } as const
      const scan = { id, kind: 'scan', ticketId, signedFor: eventId, ...common } as const
      await scans.receive(tx, { ...door, isRevoked }, scan)
    })
  await receive('first')
  await receive('double')
  for (const id of ['held', 'other']) await receive(id, true)
  for (const list of scanLog.scanLists) {
    await db.read(accountId, async tx => {
      const [first] = await scanLog.list(tx, eventId, list, { limit: 1 })
      const after = first?.position
      await scanLog.list(tx, eventId, list, {
        limit: 1,
        ...(after === undefined ? {} : { after }),
      })
    })
  }
  await db.read(accountId, async tx => {
    await scanCases.count(tx, eventId, 10)
    await scanCases.countByEvent(tx, null, 10)
    await countHeld(tx)
    await doors.listAll(tx)
  })
  await db.write(accountId, async tx => {
    await decisions.setAside(tx, { id: 'double', eventId })
    await decisions.admitHeld(tx, { id: 'held', eventId })
    await decisions.dismissHeld(tx, { id: 'other', eventId })
    await decisions.undo(tx, { id: 'first', eventId }, 'R')
  })
  await runMany(db, { accountId, eventId, receive: id => receive(id, true) })
  const lines: object[] = []
  for await (const some of exportScans(db, accountId, 0)) lines.push(...some)
  await db.read(accountId, findOpen)
  await db.write(accountId, async tx => {
    for (const each of lines.slice(1)) {
      const read = readHistoryLine(each)
      if ('path' in read) throw new Error(`A line is wrong at ${read.path}.`)
      await importLine(tx, read.line)
    }
  })
  await db.write(accountId, async tx => {
    for (const id of ['double', 'held', 'many', 'more']) await decisions.undo(tx, { id, eventId }, 'R')
    await checkIns.create(tx, { attendee_id: ticketId })
    await checkIns.undo(tx, ticketId, { event_id: eventId })
  })
}
