import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import { INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import { linkSecret } from '#machinery/web/link-secret.ts'
import { reviewerUrl } from '#product/programme/reviews/links.ts'
import { reviewMails } from '#product/programme/reviews/mails.ts'
import type { Reviewer } from '#product/programme/reviews/reviewer-schemas.ts'
import { insertFile } from '#test/support/files.ts'
import type { PageReader } from '#test/support/people/page-reader.ts'
import { startSale } from '#test/support/people/sale.ts'
import { assignAll, inviteOne, openReview, review } from '#test/support/reviews.ts'
import { askAuthors, begin, contentOf, openCall, send } from '#test/support/submissions.ts'

/** Stands in each field that tells who has written something. */
const CANARY = 'zqcanary'

/** What an abstract tells of its writers. Each side has texts of other lengths. */
const people = {
  left: {
    name: `${CANARY} Ada Lovelace`,
    email: `${CANARY}-ada@left.example`,
    orcid: '0000-0002-1825-0097',
    affiliation: `${CANARY} Analytical Institute of a very long name, London`,
    phone: `${CANARY}-1`,
    answer: `${CANARY} works at the Analytical Institute of a very long name`,
    at: 1 * DAY,
    file: `${CANARY}-left.pdf`,
    count: 3,
  },
  right: {
    name: `${CANARY} Lu`,
    email: `${CANARY}@r.example`,
    orcid: '0000-0001-5109-3700',
    affiliation: `${CANARY} R`,
    phone: `${CANARY}-22`,
    answer: undefined,
    at: 3 * DAY,
    file: `${CANARY}-r.pdf`,
    count: 1,
  },
} as const
type Writer = (typeof people)[keyof typeof people]

/** Returns the people of an abstract, as its revision has them. */
function writtenBy({ name, email, orcid, affiliation, phone, count, answer }: Writer) {
  return {
    contact: { name, phone },
    authors: Array.from({ length: count }, (_, at) => ({
      ...{ given: null, family: `${name} ${at}`, email: `${at}${email}` },
      orcid: at === 0 ? orcid : null,
      ...{ affiliations: [0], presenting: at === 0 },
    })),
    affiliations: [affiliation],
    // One of two does not answer what is asked of it alone. The answer for reviewers says nothing of who it is.
    answers: { award: 'yes', ...(answer === undefined ? {} : { funding: answer }) },
  }
}

async function start(t: TestContext, { blind = true } = {}) {
  const sale = await startSale(t, {}, { takes_abstracts: true })
  const call = await openCall(sale, { topics: ['Rooms'], file: 'optional' })
  const topic_id = call.topics[0]?.id ?? null
  await openReview(sale, { blind, wanted: 1 })
  const { db, accountId, clock } = sale
  await askAuthors(sale, { for_reviewers: true })
  await askAuthors(sale, { label: 'Who pays?', key: 'funding', kind: 'text' })
  const sent: { id: string; code: string; submissionId: string }[] = []
  for (const [title, writer] of [
    ['On rooms', people.left],
    ['On doors', people.right],
  ] as const) {
    const { submission } = await begin(sale, { name: writer.name, email: writer.email })
    const { id, code } = await send(sale, submission.id, contentOf({ title, topic_id, ...writtenBy(writer) }))
    sent.push({ id, code, submissionId: submission.id })
    await db.write(accountId, tx => insertFile(tx, sale.eventId, { submissionId: submission.id }))
  }
  const [one, other] = sent as [(typeof sent)[0], (typeof sent)[0]]
  /** Says who has written what, in each place that keeps it. */
  const attribute = async (first: Writer, second: Writer) => {
    await db.write(accountId, async tx => {
      await tell(tx, one, first, 'x1@x.example')
      await tell(tx, other, second, 'x2@x.example')
      // Two people of an event never have the same e-mail, also in between.
      await tell(tx, one, first)
      await tell(tx, other, second)
    })
  }
  await attribute(people.left, people.right)
  const rosa = await inviteOne(sale)
  await assignAll(sale)
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const secret = row?.cursor_secret as string
  const path = (reviewer: Reviewer) => reviewerUrl({ baseUrl: '', secret }, reviewer)
  return { ...sale, one, other, attribute, rosa, secret, path, clock }
}

/** Writes whose an abstract is. @param key another key for the e-mail */
async function tell(
  tx: WriteTx,
  { id, submissionId }: { id: string; submissionId: string },
  writer: Writer,
  key: string = writer.email,
): Promise<void> {
  const { contact, authors, affiliations, answers } = writtenBy(writer)
  const ofApi = authors.map(({ family, email, presenting }) => ({
    ...{ name: family, email, presenting },
    affiliation: writer.affiliation,
  }))
  const kept = await tx.one<{ content: string }>(
    'SELECT r.content FROM abstract_revisions r WHERE r.account_id = $1 AND r.abstract_id = $2',
    [tx.accountId, id],
  )
  const content = {
    ...(JSON.parse(kept?.content as string) as object),
    contact,
    authors,
    affiliations,
    answers,
  }
  await tx.run(
    `UPDATE abstract_revisions SET content = $3, created_at = $4 WHERE account_id = $1 AND abstract_id = $2`,
    [tx.accountId, id, JSON.stringify(content), writer.at],
  )
  await tx.run(
    `UPDATE abstracts SET authors = $3, contact = $4, file_name = $5, submitted_at = $6, created_at = $6, updated_at = $6
     WHERE account_id = $1 AND id = $2`,
    [
      ...[tx.accountId, id, JSON.stringify(ofApi)],
      ...[JSON.stringify({ ...contact, email: writer.email }), writer.file, writer.at],
    ],
  )
  await tx.run(
    `UPDATE abstract_files SET name = $3, created_at = $4 WHERE account_id = $1 AND submission_id = $2`,
    [tx.accountId, submissionId, writer.file, writer.at],
  )
  await tx.run(
    `UPDATE submitters SET name = $3, email = $4, email_key = $4 WHERE account_id = $1
     AND id = (SELECT b.submitter_id FROM submissions b WHERE b.account_id = $1 AND b.id = $2)`,
    [tx.accountId, submissionId, writer.name, key],
  )
}

type At = Awaited<ReturnType<typeof start>>

/** Returns all that a link of a reviewer answers: of each address its status, headers and bytes. */
async function readAll(at: At, browser: PageReader, reviewer: Reviewer): Promise<Map<string, string>> {
  const path = at.path(reviewer)
  const codes = [at.one.code, at.other.code, '0000', encodeURIComponent('../..')]
  const looks = [
    ...[path, `${path}?done`, `${path}?back`, `${path}?lang=es`, `${path}/all`, `${path}/all?from=1`],
    ...[
      `${path}/all?from=9`,
      `${path}/profile`,
      `${path}/profile?saved`,
      `${path}?q=${CANARY}&sort=created_at`,
    ],
    ...codes.flatMap(code => {
      const own = `${path}/abstracts/${code}`
      return [own, `${own}?saved`, `${own}?done`, `${own}/back`, `${own}/file`]
    }),
    // Pages of others, by a secret for something else.
    ...['submission', 'submitter'].map(
      purpose =>
        `/abstracts/${linkSecret(at.secret, purpose as 'submission', { id: reviewer.id, version: 1 })}`,
    ),
    '/review/nothing',
  ]
  const found = new Map<string, string>()
  const keep = (
    what: string,
    { status, headers, body }: { status: number; headers: object; body: string },
  ) => {
    const { date: _, 'x-request-id': __, ...kept } = headers as Record<string, unknown>
    for (const name of Object.keys(kept)) if (/^ratelimit|^x-ratelimit/.test(name)) delete kept[name]
    found.set(what, JSON.stringify({ status, kept, body: body.replace(/req_\w+/g, 'req_') }))
  }
  for (const address of looks) {
    const { status, headers, bytes } = await browser.download(address)
    keep(`GET ${address}`, { status, headers, body: bytes.toString('latin1') })
  }
  for (const code of codes) {
    for (const what of ['', '/done', '/save', '/back']) {
      // What is half is refused or kept; what is given back by nothing is asked again.
      const page = await browser.post(`${path}/abstracts/${code}${what}`, { recommendation: 'wrong' })
      keep(`POST ${code}${what}`, { status: page.status, headers: page.headers, body: page.html })
    }
  }
  return found
}

/** Returns what the mails to reviewers say. */
async function readMails({ db, accountId, secret, clock }: At): Promise<string> {
  const all = await db.read(accountId, tx => emails.list(tx, {}, { limit: 100 }))
  const ours = all.filter(({ kind }) => kind.startsWith('review_'))
  assert.ok(ours.length > 0)
  const texts: unknown[] = []
  for (const mail of ours) {
    const kind = reviewMails.find(({ name }) => name === mail.kind)
    const toSend = { ...mail, account_id: accountId, details: {}, now: clock() }
    assert.ok(kind !== undefined)
    texts.push(await db.read(accountId, tx => kind.read(tx, toSend as never, { baseUrl: '', secret })))
  }
  return JSON.stringify(texts)
}

function assertSame(one: Map<string, string>, other: Map<string, string>): void {
  for (const [what, answer] of one) assert.equal(other.get(what), answer, what)
}

for (const state of ['open', 'done', 'over'] as const) {
  test(`a blind review that is ${state} tells a reviewer nothing of who has written what: no name, length, order or count`, async t => {
    const at = await start(t)
    const { rosa, clock } = at
    if (state !== 'open') for (const { code } of [at.one, at.other]) await review(at, rosa, code)
    if (state === 'over') clock.advance(20 * DAY)
    const browser = at.visitor()
    const before = await readAll(at, browser, rosa)
    const mailed = state === 'over' ? '' : await readMails(at)
    assert.ok(before.get(`GET ${at.path(rosa)}`)?.includes('On rooms'))
    const item = before.get(`GET ${at.path(rosa)}/abstracts/${at.one.code}`) ?? ''
    assert.ok(item.includes('Award?') && !item.includes('Who pays?'))
    for (const [what, answer] of before) {
      // The address itself may have what was searched for.
      const own = answer.replaceAll(`q=${CANARY}`, '')
      assert.ok(!own.includes(CANARY), `${what} tells who has written it: ${own}`)
    }
    assert.ok(!mailed.includes(CANARY), mailed)
    await at.attribute(people.right, people.left)
    assertSame(before, await readAll(at, browser, rosa))
    if (state !== 'over') assert.equal(await readMails(at), mailed)
  })
}

test('whoever is behind an abstract reviews others, and sees of their own what all see: nothing', async t => {
  const at = await start(t)
  const writer = await inviteOne(at, { name: 'Somebody', email: people.left.email })
  await openReview(at, { blind: true, wanted: 2 })
  await assignAll(at)
  const found = await readAll(at, at.visitor(), writer)
  assert.ok(found.get(`GET ${at.path(writer)}`)?.includes('On doors'))
  for (const [what, answer] of found) {
    assert.ok(!answer.includes('On rooms'), what)
    // The only place of the reviewer's own e-mail is their mail.
    assert.ok(!answer.replaceAll(`q=${CANARY}`, '').includes(CANARY), what)
  }
})

test('where the review is not blind, the same look does find who has written what', async t => {
  const at = await start(t, { blind: false })
  const found = await readAll(at, at.visitor(), at.rosa)
  const own = `${at.path(at.rosa)}/abstracts/${at.one.code}`
  assert.ok(found.get(`GET ${own}`)?.includes(people.left.name))
  assert.match(found.get(`GET ${own}/file`) ?? '', /"status":200/)
  // Neither e-mails nor ORCID iDs, nor what the author has called the file.
  for (const [what, answer] of found)
    for (const secret of [people.left.email, people.left.orcid, people.left.phone, people.left.file])
      assert.ok(!answer.includes(secret), `${what} tells ${secret}`)
  await at.attribute(people.right, people.left)
  assert.throws(() => assertSame(found, new Map()))
  const exchanged = await readAll(at, at.visitor(), at.rosa)
  assert.notEqual(exchanged.get(`GET ${own}`), found.get(`GET ${own}`))
})
