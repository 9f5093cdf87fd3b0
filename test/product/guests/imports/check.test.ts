import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as sheets from '#product/administration/sheets/rules.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { startWithImports } from '#test/support/imports.ts'
import { newRegistration } from '#test/support/requests.ts'

test('a check tells the fate of each line, with all that is wrong with it, and changes nothing', async t => {
  const { check, lines, db, accountId, types, registrations } = await startWithImports(t)
  const job = await check(
    [
      'Reference;Name;E-mail;Ticket type;Quantity;Language;Seat;Diet',
      'r1;Ada;ada@example.org;standard;2;es-ES;;vegan',
      'r2;;bob;Gold;0;de;A1;',
      'r3;Eve;eve@example.org;Standard;2;;;',
      'r4;Joe;joe@example.org;Standard;2;;;',
      'r1;Zoe;zoe@example.org;Free;;;;',
      'r6;Kim;kim@example.org;Standard;;English;B7;',
      'r7;Lee;lee@example.org;Free;;;;;too many',
      'r8;  ADA ;ADA@example.org;Free;;;;',
    ].join('\r\n'),
  )
  assert.deepEqual([job.state, job.done, job.total], ['done', 8, 8])
  const counts = { new: 4, known: 0, wrong: 3, sold_out: 1, added: 0, tickets: 6, twice: 1 }
  assert.deepEqual(job.outcome, counts)
  const guest = (name: string, email: string, quantity = 1, type = types.Standard) => ({
    name,
    email,
    registration_type_id: type,
    quantity,
  })
  const values = ['Standard', 'Free']
  const faultsOf2 = [
    { field: 'type', fault: { key: 'oneOf', parameters: { values } } },
    { field: 'quantity', fault: { key: 'integer', parameters: { min: 1, max: 100 } } },
    { field: 'name', fault: { key: 'required', parameters: {} } },
    { field: 'email', fault: { key: 'email', parameters: { max: 254 } } },
    { field: 'language', fault: { key: 'either', parameters: { values: ['en', 'es'] } } },
  ]
  const soldOut = { field: 'quantity', fault: { key: 'soldOut', parameters: { available: 1 } } }
  const twice = { field: 'reference', fault: { key: 'twice', parameters: {} } }
  const moreCells = { field: null, fault: { key: 'moreCells', parameters: { max: 8 } } }
  const found = await lines(job.id)
  const sorted = (faults: object[] = []) => faults.map(one => JSON.stringify(one)).sort()
  assert.deepEqual(sorted(found[1]?.details.faults), sorted(faultsOf2))
  assert.deepEqual(
    found.map(({ line, fate, details }) => [line, fate, line === 3 ? null : details]),
    [
      [2, 'new', { guest: guest('Ada', 'ada@example.org', 2) }],
      [3, 'wrong', null],
      [4, 'new', { guest: guest('Eve', 'eve@example.org', 2) }],
      [5, 'sold_out', { guest: guest('Joe', 'joe@example.org', 2), faults: [soldOut] }],
      [6, 'wrong', { guest: guest('Zoe', 'zoe@example.org', 1, types.Free), faults: [twice], same_as: 2 }],
      [7, 'new', { guest: guest('Kim', 'kim@example.org') }],
      [8, 'wrong', { faults: [moreCells] }],
      [9, 'new', { guest: guest('ADA', 'ADA@example.org', 1, types.Free), same_as: 2 }],
    ],
  )
  assert.deepEqual(await registrations(), [])
  const counted = await db.read(accountId, tx => imports.countLines(tx, job.id))
  assert.deepEqual(counted, { read: 0, new: 4, known: 0, wrong: 3, sold_out: 1, left_out: 0, added: 0 })
})

test('places that types share are counted as one', async t => {
  const { check, fates, db, accountId, eventId, types } = await startWithImports(t)
  await db.write(accountId, async tx => {
    await tx.run("INSERT INTO capacity_pools VALUES ('room', $1, $2, 'Room', 5, 2, 1, 1)", [
      accountId,
      eventId,
    ])
    for (const type of Object.values(types))
      await tx.run("INSERT INTO registration_type_pools VALUES ($1, $2, 'room', 1, 1)", [eventId, type])
  })
  const { id } = await check(
    'Name,Email,Type,Quantity\nA,a@b.c,Free,2\nB,b@b.c,Standard,2\nC,c@b.c,Standard,1\nD,d@b.c,Free,1\n',
  )
  assert.deepEqual(await fates(id), { 2: 'new', 3: 'sold_out', 4: 'new', 5: 'sold_out' })
})

test('a registration that has the reference of a line is there already, also one that the API made', async t => {
  const { check, lines, client, eventId, types } = await startWithImports(t)
  const { body } = await client.post('/registrations', newRegistration({ eventId, types }))
  const { id } = await check(`ID,Name,Email,Type\n${body.id},Ada,a@b.c,Free\nx,Bob,b@b.c,Free\n`)
  const [existing, other] = await lines(id)
  assert.equal(existing?.fate, 'known')
  assert.deepEqual([existing.details.registration_id, existing.details.known_by], [body.id, 'reference'])
  assert.equal(other?.fate, 'new')
})

test('a table whose columns nobody can tell waits for a choice, and is checked by it', async t => {
  const { upload, ended, db, accountId, types, lines } = await startWithImports(t)
  const { id, state, input } = await upload('Wer,Wo,Was\nAda,ada@example.org,vegan\n')
  assert.equal(state, 'stopped')
  assert.deepEqual(input.columns, ['answer:Wer', 'answer:Wo', 'answer:Was'])
  const choose = (columns: string[], registrationTypeId: string | null) =>
    db.write(accountId, tx => imports.check(tx, id, { columns, registrationTypeId, by: 'cli' }))
  const columns = ['attendee_name', 'email', 'answer:diet']
  const wrongs: [string[], string | null, object][] = [
    [columns, null, { code: 'invalid_parameter', param: 'registration_type_id' }],
    [columns, id, { code: 'not_found', param: 'registration_type_id' }],
    [['none', 'email', 'none'], types.Free as string, { code: 'invalid_parameter', param: 'columns.name' }],
  ]
  for (const [some, type, error] of wrongs) await assert.rejects(choose(some, type), error)
  assert.equal((await choose(columns, types.Free as string)).state, 'waiting')
  assert.deepEqual((await ended(id)).outcome?.new, 1)
  assert.deepEqual((await lines(id))[0]?.details.guest?.name, 'Ada')
  // Another choice begins anew.
  await choose(['none', 'email', 'name'], types.Standard as string)
  assert.deepEqual((await ended(id)).outcome?.new, 1)
  assert.deepEqual((await lines(id))[0]?.details.guest?.name, 'vegan')
})

test('answers that would be of too many questions are refused with the choice', async t => {
  const { upload, db, accountId, types, client, eventId } = await startWithImports(t)
  for (let at = 0; at < 5; at++) {
    const answers = Object.fromEntries(Array.from({ length: 100 }, (_, key) => [`${at}-${key}`, 'x']))
    const answer = await client.post('/registrations', newRegistration({ eventId, types }, { answers }))
    assert.equal(answer.status, 201)
  }
  const { id, state } = await upload('Name,Email,Type,0-1,New\nAda,a@b.c,Free,x,\n')
  assert.equal(state, 'stopped')
  const choose = (last: string) => {
    const columns = ['name', 'email', 'type', 'answer:0-1', last]
    return db.write(accountId, tx => imports.check(tx, id, { columns, registrationTypeId: null, by: 'cli' }))
  }
  await assert.rejects(choose('answer:New'), { code: 'invalid_parameter', param: 'columns' })
  assert.equal((await choose('none')).state, 'waiting')
})

test('an upload of another account is not found, and its event takes none', async t => {
  const { check, apply, db, accountId, actor, eventId, ended, lines } = await startWithImports(t)
  const { account_id: other } = await apply({ account: { name: 'Bob', email: 'bob@example.org' } })
  const { id } = await check('Name,Email,Type\nAda,a@b.c,Free\n')
  const choice = { columns: ['name', 'email', 'type'], registrationTypeId: null, by: 'cli' }
  for (const work of [
    () => db.read(other, tx => imports.get(tx, id)),
    () => db.read(other, tx => imports.listLines(tx, id, { limit: 1 })),
    () => db.read(other, tx => imports.countLines(tx, id)),
    () => db.write(other, tx => imports.check(tx, id, choice)),
    () => db.write(other, tx => imports.start(tx, id, 'cli')),
    () => imports.upload(db, { ...actor, accountId: other }, eventId, {} as never),
  ])
    await assert.rejects(work, { code: 'not_found' })
  await erasePerson(db, { ...actor, accountId: other }, 'a@b.c')
  assert.equal(await db.write(other, tx => sheets.deleteLines(tx, id, { rows: 9, bytes: 9 })), 0)
  assert.equal((await lines(id))[0]?.fate, 'new')
  const begun = await db.write(accountId, tx => imports.start(tx, id, 'cli'))
  await assert.rejects(
    db.read(accountId, tx => imports.get(tx, begun.id)),
    { code: 'not_found' },
  )
  await ended(begun.id)
})

test('several people for whom one buyer has bought are no person twice, and one of them named again is', async t => {
  const { check, lines } = await startWithImports(t)
  const buyer = 'Navy Ltd,navy@example.org'
  const { id, outcome } = await check(
    `Buyer name,Buyer email,Attendee name,Type\n${buyer},Grace,Free\n${buyer},Ada,Free\n${buyer},GRACE,Free\n`,
  )
  assert.deepEqual([outcome?.new, outcome?.twice], [3, 1])
  assert.deepEqual(
    (await lines(id)).map(({ details }) => [details.guest?.name, details.guest?.holder, details.same_as]),
    [
      ['Navy Ltd', 'Grace', undefined],
      ['Navy Ltd', 'Ada', undefined],
      ['Navy Ltd', 'GRACE', 2],
    ],
  )
})
