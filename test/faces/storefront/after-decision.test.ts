import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, MINUTE } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import { getAfter } from '#product/programme/abstracts/after.ts'
import { listRevisions } from '#product/programme/abstracts/submitted.ts'
import { afterMails } from '#product/programme/decisions/after-mails.ts'
import { changePresenter } from '#product/programme/decisions/presenter-change.ts'
import { reopen } from '#product/programme/decisions/withdrawing.ts'
import { adopt } from '#product/programme/submissions/adopt.ts'
import type { Content } from '#product/programme/submissions/content.ts'
import { submissionUrl, submitterUrl } from '#product/programme/submissions/links.ts'
import { abstract } from '#test/support/abstracts.ts'
import { decideAs, makeCode, type Told } from '#test/support/after-decision.ts'
import { startSale } from '#test/support/people/sale.ts'
import { assignAll, inviteOne, openReview, review } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

const AUTHORS: Content['authors'] = [
  { given: 'Lin', family: 'Mei', email: null, orcid: null, affiliations: [0], presenting: true },
  {
    given: 'Ada',
    family: 'Byron',
    email: 'ada@example.org',
    orcid: null,
    affiliations: [],
    presenting: false,
  },
]

async function start(t: TestContext) {
  const sale = await startSale(t, { abstracts: [abstract('A-1')] }, { takes_abstracts: true })
  const kinds = [{ name: 'Poster', minutes: null, poster: true }]
  const call = await openCall(sale, { kinds })
  const { db, accountId, clock, visitor } = sale
  const kindId = call.kinds[0]?.id ?? null
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const server = { baseUrl: '', secret: row?.cursor_secret as string }
  const { submission, submitter } = await begin(sale)
  const content = contentOf({ authors: AUTHORS, kind_id: kindId })
  const { id, code } = await send(sale, submission.id, content)
  const own = submissionUrl(server, submitter, submission)
  const open = (language?: string) => visitor(language).open(own)
  const decide = (decided?: Parameters<typeof decideAs>[2], told?: Told) => decideAs(sale, id, decided, told)
  const mails = async () => {
    const rows = await db.read(accountId, tx => emails.list(tx, {}, { limit: 100 }))
    return rows.map(({ recipient, kind }) => `${kind} ${recipient}`).sort()
  }
  /** What the mail to the organizer says of what has happened. */
  const news = () =>
    db.read(accountId, async tx => {
      const all = await emails.list(tx, {}, { limit: 100 })
      const mail = all.find(({ kind }) => kind === 'abstract_news')
      const kind = afterMails.find(({ name }) => name === 'abstract_news')
      if (mail === undefined || kind === undefined) return undefined
      const details = await tx.one<{ details: string }>('SELECT details FROM emails WHERE id = $1', [mail.id])
      const to = {
        ...mail,
        account_id: accountId,
        details: JSON.parse(details?.details ?? '{}'),
        now: clock(),
      }
      const content = await kind.read(tx, to, { ...server, baseUrl: 'https://t.example' })
      return { changes: content?.values.changes, button: content?.button?.url, to: mail.recipient }
    })
  const presented = async () => (await sale.client.get(`/abstracts/${id}`)).body
  const actions = async () => {
    const all = await db.read(accountId, tx => accessLog.list(tx, 100))
    return all.filter(({ target_id }) => target_id === id).map(({ action, actor }) => [action, actor])
  }
  return {
    ...{
      ...sale,
      server,
      kindId,
      submission,
      submitter,
      id,
      code,
      own,
      open,
      decide,
      mails,
      news,
      presented,
      actions,
    },
  }
}

test('an accepted abstract says so, as what and until when to confirm, and one click confirms it, once', async t => {
  const at = await start(t)
  assert.doesNotMatch((await at.open()).text, /Will you come/)
  const confirm_by = Date.parse('2026-11-28T22:59:00Z')
  await at.decide({ decision: 'accepted', note: 'Well done.' }, { confirm_by })
  const page = await at.open()
  assert.match(page.text, /Accepted.*Well done\..*It is accepted as: Poster\./)
  assert.match(page.text, /Please confirm by 28 Nov 2026, 23:59 \(CET\)/)
  // Scanners of mails open links.
  assert.equal((await at.visitor().open(`${at.own}/confirm`)).status, 405)
  assert.equal((await at.presented()).confirmed_at, null)
  at.clock.advance(MINUTE)
  const done = await page.press('Confirm: it will be presented')
  assert.match(done.text, /You confirmed on .* that it will be presented\. Thank you\./)
  assert.equal(done.path.split('?')[0], at.own)
  const { confirmed_at } = await at.presented()
  assert.ok(confirmed_at !== null)
  at.clock.advance(MINUTE)
  await page.press('Confirm: it will be presented')
  assert.equal((await at.presented()).confirmed_at, confirmed_at)
  assert.deepEqual(
    (await at.actions()).filter(([action]) => action === 'abstract.confirm'),
    [['abstract.confirm', `submitter:${at.submitter.id}`]],
  )
})

test('who is late can still confirm, and is told so; what is not accepted, or not any more, is not confirmed', async t => {
  const at = await start(t)
  const refused = await at.visitor().post(`${at.own}/confirm`, {})
  assert.deepEqual([refused.status, (await at.presented()).confirmed_at], [409, null])
  await at.decide(undefined, { confirm_by: at.clock() - DAY })
  const late = await at.open()
  assert.match(late.text, /You were asked to confirm until .*You still can/)
  await at.decide({ decision: 'rejected' })
  const again = await late.press('Confirm: it will be presented')
  assert.equal(again.status, 409)
  assert.match(again.text, /The abstract is not accepted, or not any more\./)
  assert.doesNotMatch(again.text, /Will you come|presents it|Days on which/)
  await at.decide()
  await (await at.open()).press('Confirm: it will be presented')
  assert.ok((await at.presented()).confirmed_at !== null)
})

test('the authors read what reviewers wrote to them once that is told, without who, what they scored or told chairs', async t => {
  const at = await start(t)
  await openReview(at, { wanted: 3 })
  for (const [name, said] of [
    ['Rosa Ruiz', 'First said <b>.'],
    ['Ben Benson', 'Then said.'],
    ['Cleo Half', 'Half said.'],
  ] as const) {
    const email = `${name.slice(0, 3).toLowerCase()}@reviews.example`
    const reviewer = await inviteOne(at, { name, email })
    await assignAll(at)
    await review(at, reviewer, at.code, { to_authors: said, to_chairs: 'Secret to chairs' })
    if (name === 'Cleo Half')
      await at.db.write(at.accountId, tx =>
        tx.run('UPDATE reviews SET done_at = NULL WHERE reviewer_id = $1', [reviewer.id]),
      )
  }
  await at.decide()
  assert.doesNotMatch((await at.open()).text, /said/)
  await at.decide(undefined, { comments_told_at: at.clock() })
  const { text } = await at.open()
  assert.match(
    text,
    /What reviewers wrote to youComment 1(First said|Then said).*Comment 2(First said|Then said)/,
  )
  assert.ok(text.includes('First said <b>.') && text.includes('Then said.'))
  assert.doesNotMatch(text, /Half said|Secret|Ruiz|Benson|Cleo|reviews\.example|Comment 3/)
  // Taken back into review, nothing of it is told.
  await at.decide({ decision: 'in_review' }, { comments_told_at: at.clock() })
  assert.doesNotMatch((await at.open()).text, /said/)
})

test('the code to register with leads to the page of the event as long as it works', async t => {
  const at = await start(t)
  const { id } = await makeCode(at)
  await at.decide(undefined, { registration_code_id: id })
  const page = await at.open()
  assert.match(page.text, /Your code to registerTALK-7F3K/)
  const event = await page.follow('Register')
  assert.equal(event.heading, 'Spring Meeting')
  assert.match(event.path, /code=TALK-7F3K/)
  const change = (active: boolean) =>
    at.db.write(at.accountId, tx => codes.update(tx, at.eventId, id, { active }))
  await change(false)
  assert.doesNotMatch((await at.open()).text, /TALK-7F3K/)
  await change(true)
  await at.db.write(at.accountId, tx => tx.run('UPDATE codes SET used = 1 WHERE id = $1', [id]))
  assert.match((await at.open()).text, /TALK-7F3KSomebody has registered with this code\./)
  await at.db.write(at.accountId, tx => tx.run('DELETE FROM codes WHERE id = $1', [id]))
  assert.doesNotMatch((await at.open()).text, /Your code to register/)
})

test('whoever cannot come withdraws: author and organizer are told, and a code that nobody has used goes', async t => {
  const at = await start(t)
  const { id } = await makeCode(at)
  await at.decide(undefined, { registration_code_id: id })
  const before = await at.mails()
  const gone = await (await (await at.open()).follow('Withdraw…')).press('Withdraw the abstract')
  assert.match(gone.text, /This abstract is withdrawn\./)
  assert.doesNotMatch(gone.text, /TALK-7F3K|Will you come|Days on which/)
  const after = (await at.mails()).filter(mail => !before.includes(mail))
  assert.deepEqual(after, ['abstract_news ada@example.org', 'abstract_withdrawn lin@example.org'])
  assert.deepEqual(await at.news(), {
    changes: `${at.code} “On rooms”: accepted, and withdrawn by its author`,
    button: `https://t.example/manage/e/${at.eventId}/abstracts`,
    to: 'ada@example.org',
  })
  const isActive = async () => (await at.db.read(at.accountId, tx => codes.get(tx, at.eventId, id))).active
  assert.equal(await isActive(), false)
  await at.db.write(at.accountId, tx => reopen(tx, at.id))
  assert.equal(await isActive(), true)
  assert.match((await at.open()).text, /TALK-7F3K/)
  // Nothing is left to tell.
  assert.equal((await at.news())?.changes, undefined)
  await at.db.write(at.accountId, tx => tx.run('UPDATE codes SET used = 1 WHERE id = $1', [id]))
  await at.visitor().post(`${at.own}/withdraw`, {})
  assert.equal(await isActive(), true)
})

test('of a withdrawal before the decision nobody but the author is told, but of one that its submitter knows nothing of', async t => {
  const at = await start(t)
  await at.visitor().post(`${at.own}/withdraw`, {})
  assert.equal(await at.news(), undefined)
  const { submission, submitter } = await begin(at)
  const { code } = await send(at, submission.id, contentOf({ title: 'Not mine', kind_id: at.kindId }))
  const all = await at.visitor().open(submitterUrl(at.server, submitter))
  const asked = await all.follow('I did not submit this', 'Not mine')
  await asked.press('I did not submit it')
  assert.match(
    (await at.news())?.changes ?? '',
    new RegExp(`^${code} “Not mine”: withdrawn, as the person with its e-mail did not submit it$`),
  )
})

test('another author presents once the call is over: the next version says so, organizer and presenter are told', async t => {
  const at = await start(t)
  await at.decide()
  const page = await at.open()
  assert.match(page.text, /Lin Mei presents it\./)
  const choose = await page.follow('Another presenter…')
  assert.match(choose.heading, /Who presents “On rooms”\?/)
  const before = await at.mails()
  const done = await choose.fill({ 'Ada Byron': true }).press('Save the presenter')
  assert.match(done.text, /The presenter is saved, and the organizer is told\..*Ada Byron presents it\./)
  const { authors } = await at.presented()
  assert.deepEqual(
    authors.map(({ name, presenting }: { name: string; presenting: boolean }) => [name, presenting]),
    [
      ['Lin Mei', false],
      ['Ada Byron', true],
    ],
  )
  assert.deepEqual(
    (await at.mails()).filter(mail => !before.includes(mail)),
    ['abstract_news ada@example.org', 'abstract_presenting ada@example.org'],
  )
  assert.equal((await at.news())?.changes, `${at.code} “On rooms”: another author presents it`)
  const [newest] = await at.db.read(at.accountId, tx => listRevisions(tx, at.id))
  assert.deepEqual([newest?.number, newest?.by], [2, null])
  // The form was shown for the version before.
  const stale = await choose.fill({ 'Lin Mei (presents it now)': true }).press('Save the presenter')
  assert.equal(stale.status, 409)
  assert.match((await at.open()).text, /Ada Byron presents it\./)
  // There and back again, nobody is mailed twice.
  for (const place of [0, 1, 0, 1]) {
    const { revision } = await at.db.read(at.accountId, async tx => ({
      revision: (await listRevisions(tx, at.id))[0]?.number as number,
    }))
    await at.db.write(at.accountId, tx => changePresenter(tx, at.submission.id, { at: place, revision }))
  }
  assert.equal((await at.mails()).filter(mail => mail.startsWith('abstract_presenting')).length, 1)
  assert.equal((await at.mails()).filter(mail => mail.startsWith('abstract_news')).length, 1)
})

test('a presenter is one of the authors; nobody else, and no other one of what was rejected or withdrawn', async t => {
  const at = await start(t)
  const post = (body: Record<string, string>) => at.visitor().post(`${at.own}/presenter`, body)
  const statuses: number[] = []
  for (const body of [
    { presenter: '7', seen: '1' },
    { presenter: '1' },
    { seen: '1' },
    { presenter: '-1', seen: '1' },
  ])
    statuses.push((await post(body as Record<string, string>)).status)
  assert.deepEqual(statuses, [400, 409, 400, 400])
  await at.decide({ decision: 'rejected' })
  assert.equal((await post({ presenter: '1', seen: '1' })).status, 409)
  assert.equal((await at.visitor().open(`${at.own}/presenter`)).path, at.own)
  await at.visitor().post(`${at.own}/withdraw`, {})
  assert.equal((await post({ presenter: '1', seen: '1' })).status, 409)
  assert.equal((await at.db.read(at.accountId, tx => listRevisions(tx, at.id))).length, 1)
})

test('the days on which nobody can come are ticked among those of the event, in both languages, and taken back', async t => {
  const at = await start(t)
  const kept = async () => (await at.db.read(at.accountId, tx => getAfter(tx, at.id))).unavailable
  const page = await at.open()
  const saved = await page.fill({ 'Wednesday, 2 December 2026': true }).press('Save the days')
  assert.match(saved.text, /The days are saved\./)
  assert.deepEqual(await kept(), ['2026-12-02'])
  assert.equal(saved.field('Wednesday, 2 December 2026').checked, true)
  assert.equal(saved.field('Tuesday, 1 December 2026').checked, false)
  const spanish = await at.visitor().open(`${at.own}?lang=es`)
  await spanish.fill({ 'miércoles, 2 de diciembre de 2026': false }).press('Guardar los días')
  assert.deepEqual(await kept(), [])
})

test('what a file has brought shows its authors what was decided, and asks them as others', async t => {
  const at = await start(t)
  const id = at.applied.events['spring-meeting']?.abstracts['A-1'] as string
  const of = await at.db.write(at.accountId, tx => adopt(tx, id, 'en'))
  assert.ok(of !== undefined)
  await decideAs(at, id)
  const page = await at.visitor().open(submissionUrl(at.server, of.submitter, of.submission))
  assert.match(page.text, /Title of A-1/)
  assert.doesNotMatch(page.text, /Another presenter…|Who presents it/)
  await page.press('Confirm: it will be presented')
  assert.ok((await at.client.get(`/abstracts/${id}`)).body.confirmed_at !== null)
})
