import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import { FileReceiver } from '#product/programme/files/receive.ts'
import { inParts, LIMITS, plainPdf } from '../files.ts'
import { begin, openCall } from '../submissions.ts'

/** Exports what people have made for a call, with a file, and applies it again where it is. */
export async function moveAbstracts(
  db: Database,
  clock: Clock,
  { accountId, eventId, folder }: { accountId: string; eventId: string; folder: string },
  turnout: (...args: string[]) => Promise<unknown>,
): Promise<void> {
  const place = { db, clock, accountId, eventId }
  await openCall(place, { file: 'optional' })
  const { submission } = await begin(place, { email: 'files@example.org' })
  await new FileReceiver(db).receive(accountId, {
    ...{ eventId, submissionId: submission.id, name: 'a.pdf', bytes: inParts(plainPdf(100)) },
    limits: { ...LIMITS, isConfirmed: false },
  })
  const [files, path] = [join(folder, 'files'), join(folder, 'moved.json')]
  const exported = await turnout('export', '--account', accountId, '--files', files)
  writeFileSync(path, JSON.stringify(exported))
  const { changes } = (await turnout('apply', path, '--files', files, '--allow-insecure-webhooks')) as {
    changes: string[]
  }
  assert.deepEqual(changes, [])
}
