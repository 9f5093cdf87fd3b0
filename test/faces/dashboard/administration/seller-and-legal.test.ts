import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'

type Kind = 'imprint' | 'privacy' | 'terms'

async function start(t: TestContext, event: object = {}) {
  const server = await startDashboard(t, organization({ event }))
  const { db, accountId } = server
  const path = `/manage/a/${accountId}/settings/legal`
  const kept = () =>
    db.read(accountId, async tx => {
      const { imprint_url, privacy_url, terms_url } = await accounts.getDetails(tx)
      return { imprint_url, privacy_url, terms_url, ...(await accounts.getLegalTexts(tx)) }
    })
  return { ...server, path, kept }
}

const NONE = {
  ...{ imprint_url: null, privacy_url: null, terms_url: null },
  ...{ imprint_text: null, privacy_text: null, terms_text: null },
}

/** Chooses where a text stands by the radio button, as a person does. */
function choose(form: ReadPage, kind: Kind, place: 'link' | 'text'): ReadPage {
  const radio = form.document.querySelector<HTMLInputElement>(`[name=${kind}_from][value=${place}]`)
  assert.ok(radio)
  radio.checked = true
  return form
}

const chosen = ({ document }: ReadPage) =>
  ['imprint', 'privacy', 'terms'].map(
    kind => document.querySelector<HTMLInputElement>(`[name=${kind}_from]:checked`)?.value,
  )

test('who has no web site writes the imprint and the privacy notice here, and publishes a paid event', async t => {
  const { member, path, accountId, eventId, client, visitor, db } = await start(t, {
    status: 'draft',
    payment_ways: 'door',
  })
  await db.write(accountId, tx => accounts.update(tx, { slug: 'ada' }))
  const owner = await member('owner')
  await (await owner.open(`/manage/a/${accountId}/settings`)).fill({ 'Link name': 'ada' }).press('Save')
  const form = await owner.open(path)
  form.fill({ 'Legal name': 'Ada SL', 'Postal address': 'Gran Vía 1' })
  choose(choose(form, 'imprint', 'text'), 'privacy', 'text')
  const saved = await form.fill({ 'Text of the imprint': 'We are **Ada**.' }).press('Save')
  assert.match(
    saved.messages.join(),
    /settings are saved.*passages in brackets/,
    'the draft is not filled in',
  )
  const notice = saved.document.querySelector<HTMLTextAreaElement>('[name=privacy_text]')?.value ?? ''
  const filled = notice.replaceAll(/\[[^\]]+\]/g, 'a year')
  assert.notEqual(filled, notice)
  const finished = await saved.fill({ 'Text of the privacy notice': filled }).press('Save')
  assert.match(finished.messages.join(), /settings are saved/)
  assert.doesNotMatch(finished.messages.join(), /brackets/)
  assert.deepEqual(chosen(saved), ['text', 'text', 'link'])
  const seen = [...saved.document.querySelectorAll('main a[href^="/ada/"]')].map(link =>
    link.getAttribute('href'),
  )
  assert.deepEqual(seen, ['/ada/imprint.html', '/ada/privacy.html'])
  const overview = await owner.open(`/manage/e/${eventId}`)
  assert.match(overview.text, /That is all it needs/)
  await overview.press('Publish')
  assert.equal((await client.get(`/events/${eventId}`)).body.status, 'published')
  const page = await visitor().open('/ada/spring-meeting/')
  const imprint = await page.follow('Imprint')
  assert.deepEqual(
    [imprint.heading, imprint.document.querySelector('main strong')?.textContent],
    ['Imprint', 'Ada'],
  )
  assert.match((await imprint.follow('Privacy')).text, /This notice says what Ada Events keeps of you/)
})

test('the privacy notice begins as a draft of what is kept, in the language of whoever writes, and is kept only once it is chosen', async t => {
  const { member, path, kept, db, accountId } = await start(t)
  const owner = await member('owner')
  await db.write(accountId, tx => accounts.update(tx, { receipt_years: 7 }))
  const form = await owner.open(path)
  const draft = form.field('Text of the privacy notice').value
  for (const fact of [
    ...['Ada Events', 'ada@example.org', 'Receipts: 7 years', 'Orders that came to nothing: 30 days'],
    ...['Mails: 365 days', 'log of changes: 365 days', 'at most 90 days'],
  ])
    assert.ok(draft.includes(fact), fact)
  const spanish = await (await member('owner', { email: 'eva@example.org', language: 'es' })).open(path)
  assert.match(spanish.field('Texto de la política de privacidad').value, /Recibos: 7 años/)
  await form.fill({ 'Tax number': 'B1' }).press('Save')
  assert.deepEqual(await kept(), NONE)
  await choose(await owner.open(path), 'privacy', 'text').press('Save')
  assert.deepEqual(await kept(), { ...NONE, privacy_text: draft })
})

test('of a link and a text the chosen one is kept, and an empty one is none', async t => {
  const { member, path, kept } = await start(t)
  const owner = await member('owner')
  const save = async (values: Record<string, string>, places: Partial<Record<Kind, 'link' | 'text'>>) => {
    const form = await owner.open(path)
    for (const [kind, place] of Object.entries(places)) choose(form, kind as Kind, place)
    return form.fill(values).press('Save')
  }
  const terms = { 'Link to the terms': 'https://ada.example/t', 'Text of the terms': 'No dogs.' }
  await save(terms, { terms: 'text' })
  assert.deepEqual(await kept(), { ...NONE, terms_text: 'No dogs.' })
  const back = await save({ 'Link to the terms': 'https://ada.example/t' }, { terms: 'link' })
  assert.deepEqual(await kept(), { ...NONE, terms_url: 'https://ada.example/t' })
  assert.equal(back.field('Text of the terms').value, '')
  const wrong = await save({ 'Link to the terms': 'nowhere' }, {})
  assert.equal(wrong.status, 422)
  const empty = await save({ 'Text of the terms': ' ' }, { terms: 'text' })
  assert.deepEqual(await kept(), NONE)
  assert.deepEqual(chosen(empty), ['link', 'link', 'link'])
})

test('a preview shows the chosen texts as visitors will see them, keeps what is typed, and saves nothing', async t => {
  const { member, path, kept } = await start(t)
  const owner = await member('owner')
  const form = await owner.open(path)
  choose(choose(form, 'imprint', 'text'), 'terms', 'text')
  form.fill({
    'Legal name': 'Renamed',
    'Text of the imprint': '**Ada** <script>x</script>',
    'Text of the terms': 'No dogs.',
  })
  const preview = await form.press('Preview')
  assert.equal(preview.status, 200)
  assert.equal(preview.field('Legal name').value, 'Renamed')
  assert.deepEqual(
    [...preview.document.querySelectorAll('section .prose')].map(({ textContent }) => textContent?.trim()),
    ['Ada <script>x</script>', 'No dogs.'],
  )
  assert.equal(preview.document.querySelectorAll('main #preview').length, 1)
  assert.deepEqual(await kept(), NONE)
  await preview.press('Save')
  assert.equal((await kept()).terms_text, 'No dogs.')
  assert.equal((await owner.open(`${path}/preview`)).path, path)
})

test('who may not change the settings cannot preview them either, and the log names the texts without their content', async t => {
  const { member, path, db, accountId } = await start(t)
  const finance = await member('finance')
  assert.equal((await finance.send(`${path}/preview`, 'name=x', path)).status, 403)
  const owner = await member('owner')
  await choose(await owner.open(path), 'imprint', 'text')
    .fill({ 'Text of the imprint': 'We are Ada.' })
    .press('Save')
  const entries = await db.read(accountId, tx => accessLog.list(tx, 10))
  const entry = entries.find(({ action }) => action === 'account.update')
  assert.deepEqual(entry?.details, { changed: ['imprint_from', 'imprint_text'] })
  assert.match((await owner.open(`/manage/a/${accountId}/log`)).text, /text of the imprint/)
})
