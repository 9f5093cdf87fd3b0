import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { startServer } from '#test/support/server.ts'

after(closeBrowser)

const PHONE = { viewport: { width: 390, height: 844 } }

async function openReference(t: TestContext, options: Parameters<typeof openPage>[2] = {}) {
  const url = `${(await startServer(t)).app.url}/reference`
  const { page, ...watched } = await openPage(t, url, options)
  page.setDefaultTimeout(30_000)
  const field = page.getByRole('searchbox', { name: 'Search' })
  const matches = page.locator('#matches a')
  return { url, page, field, matches, count: page.locator('#found'), ...watched }
}

test('the search finds operations, webhooks, objects, fields, error codes and chapters, and says how many', async t => {
  const { page, field, matches, count, messages, requests, url } = await openReference(t)
  for (const [query, first, place] of [
    ['check a ticket', 'Check a ticket in\nPOST /check-ins', 'createCheckIn'],
    ['createcheckin', 'Check a ticket in\nPOST /check-ins', 'createCheckIn'],
    ['/abstracts/{id}/dec', 'Decide an abstract\nPOST /abstracts/{id}/decision', 'decideAbstract'],
    ['registration.cancelled', 'registration.cancelled\nWebhook', 'webhook.registration.cancelled'],
    ['Attendee', 'Attendee\nObject', 'object-Attendee'],
    ['sold_out', 'sold_out\n409, Errors', 'errors.sold_out'],
    ['buyer.em', 'buyer.email\nBody, Import a registration', 'createRegistration.buyer.email'],
    ['sold', 'sold\nObject, RegistrationType', 'object-RegistrationType.sold'],
    ['data.object', 'data.object\nWebhook, registration.created', 'webhook.registration.created.data.object'],
    ['starting_after', 'starting_after\nQuery, List events', 'listEvents.starting_after'],
    ['rate limits', 'Rate limits\nChapter', 'rate-limits'],
    ['test vector', 'Test vector\nChapter', 'test-vector'],
    // A word of its text finds a chapter that has it nowhere in its name.
    ['minor units', 'Requests and answers\nChapter', 'requests-and-answers'],
  ] as const) {
    await field.fill(query)
    const found = await matches.allInnerTexts()
    assert.equal(found[0], first, query)
    assert.equal(await count.innerText(), `${found.length} found`, query)
    assert.equal(await matches.first().getAttribute('href'), `#${place}`)
    assert.equal(await page.locator(`[id="${place}"]`).count(), 1)
  }
  assert.equal(await count.getAttribute('role'), 'status')
  await field.fill('sold_out')
  assert.deepEqual(await page.locator('#matches mark').first().allInnerTexts(), ['sold_out'])
  assert.ok((await matches.allInnerTexts()).includes('sold_out\n409, Import a registration'))
  assert.deepEqual([messages, new Set(requests)], [[], new Set([url])])
})

test('an operation is found by its path, with /v1 and without, and before what only mentions it', async t => {
  const { field, matches } = await openReference(t)
  const list = 'List check-ins\nGET /check-ins'
  const create = 'Check a ticket in\nPOST /check-ins'
  for (const [query, ...first] of [
    ['/v1/check-ins', list, create],
    ['v1/Check-ins', list, create],
    ['/check-ins', list, create],
    ['check-ins', 'Check-ins\nChapter', list, create],
    ['POST /v1/check-ins', create],
    ['get /v1/events/{id}', 'Read an event\nGET /events/{id}'],
    ['/v1/registrations/{id}/can', 'Cancel a registration\nPOST /registrations/{id}/cancel'],
  ] as const) {
    await field.fill(query)
    assert.deepEqual((await matches.allInnerTexts()).slice(0, first.length), first, query)
  }
  await field.fill('/v1/zebras')
  assert.equal(await matches.count(), 0)
})

test('every match leads to what it names, and no two to the same place', async t => {
  const { page, field, matches } = await openReference(t)
  const places: string[] = []
  for (const query of ['status', 'email', 'id', '4', 'registration']) {
    await field.fill(query)
    const found = await matches.evaluateAll(links => links.map(link => link.getAttribute('href') as string))
    assert.equal(new Set(found).size, found.length)
    places.push(...found)
  }
  const lost: string[] = await page.evaluate(
    `${JSON.stringify(places)}.filter(place => document.getElementById(place.slice(1)) === null)`,
  )
  assert.deepEqual(lost, [])
  const ids: string[] = await page.evaluate('[...document.querySelectorAll("[id]")].map(({ id }) => id)')
  assert.equal(new Set(ids).size, ids.length)
})

test('a search that finds nothing says so, and a wide one shows its best', async t => {
  const { field, matches, count } = await openReference(t)
  await field.fill('zebra')
  assert.deepEqual([await matches.count(), await count.innerText()], [0, 'Nothing found'])
  await field.fill('e')
  assert.equal(await matches.count(), 50)
  assert.match(await count.innerText(), /^\d{3} found, the first 50 shown$/)
  await field.fill('  ')
  assert.deepEqual([await matches.count(), await count.innerText()], [0, ''])
})

test('a search term is text, never HTML or a pattern', async t => {
  const { url, page, field, matches, count, messages } = await openReference(t)
  for (const query of ['(', '\\', '[', '.*', '"]', '</search><script>alert(1)</script>']) {
    await field.fill(query)
    assert.match(await count.innerText(), /found/)
  }
  await page.route(url, async route => {
    const response = await route.fetch()
    const body = (await response.text()).replace('<h3>List events', '<h3>&lt;img src=x&gt; &lt;b&gt;')
    await route.fulfill({ response, body })
  })
  await page.reload()
  await field.fill('<img')
  assert.equal(await matches.first().innerText(), '<img src=x> <b>\nGET /events')
  assert.equal(await page.locator('#matches :is(img, b)').count(), 0)
  assert.deepEqual(messages, [])
})

test('the keyboard alone searches: / to begin, the arrows and Enter to go, Esc to clear', async t => {
  const { page, field, matches, count } = await openReference(t)
  const contents = page.locator('nav a', { hasText: 'First requests' })
  await page.keyboard.press('/')
  assert.equal(await focused(page), 'query')
  await page.keyboard.type('a/b')
  assert.equal(await field.inputValue(), 'a/b')
  await page.keyboard.press('Escape')
  assert.deepEqual([await field.inputValue(), await count.innerText()], ['', ''])
  assert.deepEqual([await focused(page), await contents.isVisible()], ['query', true])

  await page.keyboard.type('sold_out')
  assert.equal(await contents.isVisible(), false)
  const links = await matches.count()
  await page.keyboard.press('ArrowUp')
  assert.equal(await focused(page), 'query')
  await page.keyboard.press('ArrowDown')
  assert.equal(await focused(page), '#errors.sold_out')
  for (let at = 0; at < links + 2; at++) await page.keyboard.press('ArrowDown')
  assert.equal(await focused(page), await matches.last().getAttribute('href'))
  for (let at = 0; at < links; at++) await page.keyboard.press('ArrowUp')
  assert.equal(await focused(page), 'query')

  await page.keyboard.press('Enter')
  assert.equal(new URL(page.url()).hash, '#errors.sold_out')
  await isInView(page, '[id="errors.sold_out"]')
  await page.keyboard.press('/')
  assert.equal(await focused(page), 'query')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  assert.deepEqual([await focused(page), await field.inputValue()], ['query', ''])
  // A key with a modifier is a shortcut of the browser or the system.
  await page.locator('h1').click()
  await page.keyboard.press('Control+/')
  assert.notEqual(await focused(page), 'query')
})

test('a match that is folded away is unfolded, and its address finds it again', async t => {
  const { url, page, field, matches } = await openReference(t)
  const row = page.locator('[id="createRegistration.sold_out"]')
  await field.fill('sold_out')
  const match = matches.filter({ hasText: '409, Import a registration' })
  assert.equal(await row.isVisible(), false)
  // Some browsers unfold what a link leads to, and some do not.
  await page.evaluate('matches.addEventListener("click", event => event.preventDefault(), { once: true })')
  await match.click()
  assert.equal(await row.isVisible(), true)
  await match.click()
  await isInView(page, '[id="createRegistration.sold_out"]')

  const again = await openPage(t, `${url}#createRegistration.sold_out`)
  await isInView(again.page, '[id="createRegistration.sold_out"]')
  assert.equal(await again.page.locator('tr:target td').nth(1).innerText(), 'sold_out')
})

test('on a phone the search is in the contents, / opens them, and a match closes them', async t => {
  const { page, field, matches } = await openReference(t, PHONE)
  assert.equal(await field.isVisible(), false)
  await page.keyboard.press('/')
  assert.equal(await field.isVisible(), true)
  await page.keyboard.type('wait')
  await page.keyboard.press('Escape')
  assert.deepEqual([await field.isVisible(), await field.inputValue()], [true, ''])
  await page.keyboard.press('Escape')
  assert.equal(await field.isVisible(), false)

  await page.getByRole('button', { name: 'Contents and search' }).click()
  // No field has the focus unasked, or the keys of the phone would cover the contents.
  assert.notEqual(await focused(page), 'query')
  await field.fill('buyer.email')
  await matches.first().click()
  assert.equal(await field.isVisible(), false)
  await isInView(page, '[id="createRegistration.buyer.email"]')
})

test('without JavaScript the page has no search, no button to copy, and all the rest', async t => {
  for (const viewport of [PHONE.viewport, { width: 1280, height: 900 }]) {
    const { page, field } = await openReference(t, { javaScriptEnabled: false, viewport })
    assert.equal(await field.isVisible(), false)
    assert.equal(await page.locator('search').isVisible(), false)
    assert.equal(await page.locator('#matches').isVisible(), false)
    assert.deepEqual(await page.getByRole('button').allInnerTexts(), viewport.width < 960 ? ['Contents'] : [])
    assert.ok(await page.locator('#createCheckIn pre.sh').isVisible())
    assert.equal(await page.locator('nav a').first().isVisible(), viewport.width > 960)
  }
})

for (const width of [390, 1280])
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe finds nothing at ${width} pixels in ${colorScheme}, with and without a search`, async t => {
      // The longest code fits in a window of this height. Of what the bar covers, axe cannot tell the colours.
      const { page } = await openReference(t, { viewport: { width, height: 2000 }, colorScheme })
      assert.deepEqual(await findBarriers(page), [])
      await page.keyboard.press('/')
      if (width < 960) assert.deepEqual(await findBarriers(page, 'nav'), [])
      await page.keyboard.type('email')
      await page.keyboard.press('ArrowDown')
      assert.deepEqual(await findBarriers(page, 'nav'), [])
    })
  }

test('a finger hits everything: targets on a phone are 44 pixels high', async t => {
  const { page, field } = await openReference(t, PHONE)
  const small = () => page.evaluate('findSmallTargets(44)')
  assert.deepEqual(await small(), [])
  await page.keyboard.press('/')
  assert.deepEqual(await small(), [])
  await field.fill('email')
  assert.deepEqual(await small(), [])
  assert.deepEqual(await page.evaluate('findOverflow()'), ['scrolls to 390'])
})

test('print has neither the search nor the buttons', async t => {
  const { page, field } = await openReference(t)
  await field.fill('email')
  await page.emulateMedia({ media: 'print' })
  assert.equal(await field.isVisible(), false)
  assert.deepEqual(await page.getByRole('button').allInnerTexts(), [])
})

/** Returns the id, or else the address, of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.id || document.activeElement.getAttribute("href")')
}

async function isInView(page: Page, selector: string): Promise<void> {
  await page.waitForFunction(
    `(({ top, height }) => height > 0 && top >= 0 && top < 500)(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
    undefined,
    { timeout: 30_000 },
  )
}
