import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { listEndpoints } from '#faces/api/description/reference/document.ts'
import { DEMO_EVENT, DEMO_FREE_TYPE, demoOrganization } from '#faces/cli/demo-organization.ts'
import { apiDocument } from '#test/support/api-document.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { startServer } from '#test/support/server.ts'

after(closeBrowser)

interface Contrast {
  faint: string[]
  count: number
  ground: string
}

const PHONE = { viewport: { width: 360, height: 740 } }

async function startReference(t: TestContext) {
  const server = await startServer(t)
  return { server, url: `${server.app.url}/reference` }
}

test('the page shows every operation, says nothing in the console and asks nothing of anybody', async t => {
  const { url } = await startReference(t)
  const { page, requests, messages } = await openPage(t, url)
  for (const { method, path, operation } of listEndpoints(apiDocument, apiDocument.paths)) {
    const article = page.locator(`article#${operation.operationId}`)
    assert.equal(await article.locator('h3').innerText(), operation.summary)
    assert.equal(await article.locator('.endpoint').innerText(), `${method} ${path}`)
    assert.ok(await article.locator('pre.sh').isVisible())
    await page.goto(`${url}#${operation.operationId}`)
    assert.ok(((await article.boundingBox())?.y ?? 900) < 900)
  }
  await page.evaluate('document.querySelectorAll("summary").forEach(summary => summary.click())')
  assert.deepEqual(messages, [])
  assert.deepEqual(new Set(requests), new Set([url]))
})

test('the page runs no script and loads nothing that is not its own', async t => {
  const { url, server } = await startReference(t)
  const { page, messages } = await openPage(t, url)
  await page.evaluate(`intrude('${server.app.url}/reference')`)
  await page.waitForFunction('document.images[0].complete')
  assert.equal(await page.title(), 'Turnout API reference')
  assert.ok(messages.some(message => /script-src/.test(message)))
  assert.ok(messages.some(message => /img-src/.test(message)))
  assert.equal(server.log.filter(({ route }) => route === '/reference').length, 1)
})

test('the page fits a phone without scrolling sideways, with everything unfolded', async t => {
  const { url } = await startReference(t)
  const { page, messages } = await openPage(t, url, PHONE)
  for (const width of [320, 360, 768, 960, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')
    assert.deepEqual(await page.evaluate('findOverflow()'), [`scrolls to ${width}`])
  }
  assert.deepEqual(messages, [])
})

test('text is readable in light and in dark', async t => {
  const { url } = await startReference(t)
  const grounds = []
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage(t, `${url}#createRegistration.buyer`, { colorScheme })
    await page.locator('li:target').waitFor({ timeout: 30_000 })
    const found: Contrast = await page.evaluate('measureContrast()')
    assert.deepEqual(found.faint, [], colorScheme)
    assert.ok(found.count > 1000)
    grounds.push(found.ground)
  }
  assert.equal(new Set(grounds).size, 2)
})

test('the keyboard reaches everything on a desktop', async t => {
  const { url } = await startReference(t)
  const { page } = await openPage(t, url)
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Skip to the content')
  await page.keyboard.press('Tab')
  assert.equal(await focused(page, 'id'), 'query')
  await page.keyboard.press('Tab')
  const links = await page.locator('nav a').allInnerTexts()
  for (const link of links) {
    assert.equal(await focused(page), link)
    await page.keyboard.press('Tab')
  }
  assert.equal(await focused(page), 'the description in OpenAPI 3.1')
  const rest = await page.locator('main a, main summary, main button').filter({ visible: true }).count()
  for (let at = 1; at < rest; at++) {
    await page.keyboard.press('Tab')
    assert.match(await focused(page, 'tagName'), /^(A|SUMMARY|BUTTON)$/)
  }
  await page.locator('#createRegistration summary').last().focus()
  await page.keyboard.press('Enter')
  assert.ok(await page.locator('#createRegistration table').isVisible())
})

test('the keyboard opens the contents on a phone, and a link closes them', async t => {
  const { url } = await startReference(t)
  const { page } = await openPage(t, url, PHONE)
  const contents = page.locator('nav')
  assert.equal(await contents.isVisible(), false)
  await page.locator('[popovertarget]').focus()
  await page.keyboard.press('Enter')
  assert.equal(await contents.isVisible(), true)
  await page.keyboard.press('Escape')
  assert.equal(await contents.isVisible(), false)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.equal(await focused(page, 'id'), 'query')
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'First requests')
  await page.locator('nav a', { hasText: 'Check a ticket in' }).focus()
  await page.keyboard.press('Enter')
  assert.equal(await contents.isVisible(), false)
  assert.equal(new URL(page.url()).hash, '#createCheckIn')
  await page.waitForFunction('document.getElementById("createCheckIn").getBoundingClientRect().top < 100')
})

test('every command of the page works as it is pasted, with the ids of the reader in it', async t => {
  const server = await startServer(t)
  const { account_id: accountId, events } = await server.apply(demoOrganization(server.clock()))
  const client = await server.clientOf(accountId)
  const event = events[DEMO_EVENT]
  const eventId = event?.id as string
  const typeId = event?.registration_types[DEMO_FREE_TYPE] as string
  const registration = {
    event_id: eventId,
    registration_type_id: typeId,
    buyer: { name: 'Ada', email: 'ada@example.org' },
  }
  const register = async () => (await client.post('/registrations', registration)).body
  const abstracts = (await client.get(`/abstracts?event_id=${eventId}`)).body.data
  const [first, second] = [await register(), await register()]

  const { page } = await openPage(t, `${server.app.url}/reference`)
  const commands = (await page.locator('pre').allInnerTexts()).filter(text => text.startsWith('curl '))
  const operations = listEndpoints(apiDocument, apiDocument.paths)
  assert.equal(commands.length, operations.length + 4)
  const ids: Record<string, string> = {
    '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f': eventId,
    '0197a0b4-3c60-7a02-8c44-1f0e9d8c7b6a': typeId,
    '0197a0b4-4b10-7c55-b1a0-0d1e2f3a4b5c': first.id,
    '0197a0b4-5d22-7b61-9c03-4f5e6d7c8b9a': abstracts[0].id,
  }
  const tickets = [second.attendees[0].id, (await register()).attendees[0].id]
  for (const command of commands) {
    const pasted = command.replace(/0197a0b4-[0-9a-f-]{27}/g, id => ids[id] ?? tickets.shift())
    const shell = `curl() { command curl -sS -o /dev/null -w '%{http_code}' "$@"; }\n${pasted}`
    const { stdout, stderr } = await pasteIntoShell(shell, client.key as string)
    const isCreation = command.includes(' -d ') && /\/(registrations|check-ins)'\s*$/.test(command)
    assert.equal(`${stdout}${stderr}`, isCreation ? '201' : '200', command)
  }
  assert.deepEqual(tickets, [])
  assert.equal((await client.get(`/registrations/${first.id}`)).body.status, 'cancelled')
})

test('the commands go to the address that the page was read from, where the server was not told its own', async t => {
  const { url } = await startReference(t)
  const other = url.replace('127.0.0.1', 'localhost')
  const { page, requests } = await openPage(t, other)
  const texts = await page.locator('pre').allInnerTexts()
  assert.ok(texts.some(text => text.includes(`'${other.replace('/reference', '/events')}'`)))
  assert.ok(!texts.some(text => text.includes('127.0.0.1')))
  assert.deepEqual(new Set(requests), new Set([other]))

  const quoting = other.replace('/v1', "/o'neill/v1")
  await page.route(quoting, async route => route.fulfill({ response: await route.fetch({ url }) }))
  await page.goto(quoting)
  const commands = (await page.locator('pre').allInnerTexts()).filter(text => text.startsWith('curl '))
  assert.ok(commands.some(text => text.endsWith(`/o%27neill/v1/events'`)))
  assert.ok(!commands.some(text => text.includes("o'neill")))
})

function focused(page: Page, what: 'textContent' | 'tagName' | 'id' = 'textContent'): Promise<string> {
  return page.evaluate(`document.activeElement.${what}`)
}

async function pasteIntoShell(script: string, key: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)('bash', ['-c', script], { env: { ...process.env, KEY: key } })
}
