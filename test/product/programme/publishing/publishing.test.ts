import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { DAY, HOUR } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { publish, unpublish } from '#product/programme/publishing/publish.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import * as slots from '#product/programme/timetable/slots.ts'
import * as versions from '#product/programme/versions/rules.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { acceptOne, addSession, openProgrammeCall, publishNow, readChanges } from '#test/support/published.ts'
import { startTicketMail, subjectsOf } from '#test/support/ticket-mail.ts'

async function start(t: TestContext) {
  const server = await startDashboard(t)
  const { db, accountId, eventId, app } = server
  const call = await openProgrammeCall(server)
  const [talk, poster] = call.kinds.map(({ id }) => id) as [string, string]
  await server.member('manager')
  const manager = await db.read(accountId, tx =>
    tx.one<{ id: string }>("SELECT user_id AS id FROM members WHERE role = 'manager'"),
  )
  const by = `user:${manager?.id}`
  const mails = async () =>
    (await db.read(accountId, tx => emails.list(tx, {}, { limit: 100 })))
      .filter(({ kind }) => kind.startsWith('programme_'))
      .map(({ kind, recipient }) => `${kind} ${recipient}`)
      .sort()
  const publishAs = async () => {
    const done = await publishNow(server, by)
    await app.settled('jobs')
    return done
  }
  const numbers = async () =>
    (await db.read(accountId, tx => versions.findNewest(tx, eventId)))?.content.numbers
  const write = <Result>(work: (tx: WriteTx) => Promise<Result>) => db.write(accountId, work)
  return { ...server, talk, poster, by, mails, publish: publishAs, numbers, write }
}

const content = (title: string, kind_id: string | null = null, presenter: string | null = null) => ({
  title,
  kind_id,
  authors: [
    { given: 'Ada', family: 'Lovelace', email: presenter, orcid: null, affiliations: [0], presenting: true },
  ],
})

test('talks and posters are numbered apart, in the order of the programme, and keep their numbers', async t => {
  const at = await start(t)
  const [one, two, three] = [
    await acceptOne(at, content('One', at.talk)),
    await acceptOne(at, content('Two', at.poster)),
    await acceptOne(at, content('Three', at.talk)),
  ]
  const later = await addSession(at, { title: 'Later', from: at.clock() + 3 * DAY }, [one, two])
  await addSession(at, { title: 'Earlier', from: at.clock() + 2 * DAY }, [three])
  await at.publish()
  assert.deepEqual(await at.numbers(), { [three.id]: 'O-01', [one.id]: 'O-02', [two.id]: 'P-001' })
  const four = await acceptOne(at, content('Four', at.talk))
  await addSession(at, { from: at.clock() + DAY }, [four])
  await at.write(tx => slots.remove(tx, at.eventId, later.slots[0] as string))
  await at.publish()
  assert.deepEqual(await at.numbers(), {
    ...{ [three.id]: 'O-01', [one.id]: 'O-02', [two.id]: 'P-001', [four.id]: 'O-03' },
  })
})

test('a version has ids, times and numbers, and no name', async t => {
  const at = await start(t)
  const one = await acceptOne(at, content('Canary title', at.talk, 'canary@writers.example'))
  await addSession(at, { title: 'Canary session', room: 'Canary hall', chairs: ['Canary Chair'] }, [
    one,
    'Canary coffee',
  ])
  await at.publish()
  const rows = await at.db.read(at.accountId, tx =>
    tx.all<{ content: string }>('SELECT v.content FROM programme_versions v WHERE v.account_id = $1', [
      tx.accountId,
    ]),
  )
  assert.equal(rows.length, 1)
  assert.match(rows[0]?.content ?? '', new RegExp(one.id))
  assert.doesNotMatch(rows[0]?.content ?? '', /canary|lovelace/i)
})

test('those whose place is new or another are mailed once a version, the others not at all', async t => {
  const at = await start(t)
  const one = await acceptOne(at, content('One', at.talk, 'ada@writers.example'), 'one@writers.example')
  const two = await acceptOne(at, content('Two', at.talk), 'two@writers.example')
  const session = await addSession(at, {}, [one])
  const second = await addSession(at, { from: at.clock() + 2 * DAY }, [two])
  assert.equal((await at.publish()).told, 2)
  const first = [
    'programme_slot ada@writers.example',
    'programme_slot one@writers.example',
    'programme_slot two@writers.example',
  ]
  assert.deepEqual(await at.mails(), first)
  assert.equal((await at.publish()).told, 0)
  assert.equal((await at.publish()).version.number, 1)
  assert.deepEqual(await at.mails(), first)
  const times = { starts_at: second.starts_at + HOUR, ends_at: second.ends_at + HOUR }
  await at.write(tx => sessions.change(tx, at.eventId, second.id, times))
  await at.write(tx => sessions.change(tx, at.eventId, session.id, { title: 'Another title' }))
  const done = await at.publish()
  assert.deepEqual([done.told, done.version.number], [1, 2])
  assert.deepEqual(await at.mails(), ['programme_moved two@writers.example', ...first])
})

test('what was withdrawn since is told nobody, has no number, and keeps one that it had', async t => {
  const at = await start(t)
  const one = await acceptOne(at, content('One', at.talk), 'one@writers.example')
  const two = await acceptOne(at, content('Two', at.talk), 'two@writers.example')
  await at.write(tx => abstracts.decide(tx, two.id, { decision: 'rejected' }).then(() => undefined))
  await addSession(at, {}, [one])
  await at.publish()
  await at.write(tx => abstracts.decide(tx, one.id, { decision: 'rejected' }).then(() => undefined))
  const { content: next } = await readChanges(at)
  assert.deepEqual(next.numbers, { [one.id]: 'O-01' })
  assert.equal(next.sessions[0]?.slots.length, 1)
})

test('what changes is told by number: added, moved and removed', async t => {
  const at = await start(t)
  const [one, two, three] = [
    await acceptOne(at, content('One', at.talk)),
    await acceptOne(at, content('Two', at.talk)),
    await acceptOne(at, content('Three', at.talk)),
  ]
  const session = await addSession(at, { room: 'A' }, [one, two])
  await at.publish()
  await at.write(tx => slots.remove(tx, at.eventId, session.slots[0] as string))
  await addSession(at, { from: at.clock() + 4 * DAY }, [three])
  const { changes } = await readChanges(at)
  const numbersOf = (some: readonly { number: string }[]) => some.map(({ number }) => number)
  assert.deepEqual(numbersOf(changes.added), ['O-03'])
  assert.deepEqual(numbersOf(changes.moved), ['O-02'])
  assert.deepEqual(numbersOf(changes.removed), ['O-01'])
})

test('those who leave the programme are mailed that, unless they have withdrawn or are accepted no more', async t => {
  const at = await start(t)
  const one = await acceptOne(at, content('One', at.talk), 'one@writers.example')
  const two = await acceptOne(at, content('Two', at.talk), 'two@writers.example')
  const session = await addSession(at, {}, [one, two])
  await addSession(at, { from: at.clock() + 3 * DAY }, ['Coffee'])
  await at.publish()
  await at.write(tx => abstracts.decide(tx, two.id, { decision: 'rejected' }).then(() => undefined))
  for (const id of session.slots) await at.write(tx => slots.remove(tx, at.eventId, id))
  assert.equal((await at.publish()).told, 2)
  const removed = (await at.mails()).filter(mail => mail.startsWith('programme_removed'))
  assert.deepEqual(removed, ['programme_removed one@writers.example'])
})

test('whoever was not mailed yet when the programme was taken back is mailed once it is public again', async t => {
  const at = await start(t)
  const people = ['one', 'two', 'three', 'four']
  const made = []
  for (const name of people) made.push(await acceptOne(at, content(name, at.talk), `${name}@writers.example`))
  const [one, ...others] = made as [(typeof made)[number]]
  await addSession(at, {}, [one])
  const later = await addSession(at, { from: at.clock() + 2 * DAY }, others)
  await at.publish()
  await at.write(tx => unpublish(tx, at.eventId))
  const { take } = await startTicketMail(t, at.db, at.clock)
  const told = async () => subjectsOf(await take()).filter(([, subject]) => subject.includes('contribution'))
  assert.deepEqual(await told(), [], 'somebody was told of what nobody may see')
  // Meanwhile one of them gets another place, and one none.
  await at.write(tx => slots.remove(tx, at.eventId, later.slots[2] as string))
  await at.write(tx =>
    slots.move(tx, at.eventId, later.slots[1] as string, {
      session_id: later.id,
      before: later.slots[0] as string,
    }),
  )
  const done = await at.publish()
  assert.deepEqual([done.version.number, done.told], [2, 3])
  assert.deepEqual(await told(), [
    ['four@writers.example', 'Your contribution “four” has no place in the programme any more'],
    ['one@writers.example', 'Your contribution “one” is in the programme'],
    ['three@writers.example', 'Your contribution “three” has moved in the programme'],
    ['two@writers.example', 'Your contribution “two” has moved in the programme'],
  ])
  // Whoever was told is told no second time of the same.
  await at.write(tx => unpublish(tx, at.eventId))
  await at.publish()
  assert.deepEqual(await told(), [])
})

test('a programme that was taken back is public again without a mail, and an empty one cannot be published', async t => {
  const at = await start(t)
  await assert.rejects(
    at.write(tx => publish(tx, at.eventId, { by: at.by, language: 'en' })),
    (error: unknown) => error instanceof Problem && error.code === 'seen_changed',
  )
  const one = await acceptOne(at, content('One', at.talk), 'one@writers.example')
  await addSession(at, {}, [one])
  await at.publish()
  await at.write(tx => unpublish(tx, at.eventId))
  const state = () => at.db.read(at.accountId, tx => versions.getState(tx, at.eventId))
  assert.equal((await state()).published, null)
  const again = await at.publish()
  assert.deepEqual([again.version.number, again.told], [1, 0])
  assert.equal((await state()).published, 1)
  assert.deepEqual(await at.mails(), ['programme_slot one@writers.example'])
})
