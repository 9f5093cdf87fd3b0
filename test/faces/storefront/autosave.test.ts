import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { DAY, MINUTE } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { assets } from '#machinery/web/assets/assets.ts'
import { submissionUrl } from '#product/programme/submissions/links.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { MAX_DRAFT } from '#product/programme/submissions/schemas.ts'
import { dataOf, type ReadPage } from '#test/support/people/page-reader.ts'
import { startSale } from '#test/support/people/sale.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

type Changes = Parameters<typeof openCall>[1]

async function start(t: TestContext, changes: Changes = {}) {
  const sale = await startSale(t, {}, { takes_abstracts: true }, { settings: { trustProxy: ['127.0.0.1'] } })
  await openCall(sale, changes)
  const { db, accountId, app, visitor } = sale
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const beginOne = async (more: Parameters<typeof begin>[1] = {}) => {
    const { submission, submitter } = await begin(sale, more)
    const server = { baseUrl: '', secret: row?.cursor_secret as string }
    return { id: submission.id, own: submissionUrl(server, submitter, submission) }
  }
  const openForm = (own: string) => visitor().open(`${own}/edit`)
  /** Sends a form as its script does, from behind an address. */
  const save = async (form: ReadPage, changes: Record<string, string> = {}, address = '192.0.2.1') => {
    const body = bodyOf(form)
    for (const [name, value] of Object.entries(changes)) body.set(name, value)
    const path = form.document.querySelector('[data-save]')?.getAttribute('data-save')
    const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address }
    const answer = await fetch(app.siteUrl + path, { method: 'POST', headers, body })
    return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) }
  }
  const read = (id: string) => db.read(accountId, tx => submissions.get(tx, id))
  const titleOf = async (id: string) => (await read(id)).submission.draft?.typed.title?.[0]
  const abstracts = async () => (await sale.client.get('/abstracts')).body.data
  return { ...sale, beginOne, openForm, save, read, titleOf, abstracts }
}

/** Returns what a browser sends of the form of an abstract. */
function bodyOf({ document }: ReadPage): URLSearchParams {
  const form = document.querySelector('form.form') as HTMLFormElement
  return new URLSearchParams([...dataOf(form)].map(([name, value]) => [name, String(value)]))
}

test('what a form saves by itself is kept as it is typed, and the answer has the revision for the next time', async t => {
  const at = await start(t)
  const { id, own } = await at.beginOne()
  const form = await at.openForm(own)
  const first = await at.save(form, { title: 'First', text: 'Half a sent' })
  assert.equal(first.status, 200)
  assert.match(first.body.said, /^Saved at \d\d:\d\d, and not sent yet\.$/)
  assert.equal(first.headers.get('cache-control'), 'no-store')
  const second = await at.save(form, { title: 'Second', 'draft.revision': String(first.body.revision) })
  assert.deepEqual([second.status, second.body.revision], [200, first.body.revision + 1])
  assert.equal(await at.titleOf(id), 'Second')
  assert.equal((await at.openForm(own)).field('Title').value, 'Second')
  assert.deepEqual(await at.abstracts(), [])
})

test('what is saved already is not written again, whichever revision the form was shown with', async t => {
  const at = await start(t)
  const { id, own } = await at.beginOne()
  const form = await at.openForm(own)
  const saved = await at.save(form, { title: 'Answer lost' })
  const again = await at.save(form, { title: 'Answer lost' })
  assert.deepEqual([again.status, again.body.revision], [200, saved.body.revision])
  // Nothing was typed since it was sent: there is no draft then.
  await send(at, id)
  await at.save(await at.openForm(own))
  assert.equal((await at.read(id)).submission.draft, null)
})

test('a form that was shown before somebody else has saved overwrites nothing, and learns of it', async t => {
  const at = await start(t)
  const { id, own } = await at.beginOne()
  const [one, other] = [await at.openForm(own), await at.openForm(own)]
  await at.save(one, { title: 'From one' })
  const refused = await at.save(other, { title: 'From the other' })
  assert.deepEqual([refused.status, refused.body.isElsewhere, refused.body.isOver], [409, true, false])
  assert.equal(await at.titleOf(id), 'From one')
})

test('what was sent stands, however often its form saves itself', async t => {
  const at = await start(t)
  const { id, own } = await at.beginOne()
  await send(at, id, contentOf({ title: 'As it was sent' }))
  const form = await at.openForm(own)
  assert.equal((await at.save(form, { title: 'What is typed' })).status, 200)
  assert.equal(await at.titleOf(id), 'What is typed')
  const [abstract] = await at.abstracts()
  assert.equal(abstract.title, 'As it was sent')
  assert.match((await at.visitor().open(own)).text, /There are changes that are not sent yet\./)
})

test('a decision and a withdrawal end the saving, and the form is told so in words', async t => {
  const at = await start(t)
  const [decided, withdrawn] = [await at.beginOne(), await at.beginOne()]
  for (const { id } of [decided, withdrawn]) await send(at, id)
  const forms = [await at.openForm(decided.own), await at.openForm(withdrawn.own)] as const
  const { submission } = await at.read(decided.id)
  await at.client.post(`/abstracts/${submission.abstract_id}/decision`, { decision: 'accepted' })
  await (await at.visitor().open(`${withdrawn.own}/withdraw`)).press('Withdraw the abstract')
  for (const [n, says] of [/was decided|is decided/, /was withdrawn/].entries()) {
    const { status, body } = await at.save(forms[n as 0 | 1], { title: 'Later' })
    assert.ok(status >= 400 && body.isOver && !body.isElsewhere, String(status))
    assert.match(body.said, says)
  }
})

test('a form that was begun in time saves itself for ten minutes after the deadline, and not longer', async t => {
  const at = await start(t)
  const { id, own } = await at.beginOne()
  at.clock.advance(14 * DAY - MINUTE)
  const form = await at.openForm(own)
  at.clock.advance(10 * MINUTE)
  assert.equal((await at.save(form, { title: 'In time' })).status, 200)
  at.clock.advance(5 * MINUTE)
  const late = await at.save(form, { title: 'Too late', 'draft.revision': '2' })
  assert.deepEqual([late.status, late.body.isOver], [409, true])
  assert.match(late.body.said, /The call for abstracts is over/)
  assert.equal(await at.titleOf(id), 'In time')
})

test('a draft that is far too long is refused in words, and a shorter one is taken after it', async t => {
  const at = await start(t)
  const { id, own } = await at.beginOne()
  const form = await at.openForm(own)
  const long = await at.save(form, { text: 'x'.repeat(MAX_DRAFT) })
  assert.deepEqual([long.status, long.body.isOver, long.body.isElsewhere], [422, false, false])
  assert.match(long.body.said, /Shorten it/)
  assert.equal((await at.save(form, { title: 'Shorter' })).status, 200)
  assert.equal(await at.titleOf(id), 'Shorter')
})

test('a form without a part that the call asks for since is not saved, because its text would be emptied', async t => {
  const at = await start(t, { sections: ['Aim'] })
  const { own } = await at.beginOne()
  const form = await at.openForm(own)
  await openCall(at, { sections: ['Aims'] })
  const refused = await at.save(form, { title: 'New' })
  assert.deepEqual([refused.status, refused.body.isElsewhere], [409, true])
})

test('a link that leads nowhere saves nothing, and answers as any other address that does not exist', async t => {
  const at = await start(t)
  const { id, own } = await at.beginOne()
  const form = await at.openForm(own)
  await at.db.write(at.accountId, tx => tx.run('DELETE FROM submissions WHERE id = $1', [id]))
  const body = bodyOf(form)
  const headers = { 'sec-fetch-site': 'same-origin' }
  const answer = await fetch(`${at.app.siteUrl}${own}/edit/save`, { method: 'POST', headers, body })
  assert.equal(answer.status, 404)
})

test('authors behind one address who save more often than it may ask for pages are all answered, and so are their pages', async t => {
  const at = await start(t)
  const drafts = await Promise.all(
    Array.from({ length: 160 }, (_, n) => at.beginOne({ email: `author-${n}@example.org` })),
  )
  const form = await at.openForm((drafts[0] as { own: string }).own)
  const body = bodyOf(form)
  const statuses = new Set<number>()
  // Each script saves every seven seconds at most.
  for (let round = 0; round < 8; round++) {
    for (const { own } of drafts) {
      body.set('title', `Round ${round}`)
      body.set('draft.revision', String(round + 1))
      const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '192.0.2.9' }
      const answer = await fetch(`${at.app.siteUrl}${own}/edit/save`, { method: 'POST', headers, body })
      await answer.body?.cancel()
      statuses.add(answer.status)
    }
  }
  assert.deepEqual([...statuses], [200])
  const page = await at.visitor().open(`${drafts[0]?.own}/edit`, { 'x-forwarded-for': '192.0.2.9' })
  assert.equal(page.status, 200)
})

test('only the pages that authors write in run a script, which is their own, is 4 KiB compressed at most, and has none in it', async t => {
  const at = await start(t, { file: 'optional' })
  const { id, own } = await at.beginOne()
  const pages = [`${at.path}abstracts`, `${at.path}abstracts/new`, `${own}/edit`]
  const script = assets.find(({ path }) => path.startsWith('/writing.'))?.path
  for (const path of pages) {
    const { document, headers } = await at.visitor().open(path)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none';.*; script-src 'self'; connect-src 'self'$/, path)
    const scripts = [...document.querySelectorAll('script')]
    assert.deepEqual(
      scripts.map(each => [each.getAttribute('src'), each.textContent]),
      [[`/assets${script}`, '']],
    )
    assert.doesNotMatch(document.documentElement.outerHTML, / on\w+="/)
  }
  await send(at, id)
  for (const path of [own, `${own}/withdraw`, `${at.path}abstracts/link`, at.path]) {
    const { headers, html } = await at.visitor().open(path)
    assert.doesNotMatch(String(headers['content-security-policy']), /script-src|connect-src/, path)
    assert.doesNotMatch(html, /<script(?! type="application\/ld\+json")/, path)
  }
  const { bytes } = await at.visitor().download(`/assets${script}`)
  const { length } = gzipSync(bytes, { level: 9 })
  assert.ok(length > 0 && length <= 4096, `${length} bytes`)
})

test('a refused form does not save itself: what it shows is not what is saved', async t => {
  const at = await start(t)
  const { own } = await at.beginOne()
  const [one, other] = [await at.openForm(own), await at.openForm(own)]
  await one.fill({ Title: 'From one' }).press('Save')
  const refused = await other.fill({ Title: 'From the other' }).press('Save')
  assert.equal(refused.document.querySelector('[data-save]'), null)
  // One that lacks something is saved, and goes on.
  const lacking = await (await at.openForm(own)).press('Check and send…')
  assert.equal(lacking.status, 422)
  assert.notEqual(lacking.document.querySelector('[data-save]'), null)
})
