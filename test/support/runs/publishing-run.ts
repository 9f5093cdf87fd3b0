import assert from 'node:assert/strict'
import { DAY } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import { reviveNewest } from '#machinery/mail/outbox.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { indexAuthors } from '#product/programme/book/author-index.ts'
import { countFiles, zipFiles } from '#product/programme/book/files.ts'
import { forgetGone, listPairs } from '#product/programme/book/namesakes.ts'
import { PublicProgramme } from '#product/programme/published/reading.ts'
import { search } from '#product/programme/published/searching.ts'
import { placeMails } from '#product/programme/publishing/mails.ts'
import { unpublish } from '#product/programme/publishing/publish.ts'
import * as versions from '#product/programme/versions/rules.ts'
import { addSession, publishNow } from '../published.ts'

/** Publishes a programme with an abstract of the event, and reads all that is public of it. */
export async function publishProgramme(
  db: Database,
  clock: () => number,
  { accountId, eventId }: { accountId: string; eventId: string },
): Promise<void> {
  const place = { db, accountId, eventId, clock }
  const [{ id } = { id: '' }] = await db.read(accountId, async tx =>
    [...(await abstracts.list(tx, { event_id: eventId }, { limit: 1 })).rows].map(({ resource }) => resource),
  )
  await db.write(accountId, tx => abstracts.decide(tx, id, { decision: 'accepted' }))
  await addSession(place, { room: 'A published room' }, [{ id }, 'Coffee'])
  const { version } = await publishNow(place)
  assert.equal((await publishNow(place)).version.number, version.number)
  await db.write(accountId, tx => versions.setTextsFrom(tx, eventId, clock() - DAY))
  const of = { eventId, timezone: 'UTC', now: clock() }
  const read = await db.read(accountId, async tx => {
    const programme = await PublicProgramme.open(tx, of)
    await programme?.readAll(tx)
    return programme?.readAbstracts(tx, [id])
  })
  assert.ok(read?.get(id)?.text)
  assert.equal((await search(db, accountId, of, 'o-01'))?.found.length, 1)
  const number = read?.get(id)?.number ?? ''
  await db.write(accountId, tx => versions.setVerdicts(tx, eventId, [{ one: 'a', other: 'b', same: true }]))
  assert.deepEqual(await db.read(accountId, tx => listPairs(tx, eventId)), [])
  await forgetGone(db, accountId)
  assert.deepEqual(await db.read(accountId, tx => versions.listVerdicts(tx, eventId)), [])
  const authors = await indexAuthors(db, { accountId, eventId }, [{ id, number }], 'en')
  assert.ok(authors.length > 0)
  const count = await db.read(accountId, tx => countFiles(tx, eventId))
  let bytes = 0
  for await (const piece of await zipFiles(db, accountId, eventId)) bytes += piece.length
  assert.ok(count >= 0 && bytes > 0)
  assert.equal((await db.read(accountId, tx => abstracts.get(tx, id))).session?.number, number)
  await db.write(accountId, tx => unpublish(tx, eventId))
  // Whoever was not told before it was taken back is told now.
  await publishNow(place)
  const mail = { subjectId: id, recipient: 'nobody@example.org', details: {} }
  await db.write(accountId, tx => reviveNewest(tx, placeMails, mail))
  await db.write(accountId, tx => unpublish(tx, eventId))
}
