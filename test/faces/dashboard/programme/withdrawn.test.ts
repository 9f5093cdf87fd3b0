import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE } from '#base/time.ts'
import type { MailKind } from '#machinery/mail/kind.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { submissionMails } from '#product/programme/submissions/mails.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { linkIn, startChaired } from '#test/support/chaired.ts'
import type { PageReader, ReadPage } from '#test/support/people/page-reader.ts'
import { begin, contentOf, send } from '#test/support/submissions.ts'
import { subjectsOf } from '#test/support/ticket-mail.ts'

/** Starts with an abstract that its author has withdrawn, and one of a file that stands. */
async function start(t: TestContext) {
  const at = await startChaired(t)
  const { submission } = await begin(at)
  const { id, code } = await send(at, submission.id)
  const received = (await at.mail.take()).find(({ parsed }) => parsed.subject?.includes(code))
  const link = linkIn(received?.parsed.text)
  const withdraw = async (reader: PageReader) => {
    at.clock.advance(MINUTE)
    await (await reader.open(`${link}/withdraw`)).press('Withdraw the abstract')
    return at.mail.take()
  }
  await withdraw(at.visitor())
  return { ...at, id, code, path: `${at.list}/${id}`, submission, withdraw }
}

const tabsOf = ({ document }: ReadPage) =>
  [...document.querySelectorAll('nav.tabs a')].map(each =>
    (each.textContent ?? '').replace(/\s+/g, ' ').trim(),
  )

test('withdrawn abstracts have a tab of their own, are in no other, and are not decided from there', async t => {
  const { member, list, id, code } = await start(t)
  const chair = await member('chair')
  const all = await chair.open(list)
  assert.deepEqual(tabsOf(all), [
    'All 1',
    'Submitted 1',
    'In review 0',
    'Accepted 0',
    'Rejected 0',
    'Withdrawn 1',
  ])
  assert.equal(all.rows().length, 1)
  const tab = await all.follow('Withdrawn')
  assert.equal(tab.rows().length, 1)
  assert.match(tab.rows()[0] ?? '', /On rooms.*Withdrawn/)
  assert.equal(tab.document.querySelector('[type=checkbox]'), null)
  assert.equal(tab.document.querySelector('main [name=decision]'), null)
  const page = await tab.follow(code)
  assert.equal(page.path, `${list}/${id}?status=withdrawn`)
  const found = await chair.open(`${list}?status=withdrawn&q=rooms`)
  assert.equal(found.rows().length, 1)
  assert.match((await chair.open(`${list}?status=withdrawn&q=nothing`)).text, /Nothing found/)
})

test('an event with nothing withdrawn has no tab for it, and one where all is withdrawn still lists it', async t => {
  const at = await startChaired(t)
  const owner = await at.member('owner')
  assert.ok(!tabsOf(await owner.open(at.list)).some(each => each.startsWith('Withdrawn')))
  await at.db.write(at.accountId, async tx => {
    const brought = at.applied.events['spring-meeting']?.abstracts['A-1'] as string
    await tx.run('UPDATE abstracts SET withdrawn_at = 1 WHERE account_id = $1 AND id = $2', [
      tx.accountId,
      brought,
    ])
  })
  const page = await owner.open(at.list)
  assert.ok(tabsOf(page).includes('Withdrawn 1'))
})

test('many withdrawn abstracts are listed page by page, each page leads to the next one, and so does each abstract', async t => {
  const at = await startChaired(t, { per_person: 50 })
  for (let n = 0; n < 21; n++) {
    at.clock.advance(MINUTE)
    const { submission } = await begin(at)
    await send(at, submission.id, contentOf({ title: `Number ${n}.` }))
    await at.db.write(at.accountId, tx => sending.withdraw(tx, submission.id))
  }
  const owner = await at.member('owner')
  const first = await owner.open(`${at.list}?status=withdrawn`)
  assert.equal(first.rows().length, 20)
  const next = first.document.querySelector('main a[href*="after="]')?.getAttribute('href') ?? ''
  assert.match((await owner.open(next)).rows().join(), /Number 0\./)
  const href = [...first.document.querySelectorAll('tbody a')].at(1)?.getAttribute('href') ?? ''
  const page = await owner.open(href)
  assert.equal(page.heading, 'Number 19.')
  assert.equal((await page.follow('Next')).heading, 'Number 18.')
  assert.equal((await page.follow('Previous')).heading, 'Number 20.')
})

test('a chair takes back a withdrawal: the abstract stands as it was, its author is told, and may withdraw it again', async t => {
  const { member, path, list, id, mail, openLink, withdraw, logged, visitor, code, db, accountId, ...at } =
    await start(t)
  const chair = await member('chair')
  at.clock.advance(MINUTE)
  const ask = await (await chair.open(`${path}?status=withdrawn`)).follow('Take back the withdrawal…')
  assert.equal(ask.heading, `Take back the withdrawal of ${code}?`)
  assert.match(ask.text, /“On rooms” stands in the list again: Submitted\./)
  const done = await ask.press('Take it back')
  assert.deepEqual(done.messages, ['On rooms stands again, and its author is told.'])
  assert.match(
    done.text,
    /What happened.*Withdrawal taken back.*by Person chair.*Withdrawn by its author.*Submitted/,
  )
  const accepted = await done.fill({ Accept: true }).press('Save the decision')
  assert.deepEqual(accepted.messages, ['On rooms is accepted.'])
  assert.equal((await chair.open(list)).rows().length, 2)
  const mails = await mail.take()
  const ours = mails.filter(({ parsed }) => parsed.subject === `Abstract ${code} stands again`)
  assert.deepEqual(subjectsOf(ours), [['lin@example.org', `Abstract ${code} stands again`]])
  assert.match((await openLink(ours[0]?.parsed.text)).text, /On rooms ?Accepted/)
  const target = { target_type: 'abstract', target_id: id }
  assert.deepEqual((await logged()).at(-1), { action: 'abstract.reopen', ...target, details: {} })
  await db.write(accountId, tx => abstracts.decide(tx, id, { decision: 'in_review' }))
  const again = await withdraw(visitor())
  assert.deepEqual(subjectsOf(again), [['lin@example.org', `Abstract ${code} is withdrawn`]])
  const page = await chair.open(path)
  const times = page.text.match(/Withdrawn by its author/g)
  assert.equal(times?.length, 2)
})

test('of two chairs who take back a withdrawal at once, the second is shown how it stands, and its author is told once', async t => {
  const { member, path, mail } = await start(t)
  const [one, other] = [await member('owner'), await member('chair')]
  const pages = [await one.open(`${path}/reopen`), await other.open(`${path}/reopen`)]
  await pages[0]?.press('Take it back')
  const late = await pages[1]?.press('Take it back')
  assert.equal(late?.status, 409)
  assert.match(late?.text ?? '', /This abstract is not withdrawn/)
  assert.equal((await mail.take()).length, 1)
})

test('a mail that an abstract stands again is not sent once it is withdrawn again', async t => {
  const at = await start(t)
  const kind = submissionMails.find(({ name }) => name === 'abstract_reopened') as MailKind
  const says = () =>
    at.db.read(at.accountId, tx => {
      const of = { account_id: at.accountId, event_id: at.eventId, subject_id: at.id, details: {} }
      const to = { id: 'm', cause: 'c', recipient: 'lin@example.org', language: 'en' } as const
      return kind.read(tx, { ...of, ...to, now: at.clock() }, { baseUrl: '', secret: 's' })
    })
  assert.equal(await says(), undefined)
  await at.db.write(at.accountId, tx => sending.reopen(tx, at.id))
  assert.equal((await says())?.values.code, at.code)
})
