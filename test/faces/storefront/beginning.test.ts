import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import { readLinkSecret } from '#machinery/web/link-secret.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { renewLink } from '#product/programme/submissions/submitters.ts'
import { dataOf } from '#test/support/people/page-reader.ts'
import { begin } from '#test/support/submissions.ts'
import { fillWhole, startSubmitting, whole } from '#test/support/submitting.ts'

test('who goes back to the first form and writes on loses nothing: it is kept, or shown beside what was saved since', async t => {
  const at = await startSubmitting(t)
  const form = fillWhole((await at.openForm()).fill(whole))
  const edit = await form.press('Save')
  const back = await form.fill({ Title: 'On rooms and doors' }).press('Save')
  assert.equal(back.path, edit.path)
  assert.equal(back.field('Title').value, 'On rooms and doors')
  await back.fill({ Text: 'They fill quickly.' }).press('Save')
  const asked = await form.fill({ Title: 'On doors' }).press('Save')
  assert.equal(asked.status, 409)
  assert.match(asked.text, /They fill quickly\./)
  assert.equal(asked.field('Title').value, 'On doors')
  assert.equal(asked.field('Text').value, 'They fill.')
  const saved = await asked.press('Save')
  assert.deepEqual([saved.status, saved.path, saved.field('Title').value], [200, edit.path, 'On doors'])
  assert.equal((await at.visitor().open(edit.path)).field('Text').value, 'They fill.')
})

test('who goes back to the first form to correct the e-mail begins anew under it', async t => {
  const at = await startSubmitting(t)
  const form = fillWhole((await at.openForm()).fill({ ...whole, 'Your e-mail': 'lim@example.org' }))
  const wrong = await form.press('Save')
  const right = await form.fill(whole).press('Save')
  assert.notEqual(right.path, wrong.path)
  assert.match(right.text, /Mails go to lin@example\.org/)
})

test('once a link was renewed, the form that has begun an abstract does not lead there either', async t => {
  const at = await startSubmitting(t)
  const form = fillWhole((await at.openForm()).fill(whole))
  const edit = await form.press('Save')
  const { submitter } = await begin(at)
  await at.db.write(at.accountId, tx => renewLink(tx, submitter.id))
  const again = await form.press('Save')
  assert.equal((await at.visitor().open(edit.path)).status, 404)
  const of = (path: string) => readLinkSecret(at.server.secret, 'submission', path.split('/')[2] as string)
  assert.notEqual(of(again.path)?.id, of(edit.path)?.id)
})

test('whoever has the mailed link begins another abstract with one click, known to be theirs', async t => {
  const at = await startSubmitting(t)
  const { all } = await at.beginOne()
  const page = await at.visitor().open(all)
  const [one, other] = [
    await page.press('Begin another abstract'),
    await page.press('Begin another abstract'),
  ]
  assert.equal(one.path, other.path, 'a second click begins nothing more')
  assert.equal(one.field('Your name').value, 'Lin Mei')
  const saved = await one.fill({ Title: 'On doors' }).press('Save')
  assert.match(saved.text, /Saved at/)
  const after = await at.visitor().open(all)
  assert.match(after.text, /On rooms/)
  assert.match(after.text, /On doors/)
  at.clock.advance(15 * DAY)
  const over = await page.press('Begin another abstract')
  assert.doesNotMatch(over.text, /Begin another abstract/)
})

test('what strangers begin under an e-mail leaves its owner the way by the mailed link, which the form says in words', async t => {
  for (const [language, said, save] of [
    ['en', /your e-mail is confirmed first\. A link is on its way/, 'Save'],
    ['es', /hay que confirmar tu correo\. Te llegará un enlace/, 'Guardar'],
  ] as const) {
    const at = await startSubmitting(t)
    for (let times = 0; times < submissions.MOST_OF_PERSON; times++) await begin(at)
    const { all } = await at.beginOne({ email: 'else@example.org' })
    at.clock.advance(2 * HOUR)
    const form = await at.openForm(language)
    for (const [name, value] of [
      ['contact.name', 'Lin Mei'],
      ['contact.email', 'lin@example.org'],
      ['title', 'Kept'],
    ] as const) {
      const input = form.document.getElementById(name) as HTMLInputElement
      input.value = value
    }
    const mails = (await at.mails()).length
    const refused = await form.press(save)
    assert.equal(refused.status, 409)
    assert.match(refused.text, said)
    assert.equal((refused.document.getElementById('title') as HTMLInputElement).value, 'Kept')
    assert.equal((await at.mails()).length, mails + 1)
    assert.equal((await (await at.visitor().open(all)).press('Begin another abstract')).status, 200)
  }
})

test('one address begins thirty abstracts a minute; what is more is refused in words, with all that was typed', async t => {
  const at = await startSubmitting(t, {}, { settings: { trustProxy: ['127.0.0.1'] } })
  const visitor = at.visitor()
  const page = fillWhole((await at.openForm()).fill(whole))
  const [form] = page.document.getElementsByTagName('form')
  const typed = Object.fromEntries(dataOf(form as HTMLFormElement)) as Record<string, string>
  const post = (address: string, n: number, more: Record<string, string> = {}) => {
    const fields = { ...typed, 'form.id': randomUUID(), 'contact.email': `n${n}@example.org`, ...more }
    return visitor.post(`${at.path}abstracts/new`, fields, { 'x-forwarded-for': address })
  }
  for (let n = 0; n < 30; n++) assert.equal((await post('192.0.2.1', n)).status, 200)
  const much = await post('192.0.2.1', 30)
  assert.equal(much.status, 429)
  assert.match(much.text, /too much in a short time/)
  assert.equal(much.field('Title').value, 'On rooms')
  assert.equal((await post('192.0.2.2', 31)).status, 200)
  at.clock.advance(MINUTE)
  assert.equal((await post('192.0.2.1', 32)).status, 200)
})
