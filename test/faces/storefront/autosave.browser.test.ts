import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { DAY, MINUTE } from '#base/time.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { pdfOf } from '#test/support/files.ts'
import { otherBrowsers, walkInOne } from '#test/support/other-browsers.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { askAuthors } from '#test/support/submissions.ts'
import { startWithDraft } from '#test/support/submitted-files.ts'
import { eventually } from '#test/support/webhooks.ts'

after(closeBrowser)

const FAILING = /It cannot be saved just now/

async function start(t: TestContext, changes: Parameters<typeof startWithDraft>[1] = {}) {
  const at = await startWithDraft(t, changes)
  /** Opens a page as a person does, whose time a test may put forward. */
  const openTab = async (path = `${at.own}/edit`, options: BrowserContextOptions = {}) => {
    const { page, messages } = await openPage(t, 'about:blank', options)
    await page.clock.install()
    await page.goto(at.app.siteUrl + path)
    return { page, messages, title: page.getByLabel('Title'), text: page.getByLabel('Text', { exact: true }) }
  }
  const typed = async () => (await at.read()).submission.draft?.typed ?? {}
  /** Waits until that is saved. */
  const saved = (name: string, value: string) =>
    eventually(`${name} is saved as ${value}`, async () => (await typed())[name]?.[0] === value)
  return { ...at, openTab, typed, saved }
}

/** Returns the element that has the focus. */
const focusOf = (page: Page) => page.evaluate<string>('document.activeElement.id')

test('what was typed is there after the tab was killed, closed, or left alone for a quarter of a minute', async t => {
  const at = await start(t)
  const first = await at.openTab()
  await first.title.fill('Killed')
  await first.title.press('Tab')
  await at.saved('title', 'Killed')
  await first.page.goto('chrome://crash').catch(() => undefined)
  const second = await at.openTab()
  assert.equal(await second.title.inputValue(), 'Killed')
  await second.text.fill('Written, and the tab is closed at once.')
  await second.page.close({ runBeforeUnload: true })
  await at.saved('text', 'Written, and the tab is closed at once.')
  const third = await at.openTab()
  assert.equal(await third.text.inputValue(), 'Written, and the tab is closed at once.')
  await third.text.fill('Left alone.')
  await third.page.clock.fastForward(15_000)
  await at.saved('text', 'Left alone.')
  await third.page.getByText(/^Saved at \d\d:\d\d, and not sent yet\.$/).waitFor()
  assert.deepEqual([...first.messages, ...second.messages, ...third.messages], [])
})

test('nothing is sent while nothing has changed', async t => {
  const at = await start(t)
  const { page, title } = await at.openTab()
  let posts = 0
  page.on('request', request => {
    if (request.method() === 'POST') posts++
  })
  await title.focus()
  await title.press('Tab')
  await page.clock.fastForward(60_000)
  await title.click()
  await page.clock.fastForward(1_000)
  await title.pressSequentially('x')
  await title.press('Backspace')
  await page.clock.fastForward(60_000)
  assert.equal(posts, 0)
  await title.fill('Changed')
  await page.clock.fastForward(15_000)
  await at.saved('title', 'Changed')
  await page.clock.fastForward(60_000)
  assert.equal(posts, 1)
})

test('two tabs merge: what one has changed comes to the other, and of what both have changed a person chooses', async t => {
  const at = await start(t)
  const [one, other] = [await at.openTab(), await at.openTab()]
  await one.title.fill('From one')
  await one.page.clock.fastForward(15_000)
  await at.saved('title', 'From one')
  await other.text.fill('From the other')
  await other.page.clock.fastForward(15_000)
  await at.saved('text', 'From the other')
  assert.equal(await other.title.inputValue(), 'From one')
  assert.deepEqual((await at.typed()).title, ['From one'])
  await one.title.fill('Title of one')
  await one.page.clock.fastForward(15_000)
  await at.saved('title', 'Title of one')
  assert.equal(await one.text.inputValue(), 'From the other')
  await other.title.fill('Title of the other')
  await other.text.fill('Two more words')
  await other.page.clock.fastForward(15_000)
  await other.page.getByText('Elsewhere it says: Title of one').waitFor()
  assert.equal(await focusOf(other.page), 'text')
  assert.equal(await other.title.inputValue(), 'Title of the other')
  await other.page
    .getByRole('status')
    .getByText(/Choose between the two/)
    .waitFor()
  // The rest is saved meanwhile, and nothing is lost of either.
  await at.saved('text', 'Two more words')
  assert.deepEqual((await at.typed()).title, ['Title of one'])
  assert.deepEqual(await faultsOf(other.page, 'asked'), [])
  if (process.env.SHOTS !== undefined)
    await other.page.screenshot({ path: `${process.env.SHOTS}/asked.png`, fullPage: true })
  // A failure in between is told, and then it asks on.
  await other.page.context().setOffline(true)
  await other.text.fill('Three more words')
  await other.page.clock.fastForward(15_000)
  await other.page.getByRole('status').getByText(FAILING).waitFor()
  await other.page.context().setOffline(false)
  await at.saved('text', 'Three more words')
  await other.page
    .getByRole('status')
    .getByText(/Choose between the two/)
    .waitFor()
  await other.page.getByRole('button', { name: 'Keep what is here' }).click()
  await at.saved('title', 'Title of the other')
  assert.equal(await other.page.getByText('Elsewhere it says').count(), 0)
  await one.title.fill('Another of one')
  await one.page.clock.fastForward(15_000)
  await one.page.getByRole('button', { name: 'Take that instead' }).click()
  assert.equal(await one.title.inputValue(), 'Title of the other')
  assert.deepEqual(
    [...one.messages, ...other.messages].filter(each => !/409|ERR_INTERNET_DISCONNECTED/.test(each)),
    [],
  )
})

test('rows of authors come from another tab as a whole, and their buttons work on in both', async t => {
  const at = await start(t)
  const [one, other] = [await at.openTab(), await at.openTab()]
  await one.page.getByLabel('Family name: Author 1').fill('Mei')
  await one.page.getByRole('button', { name: 'Add an author' }).click()
  await one.page.getByLabel('Family name: Author 2').fill('Aristotle')
  await one.page.getByRole('button', { name: 'Move up: Author 2' }).click()
  await one.page.getByLabel('Affiliation 1').fill('Lyceum')
  await one.page.clock.fastForward(15_000)
  await at.saved('affiliation.0', 'Lyceum')
  await other.title.fill('Typed meanwhile')
  await other.page.clock.fastForward(15_000)
  await at.saved('title', 'Typed meanwhile')
  const families = (page: Page) =>
    page.getByLabel(/^Family name/).evaluateAll(all => all.map(each => (each as HTMLInputElement).value))
  assert.deepEqual(await families(other.page), ['Aristotle', 'Mei'])
  await other.page.getByRole('button', { name: 'Remove: Author 1' }).click()
  await other.page.getByLabel('Family name: Author 2').waitFor({ state: 'detached' })
  assert.deepEqual(await families(other.page), ['Mei'])
  // Both have changed them now: one is asked about all of them at once.
  await one.page.getByLabel('Given names: Author 1').fill('Lin')
  await one.page.clock.fastForward(15_000)
  await one.page.getByText(/^Elsewhere it says: Lyceum, Mei/).waitFor()
  assert.deepEqual(await families(one.page), ['Aristotle', 'Mei'])
  await one.page.getByRole('button', { name: 'Take that instead' }).click()
  assert.deepEqual(await families(one.page), ['Mei'])
  assert.deepEqual((await at.typed())['author.0.family'], ['Mei'])
})

test('without a network the form says so, keeps what is typed and tries on, and is saved once it is back', async t => {
  const at = await start(t)
  const { page, title, text } = await at.openTab()
  await page.context().setOffline(true)
  await title.fill('Written in a tunnel')
  await text.focus()
  await page.getByRole('status').getByText(FAILING).waitFor()
  assert.equal(await focusOf(page), 'text')
  await text.fill('And more of it')
  // A file would take the page away.
  await page
    .getByLabel('Choose a PDF')
    .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: pdfOf(1_000) })
  for (const name of ['Attach the file', 'Save', 'Add an author'])
    await page.getByRole('button', { name, exact: true }).last().click()
  assert.equal(await text.inputValue(), 'And more of it')
  await page.context().setOffline(false)
  await at.saved('text', 'And more of it')
  await page
    .getByRole('status')
    .getByText(/^Saved at/)
    .waitFor()
  await page.getByText(FAILING).waitFor({ state: 'detached' })
  await at.saved('title', 'Written in a tunnel')
})

test('an answer that is lost on its way is no change of somebody else', async t => {
  const at = await start(t)
  const { page, title } = await at.openTab()
  let lost = 0
  await page.route('**/edit/save', async route => {
    if (lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await title.fill('Arrived')
  await page.clock.fastForward(15_000)
  await page.getByRole('status').getByText(FAILING).waitFor()
  await title.fill('Arrived, and more')
  await page.clock.fastForward(15_000)
  await at.saved('title', 'Arrived, and more')
  assert.equal(await page.getByText('Elsewhere it says').count(), 0)
})

test('a call that ends, and a link that is renewed, while the form is open: it says so, and what is typed stays on the page', async t => {
  const at = await start(t)
  const [late, gone] = [await at.openTab(), await at.openTab()]
  at.clock.advance(14 * DAY + 11 * MINUTE)
  await late.title.fill('Too late')
  await late.page.clock.fastForward(15_000)
  await late.page
    .getByRole('status')
    .getByText(/The call for abstracts is over/)
    .waitFor()
  assert.equal(await late.title.inputValue(), 'Too late')
  await at.db.write(at.accountId, tx =>
    tx.run('UPDATE submitters SET secret_version = 2 WHERE account_id = $1', [at.accountId]),
  )
  await gone.title.fill('Nowhere')
  await gone.page.clock.fastForward(15_000)
  await gone.page
    .getByRole('status')
    .getByText(/leads? nowhere|link was renewed/)
    .waitFor()
  assert.equal(await gone.title.inputValue(), 'Nowhere')
  assert.deepEqual((await at.typed()).title, ['On rooms'])
})

test('a text that is too long is refused in words, and one that no browser would send on leaving is asked about', async t => {
  const at = await start(t)
  const { page, text } = await at.openTab()
  const asked: string[] = []
  page.on('dialog', async dialog => {
    asked.push(dialog.type())
    await dialog.dismiss()
  })
  let posts = 0
  page.on('request', request => {
    if (request.method() === 'POST') posts++
  })
  await text.click()
  await text.fill('x'.repeat(70_000))
  await page.clock.fastForward(15_000)
  await page
    .getByRole('status')
    .getByText(/Shorten it/)
    .waitFor()
  // It is not sent again before it is another one.
  await page.clock.fastForward(120_000)
  assert.equal(posts, 1)
  await text.fill('x'.repeat(1_000))
  await page.clock.fastForward(15_000)
  await at.saved('text', 'x'.repeat(1_000))
  // In UTF-8 these are more than the 64 KiB that a browser sends for a page that is left.
  await text.fill('ж'.repeat(40_000))
  await page.getByRole('link', { name: 'Back', exact: true }).click({ noWaitAfter: true })
  await eventually('the page asks', () => asked.length > 0)
  assert.deepEqual(asked, ['beforeunload'])
  await page.clock.fastForward(15_000)
  await at.saved('text', 'ж'.repeat(40_000))
})

test('attaching a file keeps the text above it', async t => {
  const at = await start(t)
  const { page, text } = await at.openTab()
  await text.fill('Not saved yet')
  await page
    .getByLabel('Choose a PDF')
    .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: pdfOf(1_000) })
  await page.getByRole('button', { name: 'Attach the file' }).click()
  await page.getByRole('link', { name: 'a.pdf' }).waitFor()
  assert.equal(await text.inputValue(), 'Not saved yet')
  await text.fill('Nor this')
  await page.getByRole('button', { name: 'Remove the file' }).click()
  await page.getByText('It needs none.').waitFor()
  assert.equal(await text.inputValue(), 'Nor this')
})

test('the button Save works while the form saves itself', async t => {
  const at = await start(t)
  const { page, title } = await at.openTab()
  let release = () => {}
  const held = new Promise<void>(resolve => (release = resolve))
  await page.route('**/edit/save', async route => {
    await held
    await route.continue()
  })
  await title.fill('On its way')
  await page.clock.fastForward(15_000)
  await title.fill('On its way, and pressed')
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  release()
  await page.getByText(/^Saved at .* by the link in your mail/).waitFor()
  assert.equal(await title.inputValue(), 'On its way, and pressed')
})

test('a new abstract begins with Save alone, and its page asks before what was typed is lost', async t => {
  const at = await start(t)
  const { page, title } = await at.openTab(`${at.path}abstracts/new`)
  const asked: string[] = []
  page.on('dialog', async dialog => {
    asked.push(dialog.type())
    await dialog.dismiss()
  })
  await page.getByText(/^From the first Save on/).waitFor()
  await title.click()
  await title.pressSequentially('New')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Your e-mail').fill('ada@example.org')
  await page.clock.fastForward(60_000)
  await page.getByRole('link', { name: 'To the call for abstracts' }).click({ noWaitAfter: true })
  await eventually('the page asks', () => asked.length > 0)
  assert.deepEqual(asked, ['beforeunload'])
  at.clock.advance(MINUTE)
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await page.waitForURL(/\/edit$/)
  assert.equal(asked.length, 1)
  const rows = await at.db.read(at.accountId, tx =>
    tx.all('SELECT id FROM submissions WHERE account_id = $1', [at.accountId]),
  )
  assert.equal(rows.length, 2)
})

test('words are counted while they are typed, and the deadline is told in the time of the visitor where it differs', async t => {
  const at = await start(t)
  const { page, text } = await at.openTab(`${at.own}/edit`, { timezoneId: 'Asia/Tokyo' })
  await page.getByText('0 of at most 300 words so far.').waitFor()
  await text.pressSequentially('three little words')
  await page.getByText('3 of at most 300 words so far.').waitFor()
  await page.getByText(/^That is \d+ \w+ 2026, \d\d:\d\d in your time\.$/).waitFor()
  const same = await at.openTab(`${at.path}abstracts`, { timezoneId: 'Europe/Madrid' })
  assert.ok(await same.page.getByText('in your time').isHidden())
  const far = await at.openTab(`${at.path}abstracts`, { timezoneId: 'America/New_York' })
  await far.page.getByText('in your time').waitFor()
  if (process.env.SHOTS !== undefined) {
    await far.page.screenshot({ path: `${process.env.SHOTS}/own-time.png`, fullPage: true })
    await page.screenshot({ path: `${process.env.SHOTS}/edit.png`, fullPage: true })
  }
})

for (const [name, missing, open] of otherBrowsers) {
  const skip = missing ? `there is no ${name}` : false
  test(`in ${name} the form saves itself when its author goes on to another field, and when the page is left`, {
    skip,
    timeout: 120_000,
  }, async t => {
    await walkInOne(open, async browser => {
      const at = await start(t)
      await browser.open(`${at.app.siteUrl}${at.own}/edit`)
      await browser.type('#title', 'Gone on')
      await browser.type('#text', 'Left')
      await at.saved('title', 'Gone on')
      await browser.open(`${at.app.siteUrl}${at.path}`)
      await at.saved('text', 'Left')
    })
  })
}

test('answers come from another tab as a whole, ticks and choices too', async t => {
  const at = await start(t)
  const { id } = await askAuthors(at, { kind: 'several_of', choices: ['Talk', 'Poster'], required: true })
  const [one, other] = [await at.openTab(), await at.openTab()]
  await one.page.getByLabel('Poster').check()
  await one.page.clock.fastForward(15_000)
  await at.saved(`answer.${id}`, 'Poster')
  await other.title.fill('From the other')
  await other.page.clock.fastForward(15_000)
  await at.saved('title', 'From the other')
  assert.equal(await other.page.getByLabel('Poster').isChecked(), true)
  await other.page.getByLabel('Talk').check()
  await other.page.clock.fastForward(15_000)
  await at.saved(`answer.${id}`, 'Talk')
  await one.page.getByLabel('Poster').uncheck()
  await one.page.clock.fastForward(15_000)
  await one.page.getByText(/^Elsewhere it says:\s+Talk,\s+Poster/).waitFor()
})
