import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { submissionUrl } from '#product/programme/submissions/links.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { dataOf, type ReadPage } from '#test/support/people/page-reader.ts'
import { startSale } from '#test/support/people/sale.ts'
import { askAuthors, begin, openCall } from '#test/support/submissions.ts'

async function start(t: TestContext) {
  const sale = await startSale(t, {}, { takes_abstracts: true })
  await openCall(sale)
  const { db, accountId, visitor, app } = sale
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const { submission, submitter } = await begin(sale)
  const own = submissionUrl({ baseUrl: '', secret: row?.cursor_secret as string }, submitter, submission)
  const openForm = () => visitor().open(`${own}/edit`)
  /** Sends a form as its script does. */
  const save = async ({ document }: ReadPage, changes: Record<string, string> = {}) => {
    const form = document.querySelector('form.form') as HTMLFormElement
    const body = new URLSearchParams([...dataOf(form)].map(([name, value]) => [name, String(value)]))
    for (const [name, value] of Object.entries(changes)) body.set(name, value)
    const headers = { 'sec-fetch-site': 'same-origin' }
    const answer = await fetch(`${app.siteUrl}${own}/edit/save`, { method: 'POST', headers, body })
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }
  const readDraft = async () =>
    (await db.read(accountId, tx => submissions.get(tx, submission.id))).submission.draft?.typed ?? {}
  return { ...sale, own, openForm, save, readDraft }
}

function fillWhole(page: ReadPage): ReadPage {
  const given = page.document.getElementById('author.0.given') as HTMLInputElement
  given.value = 'Lin'
  const [radio] = page.document.getElementsByName('presenter')
  ;(radio as HTMLInputElement).checked = true
  const person = { 'Your name': 'Lin Mei', 'Language of the text': 'en' }
  return page.fill({ ...person, Title: 'On rooms', Text: 'They fill.', 'Affiliation 1': 'Institute' })
}

test('authors are asked beside the text, told who reads what, and send nothing before they have answered', async t => {
  const at = await start(t)
  const label = 'Do you compete for the award?'
  await askAuthors(at, { label, help: 'Of this year.', required: true, for_reviewers: true })
  await askAuthors(at, { key: 'funding', label: 'Who pays?', kind: 'long_text' })
  const form = await at.openForm()
  assert.match(
    form.text,
    /Questions of the organizer.*Of this year\. Reviewers see your answer\..*Who pays\?/,
  )
  const saved = await fillWhole(form).fill({ 'Who pays?': 'The <institute>' }).press('Save')
  const lacking = await saved.press('Check and send…')
  assert.equal(lacking.status, 422)
  assert.match(lacking.messages[0] as string, /Do you compete for the award\?: Choose an answer/)
  assert.equal(lacking.field('Who pays?').value, 'The <institute>')
  const check = await lacking.fill({ Yes: true }).press('Check and send…')
  assert.equal(check.heading, 'Is this right?', check.messages.join())
  assert.match(check.text, /Do you compete for the award\?\s*Yes.*The <institute>/)
  const sent = await check.press('Send it')
  assert.match(sent.text, /Do you compete for the award\?\s*Yes.*The <institute>/)
})

test('a form that was opened before a question was added saves nothing by itself, which would empty the answer', async t => {
  const at = await start(t)
  const old = await at.openForm()
  const { id } = await askAuthors(at, { kind: 'several_of', choices: ['Talk', 'Poster'] })
  const answered = await at.save(await at.openForm(), { [`answer.${id}`]: 'Poster' })
  assert.equal(answered.status, 200)
  const { status, body } = await at.save(old, { 'draft.revision': String(answered.body.revision) })
  assert.deepEqual([status, body.isElsewhere], [409, true])
  assert.deepEqual((await at.readDraft())[`answer.${id}`], ['Poster'])
})

test('before it is sent to a blind review, a name in the text is warned of, and stops nobody', async t => {
  const at = await start(t)
  const check = await fillWhole(await at.openForm())
    .fill({ 'Family name': 'Lovelace', Text: 'As Lovelace said.' })
    .press('Check and send…')
  assert.equal(check.heading, 'Is this right?')
  assert.match(check.text, /reviewers are not to know.*This one says: Lovelace\./)
  const sent = await check.press('Send it')
  assert.equal(sent.heading, 'Your abstract has arrived')
  const again = (await sent.follow('Change something')).fill({ Text: 'As we said.' })
  assert.doesNotMatch((await again.press('Check and send…')).text, /reviewers are not to know/)
})
