import assert from 'node:assert/strict'
import { type Clock, DAY } from '#base/time.ts'
import type { AccountCleaning } from '#machinery/db/cleaning.ts'
import type { Database } from '#machinery/db/port.ts'
import { cleaning } from '#product/programme/files/cleaning.ts'
import { FileReceiver } from '#product/programme/files/receive.ts'
import * as files from '#product/programme/files/rules.ts'
import { inParts, LIMITS, MIB, plainPdf } from '../files.ts'

/** Does everything with the files of submissions, and leaves one that has several pieces. */
export async function keepFiles(
  db: Database,
  clock: Clock,
  { accountId, eventId }: { accountId: string; eventId: string },
): Promise<void> {
  const receiver = new FileReceiver(db)
  const send = (submissionId: string, bytes: Uint8Array) =>
    receiver.receive(accountId, {
      eventId,
      submissionId,
      name: 'a.pdf',
      bytes: inParts(bytes),
      limits: LIMITS,
    })
  await send('one', plainPdf(MIB + 1))
  await send('one', plainPdf(2 * MIB + 1))
  await send('two', plainPdf(100))
  await db.read(accountId, tx => files.isReplacedTooOften(tx, { id: 'one', event_id: eventId }))
  await assert.rejects(send('two', plainPdf(MIB).subarray(0, -100)))
  await db.write(accountId, tx => files.remove(tx, eventId, 'two'))
  for (const { hasOld, deleteSome } of cleaning as readonly AccountCleaning[]) {
    const later = clock() + DAY
    assert.ok(await db.read(accountId, tx => hasOld(tx, later)))
    while ((await db.write(accountId, tx => deleteSome(tx, later, { rows: 1, bytes: 1 }))) > 0);
  }
  const file = await db.read(accountId, tx => files.find(tx, eventId, 'one'))
  assert.ok(file !== undefined)
  for await (const piece of files.read(db, accountId, file)) assert.ok(piece.length > 0)
}
