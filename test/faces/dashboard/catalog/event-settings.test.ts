import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as events from '#product/catalog/events/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'

const HOUR = 60 * 60 * 1000

const tabsOf = (page: ReadPage) => [...page.document.querySelectorAll('main .tabs a')]
const textsOf = (elements: readonly Element[]) => elements.map(each => each.textContent?.trim())
/** Returns the address of a link or a form, as the browser resolves it. */
const hrefOf = (page: ReadPage, name: string) =>
  [...page.document.querySelectorAll('a')]
    .find(each => each.textContent?.trim() === name)
    ?.getAttribute('href') ?? ''

test('the settings of an event are one entry with a tab for each topic, and each field stands in one of them', async t => {
  const { member, eventId } = await startDashboard(t)
  const owner = await member('owner')
  const general = await (await owner.open(`/manage/e/${eventId}`)).follow('Settings')
  assert.equal(general.path, `/manage/e/${eventId}/settings`)
  assert.equal(general.heading, 'Settings')
  const topics = {
    General: [
      'Name',
      'Link name',
      'Starts',
      'Time zone',
      'Currency',
      'Visibility',
      'Approve each',
      'Days to decide',
    ],
    Page: ['Description', 'Venue', 'City', 'Postal address', 'Online link', 'Contact e-mail'],
    Look: ['Colour'],
    Sale: [
      'Days to pay',
      'Names can be changed until',
      'Until',
      'Percent that goes back',
      'There is no right',
      'Terms',
    ],
    Waitlist: ['Hours that it is held'],
    Mails: ['Those who ordered here', 'Tell the authors'],
  }
  assert.deepEqual(textsOf(tabsOf(general)), Object.keys(topics))
  const names: string[] = []
  for (const [topic, labels] of Object.entries(topics)) {
    const [link] = tabsOf(general).filter(each => each.textContent?.trim() === topic)
    const tab = await owner.open(link?.getAttribute('href') ?? '')
    assert.match(tab.title, new RegExp(`^${topic} · Settings · `))
    assert.deepEqual(textsOf([...tab.document.querySelectorAll('main .tabs [aria-current]')]), [topic])
    const lit = tab.document.querySelector('.nav > .wide [aria-current]')
    assert.equal(lit?.textContent?.trim(), 'Settings', topic)
    for (const label of labels.filter(each => each !== 'Visibility')) assert.ok(tab.field(label).name, label)
    const controls = tab.document.querySelectorAll<HTMLInputElement>(
      'main form :is(input, textarea, select)[name]',
    )
    const own = [...controls].map(({ name }) => name).filter(name => !name.startsWith('was'))
    names.push(...new Set(own))
  }
  assert.equal(new Set(names).size, names.length, 'A field stands in two tabs.')
})

test('each tab saves its own fields alone, and stays where it is', async t => {
  const { member, accountId, eventId, db } = await startDashboard(t)
  const owner = await member('owner')
  const given: [string, Record<string, string>][] = [
    ['settings', { 'Link name': 'spring' }],
    ['settings/page', { City: 'Lugo' }],
    ['settings/sale', { 'Days to pay': '9' }],
    ['settings/waitlist', { 'Hours that it is held': '5' }],
    ['settings/mails', { Nobody: 'off' }],
  ]
  for (const [path, values] of given) {
    const saved = await (await owner.open(`/manage/e/${eventId}/${path}`)).fill(values).press('Save')
    assert.deepEqual(saved.messages, ['“Spring Meeting” is saved.'], path)
    assert.equal(saved.path, `/manage/e/${eventId}/${path}`)
  }
  const event = await db.read(accountId, tx => events.getDetails(tx, eventId))
  const { slug, city, payment_days, waitlist_hours, reminder, starts_at } = event
  assert.deepEqual([slug, city, payment_days, waitlist_hours, reminder], ['spring', 'Lugo', 9, 5, 'off'])
  assert.notEqual(starts_at, null, 'what stands in another tab stays')
})

test('of two who change one tab at once, neither undoes what the other has changed alone', async t => {
  const { member, eventId } = await startDashboard(t)
  const [owner, manager] = [await member('owner'), await member('manager')]
  for (const [path, mine, theirs] of [
    ['settings/sale', { 'Days to pay': '3', Terms: 'Mine' }, { 'Days to pay': '4' }],
    ['settings/page', { City: 'Mine', 'Online link': 'https://a.example/' }, { City: 'Theirs' }],
  ] as [string, Record<string, string>, Record<string, string>][]) {
    const address = `/manage/e/${eventId}/${path}`
    const [first, second] = [await owner.open(address), await manager.open(address)]
    await second.fill(theirs).press('Save')
    const conflict = await first.fill(mine).press('Save')
    assert.equal(conflict.status, 409, path)
    assert.match(conflict.text, /Somebody changed this to “(4|Theirs)”/)
    assert.match((await conflict.press('Save')).messages.join(), /is saved/)
  }
})

test('an address from before leads to the tab that has its fields, with its query, for those who may see it', async t => {
  const { member, visitor, eventId } = await startDashboard(t)
  const owner = await member('owner')
  const at = `/manage/e/${eventId}`
  for (const [from, to] of [
    ['page', 'settings/page'],
    ['page?x=1&y=a%20b', 'settings/page?x=1&y=a+b'],
    ['page/picture', 'settings/page/picture'],
    ['settings/preview', 'settings/page'],
    // A query that is longer than a browser reads in a header is left out.
    [`page?x=${'%F0%9F%98%80'.repeat(170)}`, 'settings/page'],
  ])
    assert.equal((await owner.open(`${at}/${from}`)).path, `${at}/${to}`)
  const finance = await member('finance')
  for (const path of ['page', 'page/picture', 'settings', 'settings/sale', 'settings/mails'])
    assert.equal((await finance.open(`${at}/${path}`)).status, 403, path)
  assert.equal((await visitor().open(`${at}/page`)).heading, 'Sign in')
})

test('what a draft lacks is linked to its field, and saving it there leads back to the list', async t => {
  const file = organization({ event: { status: 'draft', starts_at: null, ends_at: null } })
  const { member, accountId, eventId } = await startDashboard(t, file)
  const owner = await member('owner')
  const overview = `/manage/e/${eventId}`
  const back = `?back=${encodeURIComponent(overview)}`
  const page = await owner.open(overview)
  const settings = `/manage/a/${accountId}/settings`
  assert.equal(hrefOf(page, 'Set the date'), `${overview}/settings${back}#starts_at`)
  assert.equal(hrefOf(page, 'Choose a link name'), `${settings}${back}#slug`)
  assert.equal(hrefOf(page, 'Add your legal details'), `${settings}/legal${back}#legal_name`)
  for (const name of ['Set the date', 'Choose a link name', 'Add your legal details']) {
    const field = hrefOf(page, name).split('#')[1]
    const form = await page.follow(name)
    assert.ok(form.document.getElementById(`${field}`) !== null, field)
    assert.equal(hrefOf(form, 'Back'), overview)
  }
  const date = await page.follow('Set the date')
  const refused = await date.fill({ Starts: '2026-11-20T10:00', Name: '' }).press('Save')
  assert.equal(refused.status, 422)
  const done = await refused.fill({ Name: 'Autumn' }).press('Save')
  assert.equal(done.path, overview)
  assert.deepEqual(done.messages, ['“Autumn” is saved.'])
  const named = await (await done.follow('Choose a link name')).fill({ 'Link name': 'ada' }).press('Save')
  assert.equal(named.path, overview)
  assert.doesNotMatch(named.text, /Choose a link name/)
})

test('a way to pay that a draft lacks is set up from its list, and saving it leads back there', async t => {
  const { member, eventId } = await startDashboard(t, organization({ event: { status: 'draft' } }))
  const owner = await member('owner')
  const overview = `/manage/e/${eventId}`
  const bank = await (await owner.open(overview)).follow('Add a bank account')
  assert.equal(hrefOf(bank, 'Back'), overview)
  assert.notEqual(hrefOf(bank, 'Payments'), overview, 'The way up stays what it says.')
  const refused = await bank.fill({ 'Account holder': 'Ada SL' }).press('Save')
  assert.ok(refused.status >= 400, 'A bank account without a number is none.')
  assert.equal(refused.field('IBAN or account number').getAttribute('aria-invalid'), 'true')
  assert.equal(hrefOf(refused, 'Back'), overview)
  const saved = await refused.fill({ 'IBAN or account number': 'DE89370400440532013000' }).press('Save')
  assert.equal(saved.path, overview)
})

test('the rules of the sale say which ways to pay the organization has set up', async t => {
  const { member, eventId, accountId } = await startDashboard(t, organization({ event: { status: 'draft' } }))
  const owner = await member('owner')
  const sale = `/manage/e/${eventId}/settings/sale`
  assert.match((await owner.open(sale)).text, /Your organization has set up no way yet/)
  const bank = await owner.open(`/manage/a/${accountId}/payments/bank`)
  await bank
    .fill({ 'Account holder': 'Ada SL', 'IBAN or account number': 'DE89370400440532013000' })
    .press('Save')
  const page = await owner.open(sale)
  assert.match(page.text, /Set up for your organization: Bank transfer\./)
  assert.doesNotMatch(page.text, /no way yet/)
})

test('a way back leads nowhere but to the dashboard', async t => {
  const { member, eventId } = await startDashboard(t)
  const owner = await member('owner')
  const path = `/manage/e/${eventId}/settings`
  for (const [at, back] of [
    'https://evil.example/manage',
    '//evil.example/manage/',
    '/\\evil.example',
    '/manage\\evil.example',
    '/managed',
    '/manage/../evil',
    '/manage/%2e%2e/evil',
    '/manage/.%2E/evil',
    '/',
    'javascript:alert(1)',
    '/manage/\n//evil.example',
    '/manage/#//evil.example',
    `/manage/${'a'.repeat(600)}`,
    '',
  ].entries()) {
    const form = await owner.open(`${path}?back=${encodeURIComponent(back)}`)
    assert.equal(hrefOf(form, 'Back'), `/manage/e/${eventId}`, back)
    assert.equal(form.document.querySelector('main form')?.getAttribute('action'), path, back)
    const saved = await form.fill({ 'Days to decide': `${at + 1}` }).press('Save')
    assert.equal(saved.path, path, back)
  }
})

test('a preview, and a sign-in in the middle, keep the way back and what was typed', async t => {
  const { member, visitor, accountId, eventId, db, clock } = await startDashboard(t)
  const owner = await member('owner')
  const overview = `/manage/e/${eventId}`
  const path = `${overview}/settings/page?back=${encodeURIComponent(overview)}`
  const form = await owner.open(path)
  const shown = await form.fill({ Description: '**Bring** a mug.', City: 'Lugo' }).press('Preview')
  assert.equal(shown.document.querySelector('.beside #preview')?.tagName, 'H2')
  assert.equal(shown.field('City').value, 'Lugo')
  assert.equal(hrefOf(shown, 'Back'), overview)
  clock.advance(13 * HOUR)
  const signInPage = await shown.fill({ City: 'Vigo' }).press('Save')
  assert.equal(signInPage.status, 401)
  const again = await signInPage
    .fill({ 'E-mail': 'owner@example.org', Password: 'correct horse battery' })
    .press('Sign in')
  assert.equal(again.field('City').value, 'Vigo')
  assert.equal(again.field('Description').value, '**Bring** a mug.')
  const before = await db.read(accountId, tx => events.getDetails(tx, eventId))
  assert.notEqual(before.city, 'Vigo', 'a sign-in carries nothing out')
  assert.equal((await again.press('Save')).path, overview)
  const { city, description } = await db.read(accountId, tx => events.getDetails(tx, eventId))
  assert.deepEqual([city, description], ['Vigo', '**Bring** a mug.'])
  assert.equal((await visitor().open(path)).heading, 'Sign in')
})

test('before a link name stands the address that it belongs to', async t => {
  const { member, accountId, eventId } = await startDashboard(t)
  const owner = await member('owner')
  const before = async () => {
    const page = await owner.open(`/manage/e/${eventId}/settings`)
    const field = page.field('Link name')
    const [id] = (field.getAttribute('aria-describedby') ?? '').split(' ')
    return page.document.getElementById(`${id}`)?.textContent ?? ''
  }
  assert.match(await before(), /^https?:\/\/[^/]+\/…\/$/)
  const account = await owner.open(`/manage/a/${accountId}/settings`)
  await account.fill({ 'Link name': 'ada' }).press('Save')
  assert.match(await before(), /^https?:\/\/[^/]+\/ada\/$/)
})

test('a browser may keep what is typed into settings, and no form with data of guests', async t => {
  const { member, accountId, eventId } = await startDashboard(t)
  const owner = await member('owner')
  const offs = async (path: string) =>
    (await owner.open(`/manage${path}`)).document.querySelectorAll(
      'main form[method=post] [autocomplete=off]',
    ).length
  for (const topic of ['', '/page', '/sale', '/waitlist'])
    assert.equal(await offs(`/e/${eventId}/settings${topic}`), 0, topic)
  for (const path of [`/a/${accountId}/settings`, `/a/${accountId}/new-event`])
    assert.equal(await offs(path), 0)
  assert.ok((await offs(`/e/${eventId}/guests/new`)) > 0)
})
