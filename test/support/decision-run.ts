import { readCarried } from '../../src/checkins/carried-schemas.ts'
import { bring, countHeld, exportScans } from '../../src/checkins/carrying.ts'
import * as checkIns from '../../src/checkins/rules.ts'
import * as decisions from '../../src/checkins/scan-decisions.ts'
import * as scanLog from '../../src/checkins/scan-log.ts'
import * as scans from '../../src/checkins/scans.ts'
import type { Database } from '../../src/db/port.ts'
import * as doors from '../../src/doors/rules.ts'

interface Place {
  accountId: string
  eventId: string
  /** That is not checked in. */
  ticketId: string
}

/** Does what organizers do about scans, each once, and carries them. */
export async function runScans(db: Database, { accountId, eventId, ticketId }: Place): Promise<void> {
  const door = { deviceId: null, eventId, name: 'Door', typeIds: null, isRevoked: false }
  const receive = (id: string, isRevoked = false) =>
    db.write(accountId, async tx => {
      const now = tx.clock()
      const said = { deviceAt: now, offset: 0, at: now, shown: 'admitted', note: null } as const
      const scan = { id, kind: 'scan', ticketId, signedFor: eventId, ...said } as const
      await scans.receive(tx, accountId, { ...door, isRevoked }, scan)
    })
  await receive('first')
  await receive('double')
  for (const id of ['held', 'other']) await receive(id, true)
  for (const list of scanLog.scanLists) {
    await db.read(async tx => {
      const [first] = await scanLog.list(tx, accountId, eventId, list, { limit: 1 })
      const after = first?.position
      await scanLog.list(tx, accountId, eventId, list, {
        limit: 1,
        ...(after === undefined ? {} : { after }),
      })
    })
  }
  await db.read(async tx => {
    await scanLog.countToLookAt(tx, accountId, eventId, 10)
    await scanLog.countByEvent(tx, accountId, null, 10)
    await countHeld(tx, accountId)
    await doors.listAll(tx, accountId)
  })
  await db.write(accountId, async tx => {
    await decisions.setAside(tx, accountId, { id: 'double', eventId })
    await decisions.admitHeld(tx, accountId, { id: 'held', eventId })
    await decisions.dismissHeld(tx, accountId, { id: 'other', eventId })
    await decisions.undo(tx, accountId, { id: 'first', eventId }, 'R')
  })
  const lines: object[] = []
  for await (const some of exportScans(db, accountId, 0)) lines.push(...some)
  await db.write(accountId, async tx => {
    for (const each of lines.slice(1)) {
      const read = readCarried(each)
      if ('path' in read) throw new Error(`A line is wrong at ${read.path}.`)
      await bring(tx, accountId, read.line)
    }
  })
  await db.write(accountId, async tx => {
    for (const id of ['double', 'held']) await decisions.undo(tx, accountId, { id, eventId }, 'R')
    await checkIns.create(tx, accountId, { attendee_id: ticketId })
    await checkIns.undo(tx, accountId, ticketId, { event_id: eventId })
  })
}
