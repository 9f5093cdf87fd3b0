import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ERASED_EMAIL, ERASED_NAME } from '#base/words.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as emails from '#machinery/mail/rules.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { invitationMail } from '#product/administration/users/mails.ts'
import { erasePerson, findPerson } from '#product/data-care/erasure/erase.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { amend } from '#product/guests/registrations/amendment.ts'
import { getDetails } from '#product/guests/registrations/details.ts'
import { FileReceiver } from '#product/programme/files/receive.ts'
import { PIECE } from '#product/programme/files/schemas.ts'
import { setProfile } from '#product/programme/reviews/reviewers.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { readSent } from '#product/programme/submissions/send.ts'
import { carryOut } from '#test/support/carry-out.ts'
import { inParts, LIMITS, pdfOf, readFiles } from '#test/support/files.ts'
import { organization, registration } from '#test/support/organization.ts'
import { addSession } from '#test/support/programme.ts'
import { newRegistration } from '#test/support/requests.ts'
import { inviteOne, openReview } from '#test/support/reviews.ts'
import { openRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { begin, contentOf, draftOf, openCall, saveIn, send } from '#test/support/submissions.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'
import { tracesOf } from '#test/support/traces.ts'

const ZOE = 'Zoe.Zebra@example.org'
/** Matches what is hers alone, in every form in which it is kept. The codes of tickets are in upper case. */
const TRACE = /[Zz]ebra|[Zz]oe|[Qq]uagga/

/** Starts on a database in which she is wherever a person can be. */
async function start(t: TestContext) {
  const zoe = { name: 'Zoe Zebra', email: ZOE }
  const contact = { name: 'Zoe Zebra', email: 'zoe.zebra@EXAMPLE.org', phone: 'quagga 7' }
  const brought = organization({
    event: {
      registrations: [
        registration('brought', { buyer: zoe, amount_total: 5000, answers: { diet: 'Quagga' } }),
      ],
      waitlist: [{ reference: 'w', registration_type: 'Standard', name: 'Zoe Zebra', email: ZOE }],
      abstracts: [
        {
          code: 'A-1',
          title: 'Stripes',
          abstract: 'They are many.',
          authors: [
            { name: 'Lin', email: 'lin@example.org' },
            { name: 'Zoe Zebra', affiliation: 'Quagga' },
          ],
          contact,
        },
        {
          code: 'A-2',
          title: 'Spots',
          abstract: 'They are few.',
          authors: [{ ...zoe, affiliation: 'Quagga Institute' }],
          contact: { name: 'Lin', email: 'lin@example.org' },
        },
      ],
    },
  })
  const server = await startWithOrganization(t, brought)
  const { applied, client, db, data } = server
  const accountId = applied.account_id
  await subscribeToAll(db, accountId)
  const actor = { accountId, who: 'user:ada', requestId: null, address: null }
  let keys = 0
  const post = async (path: string, body?: object) => {
    const answer = await client.post(path, body, { headers: { 'Idempotency-Key': `k${++keys}` } })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const own = await post(
    '/registrations',
    newRegistration(server, {
      buyer: zoe,
      attendees: [
        { name: 'Zoe Zebra', seat: 'A1' },
        { name: 'Bob', email: 'bob@example.org' },
      ],
      answers: { diet: 'Quagga steak' },
    }),
  )
  const shared = await post(
    '/registrations',
    newRegistration(server, {
      buyer: { name: 'Bob', email: 'bob@example.org' },
      attendees: [{ name: 'Bob' }, { name: 'Z. Quagga', email: 'ZOE.zebra@example.org' }],
      answers: { diet: 'vegan' },
    }),
  )
  // She was on it, and gave it to somebody: an old webhook still names her.
  const given = await post('/registrations', newRegistration(server, { buyer: zoe }))
  const cyd = { name: 'Cyd', email: 'cyd@example.org' }
  const tickets = [{ id: given.attendees[0].id, ...cyd }]
  await db.write(accountId, tx => amend(tx, given.id, { buyer: cyd, attendees: tickets }))
  await db.write(accountId, tx => amend(tx, own.id, { note: 'Zoe pays later' }))
  for (const { attendees } of [own, shared]) await post('/check-ins', { attendee_id: attendees.at(-1).id })
  await post('/check-ins', { attendee_id: own.attendees[0].id })
  const undo = checkIns.undoEntry(own.attendees[0].id, 'Zoe went home')
  await recordedWrite(db, actor, tx => checkIns.undo(tx, own.attendees[0].id), undo)
  const abstracts = applied.events['spring-meeting']?.abstracts ?? {}
  for (const id of Object.values(abstracts))
    await post(`/abstracts/${id}/decision`, { decision: 'accepted', note: 'Congratulations' })
  await db.write(accountId, async tx => {
    const job = ['0197a0b4-4b10-7c55-b1a0-0d1e2f3a4b5c', accountId]
    await tx.run(
      `INSERT INTO jobs (id, account_id, kind, input, state, done, started_by, created_at, updated_at)
       VALUES ($1, $2, 'import', '{}', 'done', 2, 'cli', 1, 1)`,
      job,
    )
    const line = `INSERT INTO import_lines (job_id, line, input, fate, details, reference, email_key, created_at, updated_at)
      VALUES ($1, $2, $3, 'added', '{"registration_id":"r"}', $4, $5, 1, 1)`
    const cells = JSON.stringify(['Zoe Zebra', ` ${ZOE}`])
    await tx.run(line, [job[0] as string, 1, cells, 'quagga-1', 'zoe.zebra@example.org'])
    // She is an attendee of somebody else's registration, and in a line that nobody has checked.
    const shared = JSON.stringify(['Bob', 'bob@example.org', 'Zoe Zebra', ZOE])
    await tx.run(line, [job[0] as string, 2, shared, 'bob-1', 'bob@example.org'])
    const bobs = JSON.stringify(['Bob', 'bob@example.org'])
    await tx.run(line, [job[0] as string, 3, bobs, 'bob-2', 'bob@example.org'])
    await tx.run(line, [job[0] as string, 4, cells, null, null])
    await tx.run(
      `INSERT INTO orders SELECT id, account_id, event_id, 'A', 'confirmed', NULL, NULL, 'Zoe', $1, 'zoe.zebra@example.org', 'en',
         'EUR', 0, NULL, 'form', 1, NULL, 1, NULL, 1, 1, NULL, NULL, 'network', 'Zoe Zebra Ltd', $3, 'ZOE-1' FROM registrations WHERE id = $2`,
      [ZOE, own.id, 'Zoe Zebra\n1 Zoo'],
    )
    await tx.run('UPDATE registrations SET order_id = id WHERE id = $1', [own.id])
    await tx.run(
      'UPDATE attendees SET price = $2, discount = $2, tax = 0, tax_basis_points = 0 WHERE registration_id = $1',
      [own.id, own.amount_subtotal / 2],
    )
    for (const cause of ['first', 'second']) {
      const mail = { cause, recipient: ZOE, language: 'en' } as const
      await queue(tx, invitationMail, mail)
      await queue(tx, invitationMail, { ...mail, recipient: 'bob@example.org' })
    }
    await emails.unsubscribe(tx, ZOE)
  })
  const submitted = await submit({ ...server, accountId })
  const rows = await openRows(t, data)
  return { ...server, accountId, actor, own, shared, given, brought, submitted, rows }
}

type Place = Parameters<typeof begin>[0]

/** Adds what she submits, and what names her that others do. */
async function submit(place: Place) {
  const { db, accountId, eventId, clock } = place
  const chairs = [
    { name: 'Zoe Zebra', email: ZOE },
    { name: 'Bob', email: 'bob@example.org' },
  ]
  await addSession(place, { chairs })
  await openCall(place)
  const zoe = { given: 'Zoe', family: 'Zebra', email: ZOE, orcid: '0000-0002-1825-0097', presenting: true }
  const lin = { given: 'Lin', family: 'Mei', email: null, orcid: null, presenting: false }
  const her = { name: 'Zoe Zebra', email: ZOE }
  const typed = { title: ['Zebras'], 'contact.name': ['Zoe Zebra'], 'contact.email': [ZOE] }
  await openReview(place)
  await inviteOne(place, { name: her.name, email: her.email, affiliation: 'Zebra House' })
  const ben = await inviteOne(place, { name: 'Ben', email: 'ben@reviews.example' })
  const profile = { affiliation: null, topics: [], conflicts: ['Quentin', ZOE.toUpperCase()] }
  await db.write(accountId, tx => setProfile(tx, ben.id, profile))
  const unsent = await begin(place, { ...her, draft: { ...draftOf(''), typed } })
  const { submission } = await begin(place, her)
  const contact = { name: 'Zoe Zebra', phone: 'quagga 7' }
  const affiliations = ['Institute of Rooms', 'Quagga Institute', 'Institute of Doors']
  const hers = contentOf({
    ...{ contact, affiliations },
    authors: [
      { ...zoe, email: null, affiliations: [0, 1] },
      { ...lin, affiliations: [2, 0] },
    ],
  })
  await send(place, submission.id, hers)
  await db.write(accountId, tx => saveIn(tx, submission.id, { ...draftOf(''), typed }, { begunAt: clock() }))
  for (const size of [5 * PIECE, 3 * PIECE]) {
    const bytes = pdfOf(size)
    bytes.write('Zoe Zebra', size - 100)
    await new FileReceiver(db).receive(accountId, {
      ...{
        eventId,
        submissionId: submission.id,
        name: 'zebra.pdf',
        bytes: inParts(bytes),
        limits: LIMITS,
      },
    })
  }
  // She was an author of another's abstract, is one of another version, and is in a draft.
  const { submission: others } = await begin(place)
  const both = [
    { ...zoe, affiliations: [1] },
    { ...lin, affiliations: [0] },
  ]
  await send(place, others.id, contentOf({ authors: both, affiliations: affiliations.slice(0, 2) }))
  await send(place, others.id, contentOf({ title: 'On rooms alone' }))
  const row = {
    'author.1.given': ['Zoe'],
    'author.1.family': ['Zebra'],
    'author.1.email': [` ${ZOE.toUpperCase()}`],
  }
  const naming = { ...draftOf('With her'), typed: { 'author.0.given': ['Lin'], ...row }, authors: 2 }
  await db.write(accountId, tx => saveIn(tx, others.id, naming, { begunAt: clock() }))
  return { unsent, submission, others }
}

const FOUND = {
  ...{ registrations: 2, tickets: 3, tickets_of_others: 2, waitlist_entries: 1 },
  ...{ abstracts: 4, submitters: 1, drafts: 2, files: 2, reviewers: 1 },
}

test('an erased person is nowhere in the database, and money, counts, states, seats and codes are what they were', async t => {
  const { client, db, eventId, accountId, actor, own, shared, rows } = await start(t)
  const tables = async () => new Set((await tracesOf(rows, TRACE)).map(trace => trace.split(':')[0]))
  // So many kinds of rows have something of her: what is looked for is found.
  assert.deepEqual([...(await tables())].sort(), [
    'abstract_files',
    'abstract_revisions',
    'abstracts',
    'access_log',
    'attendees',
    'emails',
    'file_chunks',
    'idempotent_responses',
    'import_lines',
    'orders',
    'programme_sessions',
    'registration_words',
    'registrations',
    'reviewers',
    'submissions',
    'submitters',
    'unsubscribed',
    'waitlist_entries',
    'webhook_events',
  ])
  const monthly = (await client.get('/reports/monthly')).body
  const types = (await client.get(`/events/${eventId}/registration-types`)).body

  assert.deepEqual(await findPerson(db, accountId, 'zoe.zebra@example.org'), FOUND)
  const erased = await erasePerson(db, actor, 'zoe.zebra@example.org')
  assert.deepEqual(erased, {
    ...FOUND,
    webhook_events: 8,
    kept_answers: 7,
    import_lines: 3,
    jobs: 0,
    emails: 7,
    orders: 1,
    drafts_of_others: 1,
    conflicts_of_reviewers: 1,
    chaired_sessions: 1,
  })
  assert.deepEqual(await tracesOf(rows, TRACE), [])
  assert.deepEqual(await rows.column('SELECT count(*) FROM emails'), [6])
  assert.deepEqual(await findDamage(db), [])
  const lines = await rows.all<object>(
    'SELECT line, input, fate, details, reference, email_key FROM import_lines ORDER BY line',
  )
  const emptied = ['[]', 'added', '{}', null, null]
  assert.deepEqual(
    lines.map(line => Object.values(line)),
    [
      [1, ...emptied],
      [2, ...emptied],
      [3, '["Bob","bob@example.org"]', 'added', '{"registration_id":"r"}', 'bob-2', 'bob@example.org'],
      [4, ...emptied],
    ],
  )

  assert.deepEqual((await client.get('/reports/monthly')).body, monthly)
  assert.deepEqual((await client.get(`/events/${eventId}/registration-types`)).body, types)
  const nobody = { name: ERASED_NAME, email: null }
  const [hers, bobs] = own.attendees
  assert.deepEqual((await client.get(`/registrations/${own.id}`)).body, {
    ...own,
    buyer: { name: ERASED_NAME, email: ERASED_EMAIL },
    answers: {},
    attendees: [
      { ...hers, ...nobody },
      { ...bobs, checked_in: true, checked_in_at: own.created_at },
    ],
  })
  const [bob, second] = shared.attendees
  assert.deepEqual((await client.get(`/registrations/${shared.id}`)).body, {
    ...shared,
    attendees: [bob, { ...second, ...nobody, checked_in: true, checked_in_at: own.created_at }],
  })
  const details = await db.read(accountId, tx => getDetails(tx, own.id))
  assert.deepEqual([details.note, details.erased_at], [null, own.created_at])
  assert.equal((await db.read(accountId, tx => getDetails(tx, shared.id))).erased_at, null)
})

test('the access log says that somebody was erased and how much, and not who; the same again finds nobody', async t => {
  const { db, accountId, actor } = await start(t)
  await erasePerson(db, actor, ZOE)
  const [entry] = await db.read(accountId, tx => accessLog.list(tx, 1))
  assert.deepEqual(
    [entry?.action, entry?.actor, entry?.target_id, entry?.details],
    ['person.erase', 'user:ada', null, FOUND],
  )
  const nothing = Object.fromEntries(Object.keys(FOUND).map(name => [name, 0]))
  assert.deepEqual(await erasePerson(db, actor, ZOE), {
    ...nothing,
    webhook_events: 0,
    kept_answers: 0,
    import_lines: 0,
    jobs: 0,
    emails: 0,
    orders: 0,
    drafts_of_others: 0,
    conflicts_of_reviewers: 0,
    chaired_sessions: 0,
  })
})

test('what an erased person submitted: the text that was sent stays, drafts and files go, and no link leads there', async t => {
  const { db, accountId, actor, submitted } = await start(t)
  const { unsent, submission, others } = submitted
  await erasePerson(db, actor, ZOE)
  const after = await db.read(accountId, tx => submissions.get(tx, submission.id))
  assert.equal(after.submitter.name, ERASED_NAME)
  assert.equal(after.submitter.secret_version, unsent.submitter.secret_version + 1)
  assert.equal(after.submission.draft, null)
  await assert.rejects(
    db.read(accountId, tx => submissions.get(tx, unsent.submission.id)),
    { code: 'not_found' },
  )
  assert.deepEqual(await readFiles(db), { files: [], pieces: [] })
  const { abstract, content } = await db.read(accountId, tx => readSent(tx, after.submission))
  assert.deepEqual(abstract.contact, { name: ERASED_NAME, email: ERASED_EMAIL, phone: null })
  assert.deepEqual(content.sections, contentOf().sections)
  assert.deepEqual(content.contact, { name: ERASED_NAME, phone: null })
  assert.deepEqual(content.affiliations, ['Institute of Rooms', 'Institute of Doors'])
  assert.deepEqual(
    content.authors.map(({ family, email, orcid, affiliations }) => [family, email, orcid, affiliations]),
    [
      [ERASED_NAME, null, null, []],
      ['Mei', null, null, [1, 0]],
    ],
  )
  const kept = await db.read(accountId, tx => submissions.get(tx, others.id))
  assert.equal(kept.submitter.email, 'lin@example.org')
  assert.deepEqual(kept.submission.draft?.typed, {
    ...{ 'author.0.given': ['Lin'], 'author.1.given': [''], 'author.1.family': [''], 'author.1.email': [''] },
  })
})

test('an erased registration is not amended, its ticket still admits, and a retry is answered without the person', async t => {
  const { client, db, accountId, actor, own } = await start(t)
  await erasePerson(db, actor, ZOE)
  await assert.rejects(
    db.write(accountId, tx => amend(tx, own.id, { note: 'again' })),
    { code: 'registration_erased' },
  )
  assert.equal((await client.post('/check-ins', { qr_code: own.attendees[0].qr_code })).status, 201)
  assert.deepEqual((await client.get('/registrations?q=zoe')).body.data, [])
  assert.deepEqual((await client.get(`/registrations?email=${ZOE}`)).body.data, [])
})

test('whoever waits no longer waits once erased: no place is offered to nobody', async t => {
  const { client, db, actor, given } = await start(t)
  await erasePerson(db, actor, ZOE)
  const [before] = await db.read(INSTANCE, tx =>
    tx.all<{ notified_at: number | null }>('SELECT notified_at FROM waitlist_entries'),
  )
  assert.notEqual(before?.notified_at, null)
  assert.equal((await client.post(`/registrations/${given.id}/cancel`)).status, 200)
  assert.deepEqual(await db.read(INSTANCE, tx => tx.all('SELECT notified_at FROM waitlist_entries')), [
    before,
  ])
})

test('an organization file from before, applied again, brings nobody back', async t => {
  const { apply, db, actor, brought, rows } = await start(t)
  await erasePerson(db, actor, ZOE)
  await apply(brought)
  assert.deepEqual(await tracesOf(rows, TRACE), [])
  assert.deepEqual(await findDamage(db), [])
})

test('another account keeps the same person', async t => {
  const { apply, db, actor, clientOf } = await start(t)
  const theirs = registration('theirs', { buyer: { name: 'Zoe Zebra', email: ZOE } })
  const { account_id } = await apply(
    organization({ email: 'bob@example.org', event: { registrations: [theirs] } }),
  )
  await erasePerson(db, actor, ZOE)
  const client = await clientOf(account_id)
  assert.equal((await client.get('/registrations?q=zebra')).body.data[0].buyer.name, 'Zoe Zebra')
})

test('an attendee is found among a hundred tickets of long names, and by an e-mail without a word', async t => {
  const server = await startWithOrganization(t)
  const { applied, client, db } = server
  const accountId = applied.account_id
  const long = (at: number) => ({ name: Array.from({ length: 12 }, (_, no) => `Name${at}x${no}`).join(' ') })
  const crowd = [
    ...Array.from({ length: 98 }, (_, at) => long(at)),
    { name: 'Last', email: 'last@example.org' },
  ]
  const few = [{ name: 'Blank', email: '_@example.org' }]
  for (const attendees of [crowd, few]) {
    const { status } = await client.post(
      '/registrations',
      newRegistration(server, { attendees, quantity: undefined }),
    )
    assert.equal(status, 201)
  }
  for (const [email, others] of [
    ['last@example.org', 98],
    ['_@example.org', 0],
  ] as const) {
    const found = await findPerson(db, accountId, email)
    assert.deepEqual([found.registrations, found.tickets, found.tickets_of_others], [0, 1, others], email)
  }
})

test('the command says what would be erased, and erases it only with --yes', async t => {
  const { data, clock, rows } = await start(t)
  const command = async (...more: string[]) => {
    let printed = ''
    const out = (text: string) => {
      printed += text
    }
    const argv = ['person', 'erase', '--email', ZOE, '--data', data, ...more]
    assert.equal(await carryOut(argv, { out, err: text => assert.fail(text), clock }), 0)
    return printed
  }
  const before = await tracesOf(rows, TRACE)
  const preview = await command()
  assert.match(preview, /2 registrations as buyer/)
  assert.match(preview, /Nothing was erased/)
  assert.deepEqual(await tracesOf(rows, TRACE), before)
  assert.deepEqual(JSON.parse(await command('--json')), { erased: false, ...FOUND })
  const done = await command('--yes')
  assert.match(done, /2 registrations as buyer[\s\S]*Erased/)
  assert.deepEqual(await tracesOf(rows, TRACE), [])
})
