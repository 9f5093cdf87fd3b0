import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR } from '#base/time.ts'
import * as rooms from '#product/programme/timetable/rooms.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import { copyOf, damageOf } from '#test/support/engine.ts'
import { organization } from '#test/support/organization.ts'
import { acceptOne, addSession, openProgrammeCall, publishNow } from '#test/support/published.ts'
import { withRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'

test('a programme is held against its event, and each version against itself and the one before', async t => {
  const { data, db, applied, eventId, clock } = await startWithOrganization(
    t,
    organization({ events: [{ slug: 'other', title: 'Other' }] }),
  )
  const accountId = applied.account_id
  const place = { db, accountId, eventId, clock }
  const other = { ...place, eventId: applied.events.other?.id as string }
  await openProgrammeCall(place)
  const [one, two] = [await acceptOne(place), await acceptOne(place)]
  const session = await addSession(place, { room: 'A' }, [one])
  await publishNow(place)
  const second = await addSession(place, { room: 'B', from: clock() + 3 * HOUR }, [two, 'Coffee'])
  await publishNow(place)
  const foreign = await db.write(accountId, tx => rooms.add(tx, other.eventId, { name: 'C' }))
  const { id: strange } = await db.write(accountId, tx =>
    sessions.add(tx, other.eventId, {
      ...{ title: 'Other', room_id: null, chairs: [], about: null },
      ...{ starts_at: clock(), ends_at: clock() + HOUR },
    }),
  )
  assert.deepEqual(await damageOf(data), [])
  const content = (change: string) => `UPDATE programme_versions SET content = ${change} WHERE number = 2`
  const replace = (from: string, to: string) => content(`replace(content, '${from}', '${to}')`)
  const what = /^version 2 of the programme of event \S+ /.source
  const damages: [sql: string, found: RegExp][] = [
    [
      `UPDATE programme_sessions SET room_id = '${foreign.id}' WHERE id = '${second.id}'`,
      /^session \S+ is in a room of another event$/,
    ],
    [
      `UPDATE slots SET session_id = '${strange}' WHERE abstract_id = '${one.id}'`,
      /^slot \S+ is in a session of another event$/,
    ],
    [
      `UPDATE abstracts SET event_id = '${other.eventId}', code = 'X' WHERE id = '${two.id}'`,
      /^slot \S+ has an abstract of another event$/,
    ],
    [
      `UPDATE slots SET session_id = '${session.id}', abstract_id = '${one.id}', title = NULL WHERE title = 'Coffee'`,
      /^session \S+ has abstract \S+ twice$/,
    ],
    [
      'DELETE FROM programme_versions WHERE number = 1',
      /^event \S+ has 1 versions of its programme, of which the newest is 2$/,
    ],
    [replace('O-02', 'O-01'), new RegExp(`${what}gives a number twice$`)],
    [
      replace('O-01', 'O-09'),
      new RegExp(`${what}gives abstract ${one.id} another number than the version before$`),
    ],
    [replace(second.id, session.id), new RegExp(`${what}has a session or a slot twice$`)],
    [replace(`,"${two.id}":"O-02"`, ''), new RegExp(`${what}has abstract ${two.id} without a number$`)],
    [
      replace(two.id, '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'),
      new RegExp(`${what}has abstract 0197a0b4\\S+, which the event has not$`),
    ],
  ]
  for (const [sql, found] of damages) {
    const copy = await copyOf(t, data)
    await withRows(copy, async rows => assert.equal(await rows.run(sql), 1, sql))
    const sentences = await damageOf(copy)
    assert.ok(
      sentences.some(sentence => found.test(sentence)),
      `${sql}\n${sentences.join('\n')}`,
    )
  }
})
