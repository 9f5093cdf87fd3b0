import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { startServer } from '#test/support/server.ts'

after(closeBrowser)

async function startReference(t: TestContext) {
  return `${(await startServer(t)).app.url}/reference`
}

async function open(t: TestContext, url: string) {
  const watched = await openPage(t, url, { permissions: ['clipboard-read'] })
  watched.page.setDefaultTimeout(30_000)
  return watched
}

const read = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()')

test('every command and example has a button that copies exactly its text', async t => {
  const url = await startReference(t)
  const { page, messages, requests } = await open(t, url)
  const texts = await page.locator('pre').allTextContents()
  assert.ok(texts.length > 50)
  const copied: string[] = await page.evaluate('copyAll("button.copy")')
  assert.deepEqual(
    copied,
    texts.map(text => `Copied: ${text.replace(/\n$/, '')}`),
  )
  assert.deepEqual([messages, new Set(requests)], [[], new Set([url])])
})

test('a command is copied with the address that the page was read from', async t => {
  const other = (await startReference(t)).replace('127.0.0.1', 'localhost')
  const { page } = await open(t, other)
  await page.locator('#listEvents button.copy').first().click()
  await page.locator('#listEvents').getByText('Copied').waitFor()
  assert.ok((await read(page)).endsWith(` '${other.replace('/reference', '/events')}'`))
})

test('that something was copied is shown and said, and no longer than a moment', async t => {
  const url = await startReference(t)
  const { page } = await open(t, url)
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1_000)
  const button = page.locator('#listEvents button.copy').first()
  const status = page.locator('body > [role=status]')
  assert.equal(await status.textContent(), '')
  await button.press('Enter')
  await button.and(page.getByText('Copied')).waitFor()
  assert.equal(await status.textContent(), 'Copied')
  await page.clock.runFor(1_900)
  assert.equal(await button.innerText(), 'Copied')
  await button.click()
  await read(page)
  await page.clock.runFor(1_900)
  assert.equal(await button.innerText(), 'Copied')
  await page.clock.runFor(200)
  assert.deepEqual([await button.innerText(), await status.textContent()], ['Copy', ''])
})

test('over plain http, where pages may not write to the clipboard, copying works all the same', async t => {
  const url = await startReference(t)
  const { page, messages } = await open(t, url)
  const lan = 'http://turnout.lan/v1/reference'
  await page.route(lan, async route => route.fulfill({ response: await route.fetch({ url }) }))
  await page.goto(lan)
  assert.equal(await page.evaluate('typeof navigator.clipboard'), 'undefined')
  for (const [at, command] of (await page.locator('#createRegistration pre').allInnerTexts()).entries()) {
    await page.goto(lan)
    const button = page.locator('#createRegistration button.copy').nth(at)
    await button.click()
    await button.and(page.getByText('Copied')).waitFor()
    await page.goto(url)
    assert.equal(await read(page), command)
  }
  // Such a page has no use for this header; the policy of the content does not name it.
  assert.deepEqual(
    messages.filter(message => !message.includes('Cross-Origin-Opener-Policy')),
    [],
  )
})

test('if copying is not allowed, the text is selected and the page does not claim that it was copied', async t => {
  const { page } = await open(t, await startReference(t))
  await page.evaluate(
    'navigator.clipboard.writeText = () => Promise.reject(new Error()); document.execCommand = () => false',
  )
  const button = page.locator('#listEvents button.copy').first()
  await button.click()
  await button.and(page.getByText('Selected')).waitFor()
  assert.equal(
    await page.evaluate('String(getSelection())'),
    await page.locator('#listEvents pre').first().innerText(),
  )
  assert.doesNotMatch(await page.locator('body > [role=status]').innerText(), /Copied/)
})

test('text that a person selects and copies has no label of a button in it', async t => {
  const { page } = await open(t, await startReference(t))
  await page.evaluate('getSelection().selectAllChildren(document.querySelector("#createRegistration"))')
  assert.doesNotMatch(await page.evaluate('String(getSelection())'), /^Copy$/m)
})
