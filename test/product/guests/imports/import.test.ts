import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { openLog } from '#base/log.ts'
import { DAY, HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { safeCell, toCsv } from '#machinery/tables/csv.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { JobRunner } from '#product/administration/jobs/runner.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import { importGuests } from '#product/entrance/check-ins/imported.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { readTable } from '#product/guests/imports/table.ts'
import { naughtyStrings } from '#test/fuzz/naughty-strings.ts'
import { startWithImports } from '#test/support/imports.ts'
import { newRegistration } from '#test/support/requests.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

const GUESTS =
  'Buyer name,Email,Attendee name,Attendee email,Type,Quantity,Seat,Language,Diet,Reference\n' +
  'Ada,ada@example.org,Bo,bo@example.org,Free,1,A1,es,vegan,r1\n' +
  'Eve,eve@example.org,,,Standard,3,,,,\n'

test('an import adds each guest as the API would: with tickets, an event for webhooks and an entry of who did it', async t => {
  const server = await startWithImports(t)
  const { check, begin, ended, fates, lines, client, registrations, db, types } = server
  await subscribeToAll(db, server.accountId)
  const { id } = await check(GUESTS)
  const job = await ended((await begin(id)).id)
  assert.deepEqual([job.state, job.done, job.total], ['done', 2, 2])
  assert.deepEqual(job.outcome, { added: 2, known: 0, wrong: 0, sold_out: 0 })
  assert.deepEqual(await fates(id), { 2: 'added', 3: 'added' })
  const [eve, ada] = await registrations()
  assert.deepEqual(
    [ada.status, ada.source, ada.amount_total, ada.buyer, ada.answers, ada.registration_type_id],
    ['confirmed', 'api', 0, { name: 'Ada', email: 'ada@example.org' }, { Diet: 'vegan' }, types.Free],
  )
  const people = (registration: { attendees: { name: string; email: string; seat: string | null }[] }) =>
    registration.attendees.map(({ name, email, seat }) => [name, email, seat])
  assert.deepEqual(people(ada), [['Bo', 'bo@example.org', 'A1']])
  assert.deepEqual(
    people(eve),
    Array.from({ length: 3 }, () => ['Eve', 'eve@example.org', null]),
  )
  assert.deepEqual(
    (await lines(id)).map(({ details }) => details.registration_id),
    [ada.id, eve.id],
  )
  assert.equal((await client.get('/registrations?q=bo')).body.data.length, 1)
  const rows = await db.read(INSTANCE, async tx => ({
    events: await tx.all("SELECT body FROM webhook_events WHERE type = 'registration.created' ORDER BY id"),
    entries: await tx.all(
      "SELECT actor, target_id, details FROM access_log WHERE action = 'registration.create' ORDER BY id",
    ),
    references: await tx.all('SELECT reference, language FROM registrations ORDER BY number'),
  }))
  assert.deepEqual(
    rows.events.map(one => JSON.parse((one as { body: string }).body).data.object),
    [ada, eve],
  )
  const details = JSON.stringify({ job_id: job.id })
  assert.deepEqual(
    rows.entries,
    [ada, eve].map(one => ({ actor: 'cli', target_id: one.id, details })),
  )
  const [first, second] = rows.references as { reference: string; language: string }[]
  assert.deepEqual(first, { reference: 'r1', language: 'es' })
  assert.match(second?.reference ?? '', /^import:[0-9a-f]{32}:3$/)
})

test('the same file, uploaded and imported again, adds nobody', async t => {
  const { check, begin, ended, fates, lines, registrations } = await startWithImports(t)
  const first = await check(GUESTS)
  const stale = await check(GUESTS)
  await ended((await begin(first.id)).id)
  const second = await check(GUESTS)
  assert.deepEqual(await fates(second.id), { 2: 'known', 3: 'known' })
  assert.deepEqual(
    (await lines(second.id)).map(({ details }) => details.known_by),
    ['reference', 'line'],
  )
  assert.equal((await ended((await begin(second.id)).id)).done, 0)
  // The same holds for a check that has not seen the import of the other.
  const { outcome } = await ended((await begin(stale.id)).id)
  assert.deepEqual(outcome, { added: 0, known: 2, wrong: 0, sold_out: 0 })
  assert.equal((await registrations()).length, 2)
})

test('places that were sold after the check are not sold again, and what has them is added', async t => {
  const server = await startWithImports(t)
  const { check, begin, ended, fates, client, eventId, types, registrations, db, accountId } = server
  const { id } = await check(
    'Name,Email,Type,Quantity\nA,a@b.c,Standard,2\nB,b@b.c,Standard,2\nC,c@b.c,Standard,1\n',
  )
  assert.deepEqual(await fates(id), { 2: 'new', 3: 'new', 4: 'new' })
  const sold = await client.post('/registrations', newRegistration({ eventId, types }, { quantity: 2 }))
  const { outcome } = await ended((await begin(id)).id)
  assert.deepEqual(outcome, { added: 2, known: 0, wrong: 0, sold_out: 1 })
  assert.deepEqual(await fates(id), { 2: 'added', 3: 'sold_out', 4: 'added' })
  assert.equal((await registrations()).length, 3)
  // If the same upload is checked again once there is room, it brings the rest.
  await client.post(`/registrations/${sold.body.id}/cancel`)
  const choice = { columns: ['name', 'email', 'type', 'quantity'], registrationTypeId: null, by: 'cli' }
  await db.write(accountId, tx => imports.check(tx, id, choice))
  assert.deepEqual((await ended(id)).outcome?.new, 1)
  const rest = await ended((await begin(id)).id)
  assert.deepEqual([rest.total, rest.done, rest.outcome?.added], [1, 1, 1])
  assert.deepEqual(await fates(id), { 2: 'added', 3: 'added', 4: 'added' })
})

test('an import that is stopped goes on with what is left; asked for twice, it is one job', async t => {
  const { check, begin, job, db, accountId, app, clock } = await startWithImports(t)
  const { id } = await check(GUESTS)
  await app.close()
  const first = await begin(id)
  assert.deepEqual(await begin(id), first)
  await db.write(accountId, tx => jobs.stop(tx, first.id))
  const second = await begin(id)
  assert.notEqual(second.id, first.id)
  assert.equal(second.total, 2)
  const log = openLog('error', { write: line => assert.fail(line) })
  const runner = new JobRunner({ db, clock, log, kinds: [importGuests] })
  t.after(() => runner.stop())
  runner.start()
  await runner.settled()
  const { state, outcome } = await job(second.id)
  assert.deepEqual([state, outcome], ['done', { added: 2, known: 0, wrong: 0, sold_out: 0 }])
  assert.deepEqual([(await job(first.id)).state, (await job(first.id)).done], ['stopped', 0])
})

test('another choice of columns ends an import under way, and keeps what it has added', async t => {
  const { check, begin, ended, fates, job, db, accountId, eventId } = await startWithImports(t)
  const { id } = await check(GUESTS)
  const begun = await begin(id)
  await ended(begun.id)
  const { input } = await db.read(accountId, tx => imports.get(tx, id))
  const choice = { columns: input.columns, registrationTypeId: null, by: 'cli' }
  const other = await db.write(accountId, tx =>
    jobs.start(tx, {
      kind: 'guests.import',
      eventId,
      input: { check_id: id },
      total: 0,
      by: 'cli',
    }),
  )
  await db.write(accountId, tx => jobs.keepInput(tx, id, { ...input, import_id: other.id }))
  await db.write(accountId, tx => imports.check(tx, id, choice))
  assert.ok(['stopped', 'done'].includes((await job(other.id)).state))
  const checked = await ended(id)
  assert.equal(checked.outcome?.added, 2)
  assert.deepEqual(await fates(id), { 2: 'added', 3: 'added' })
})

test('what was left out comes as a file that says why, and is taken once it is mended', async t => {
  const { check, begin, ended, leftOut, registrations } = await startWithImports(t)
  const { id } = await check(
    'Name;Email;Type;Quantity;Note\n=HYPERLINK("x");ada;Free;1;\nBob;b@b.c;Standard;9;"a\nb"\nEve;e@b.c;Free;1;+34\n',
  )
  await ended((await begin(id)).id)
  const file = await leftOut(id)
  assert.equal(
    file,
    '\ufeff"Name","Email","Type","Quantity","Note","Why it was left out"\r\n' +
      `"'=HYPERLINK(""x"")","ada","Free","1","","Email: not an e-mail address"\r\n` +
      '"Bob","b@b.c","Standard","9","a\nb","Quantity: only 5 tickets are left"\r\n',
  )
  const mended = await check(file.replace('"ada"', '"ada@b.c"').replace('"9"', '"5"'))
  assert.deepEqual(
    [mended.outcome?.new, mended.input.columns],
    [2, ['name', 'email', 'type', 'quantity', 'answer:Note', 'none']],
  )
  await ended((await begin(mended.id)).id)
  const names = (await registrations()).map(({ buyer }: { buyer: { name: string } }) => buyer.name)
  assert.deepEqual(names.sort(), ['=HYPERLINK("x")', 'Bob', 'Eve'])
})

test('whatever people are called, a line is added as it is or told to be wrong, and nothing breaks', async t => {
  const { check, begin, ended, db, accountId } = await startWithImports(t)
  const rows = naughtyStrings.flatMap((text, at) => {
    const odd = safeCell(text.toWellFormed())
    return [
      [odd, `g${at}@example.org`, 'Free', ''],
      [`Guest ${at}`, odd, odd, odd],
    ]
  })
  const job = await check(toCsv([['Name', 'Email', 'Type', 'Note'], ...rows]))
  assert.equal(job.state, 'done')
  const imported = await ended((await begin(job.id)).id)
  assert.equal(imported.state, 'done')
  const [kept] = await db.read(INSTANCE, tx =>
    tx.all<{ names: string }>('SELECT count(*) AS names FROM registrations'),
  )
  let added = 0
  for (let after = 1; after < rows.length + 2; after += 100) {
    const page = { after, limit: 100 }
    for (const { line, fate, details } of await db.read(accountId, tx =>
      imports.listLines(tx, job.id, page),
    )) {
      if (fate === 'added') added++
      else assert.ok(fate === 'wrong' && (details.faults?.length ?? 0) > 0, `${line} ${fate}`)
    }
  }
  assert.ok(added > naughtyStrings.length / 2)
  assert.equal(kept?.names, added)
})

test('an upload that its server did not live to the end of goes after an hour, and one that comes in stays', async t => {
  const { db, actor, clock, eventId, job } = await startWithImports(t)
  const table = await readTable(Buffer.from(GUESTS))
  const cutOff = async () => {
    const lines = async function* () {
      yield* table.lines()
      throw new Error('killed')
    }
    await assert.rejects(imports.upload(db, actor, eventId, { ...table, lines }), /killed/)
    const [row] = await db.read(INSTANCE, tx =>
      tx.all<{ id: string }>('SELECT id FROM jobs ORDER BY created_at DESC'),
    )
    return row?.id as string
  }
  const linesOf = (id: string) =>
    db.read(INSTANCE, tx => tx.all('SELECT line FROM import_lines WHERE job_id = $1', [id]))
  const dead = await cutOff()
  clock.advance(HOUR)
  const coming = await cutOff()
  await cleanUp(db, clock, 400)
  assert.equal((await job(dead)).state, 'preparing')
  clock.advance(1)
  await cleanUp(db, clock, 400)
  await assert.rejects(job(dead), { code: 'not_found' })
  assert.deepEqual(await linesOf(dead), [])
  assert.equal((await job(coming)).state, 'preparing')
  // The header is kept as well.
  assert.equal((await linesOf(coming)).length, 3)
})

test('what an upload says of a person goes when they are erased, and all of it after 30 days', async t => {
  const { check, lines, db, actor, clock } = await startWithImports(t)
  const { id } = await check(
    'Name,Email,Type\nAda,Ada@example.org,Free\nAda,ada@example.org,Gold\nBob,b@b.c,Free\n',
  )
  await erasePerson(db, actor, 'ADA@example.org')
  const left = await lines(id)
  assert.deepEqual(
    left.map(({ line, fate, cells }) => [line, fate, cells]),
    [
      [2, 'new', []],
      [3, 'wrong', []],
      [4, 'new', ['Bob', 'b@b.c', 'Free']],
    ],
  )
  assert.deepEqual(left[0]?.details, {})
  const count = async () => {
    await cleanUp(db, clock, 400)
    return (await db.read(INSTANCE, tx => tx.all('SELECT line FROM import_lines'))).length
  }
  clock.advance(30 * DAY)
  // The header is kept as well.
  assert.equal(await count(), 4)
  clock.advance(1)
  assert.equal(await count(), 0)
  await assert.rejects(lines(id), { code: 'not_found' })
})
