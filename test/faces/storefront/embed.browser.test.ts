import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import puppeteer from 'puppeteer-core'
import { MINUTE } from '#base/time.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as series from '#product/catalog/events/series.ts'
import { makeLogo } from '#product/catalog/looks/make-logo.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { fontEnvironment } from '#test/support/fonts.ts'
import { hardTexts } from '#test/support/hard-texts.ts'
import { FIREFOX, findMiniBrowser, openWebKit, walkInOne } from '#test/support/other-browsers.ts'
import { startInFront, startOwnSite } from '#test/support/own-site.ts'
import { startStorefront } from '#test/support/people/storefront.ts'
import { photo, pngOf } from '#test/support/picture-files.ts'

after(closeBrowser)

const EVENT = '/ada/spring-meeting/'
const FRAME = `${EVENT}embed`
/** The other site has a certificate that no authority has signed. */
const options = { ignoreHTTPSErrors: true }

/** Starts a storefront, the organizer's own site, which may frame it, and a site that may not. */
async function start(t: TestContext, ...rest: [Parameters<typeof startStorefront>[1]?]) {
  const server = await startStorefront(t, ...rest)
  const [own, foreign] = [await startOwnSite(t), await startOwnSite(t)]
  await server.write(tx => accounts.update(tx, { embed_origins: [own.origin] }))
  const url = server.app.siteUrl
  const script = `<script src="${url}/assets/embed.js" async></script>`
  const link = `<p><a href="${url}${EVENT}" data-turnout>Get tickets</a></p>${script}`
  const frame = `<iframe src="${url}${FRAME}" data-turnout title="Tickets" width="100%" height="200"></iframe>${script}`
  for (const site of [own, foreign]) Object.assign(site.pages, { '/shows': link, '/frame': frame })
  own.pages['/whole'] = `<iframe src="${url}${EVENT}" title="All"></iframe>`
  return { ...server, url, own, foreign }
}

const quantity = '.offers li:has-text("Free") select'

/** Orders one ticket in the whole window, and returns the address of the order's page. */
async function order(page: Page, clock: { advance(by: number): void }): Promise<string> {
  await page.fill('[name="buyer.name"]', 'Grace Hopper')
  await page.fill('[name="buyer.email"]', 'grace@example.org')
  await page.click('main form button.main')
  await page.waitForSelector('form[action*="/register/order"]')
  // Nobody fills in a form in no time, and a program that does is refused.
  clock.advance(MINUTE)
  await page.click('main form button.main')
  await page.waitForURL('**/orders/**')
  return page.url()
}

test('a link opens the tickets in a dialog on the organizer’s own page, the order stands under its own address, and a link leads back', async t => {
  const { url, own, clock } = await start(t)
  const { page, messages } = await openPage(t, `${own.origin}/shows?from=news`, options)
  await page.waitForLoadState('load')
  await page.click('text=Get tickets')
  const dialog = page.locator('dialog[open]')
  assert.equal(await dialog.getAttribute('aria-label'), 'Get tickets')
  const inner = page.frameLocator('dialog iframe')
  await inner.locator(quantity).selectOption('1')
  const high = () => page.evaluate<number>("document.querySelector('dialog iframe').offsetHeight")
  const needs = await inner.locator('html').evaluate(element => (element as HTMLElement).offsetHeight)
  await page.waitForFunction(`document.querySelector('dialog iframe').offsetHeight === ${needs}`)
  assert.equal(await high(), needs, 'it is as high as what is in it')
  // What is in the frame is looked at by itself.
  const barriers = (await findBarriers(page)).filter(each => !each.startsWith('frame-tested'))
  assert.deepEqual(barriers, [])
  await inner.locator('.offers button.main').click()
  await page.waitForURL(`${url}${EVENT}register**`)
  const back = page.locator('.top a.back')
  assert.equal(await back.getAttribute('href'), `${own.origin}/shows?from=news`)
  await order(page, clock)
  assert.ok(page.url().startsWith(`${url}/orders/`))
  await back.click()
  assert.equal(page.url(), `${own.origin}/shows?from=news`)
  assert.deepEqual(messages, [])
})

test('a dialog closes by Escape and by its button, and the link in it leads to the whole page', async t => {
  const { url, own } = await start(t)
  const { page } = await openPage(t, `${own.origin}/shows`, options)
  await page.waitForLoadState('load')
  const dialogs = () => page.locator('dialog').count()
  await page.click('text=Get tickets')
  await page.keyboard.press('Escape')
  await page.waitForFunction("document.querySelector('dialog') === null")
  await page.click('text=Get tickets')
  await page.click('dialog button')
  await page.waitForFunction("document.querySelector('dialog') === null")
  assert.equal(await dialogs(), 0)
  await page.click('text=Get tickets')
  await page.click('dialog a')
  await page.waitForURL(url + EVENT)
})

test('without script the link is a link, and a frame takes the visitor to the form in the whole window', async t => {
  const { url, own } = await start(t)
  const { page } = await openPage(t, `${own.origin}/shows`, { ...options, javaScriptEnabled: false })
  await page.click('text=Get tickets')
  await page.waitForURL(url + EVENT)
  await page.goto(`${own.origin}/frame`)
  const inner = page.frameLocator('iframe')
  await inner.locator(quantity).selectOption('1')
  await inner.locator('.offers button.main').click()
  await page.waitForURL(`${url}${EVENT}register**`)
  assert.deepEqual(await page.context().cookies(), [])
})

test('a browser shows no frame on a site that the organizer has not named, and no other page in any frame', async t => {
  const { own, foreign } = await start(t)
  for (const [address, isShown] of [
    [`${own.origin}/frame`, true],
    [`${foreign.origin}/frame`, false],
    [`${own.origin}/whole`, false],
  ] as const) {
    const { page, messages } = await openPage(t, address, options)
    await page.waitForLoadState('load')
    const [frame] = page.frames().filter(each => each !== page.mainFrame())
    const shown = await frame?.evaluate<number>("document.querySelectorAll('.offers, .occasion').length")
    assert.equal(shown === 1, isShown, address)
    assert.equal(
      messages.some(message => /frame-ancestors/.test(message)),
      !isShown,
      messages.join('\n'),
    )
  }
})

test('a site that the organizer has not named can have no link of its own shown', async t => {
  const { url, foreign } = await start(t)
  const { page } = await openPage(t, `${foreign.origin}/shows`, options)
  await page.goto(`${url}${EVENT}?back=${encodeURIComponent(`${foreign.origin}/shows`)}`)
  assert.equal(await page.locator('.top a.back').count(), 0)
  assert.ok(!(await page.content()).includes(foreign.origin))
})

test('frames stand the hardest texts in every window: nothing overflows, no barrier, no complaint', async t => {
  const { url, write, change, eventId } = await start(t, hardTexts())
  const logo = await makeLogo(pngOf(photo(300, 90)))
  await write(async tx => {
    await looks.setColour(tx, null, '#ffcc00')
    await looks.setLogo(tx, null, logo)
    const { id } = await series.create(tx, {
      name: 'Donaudampfschifffahrtsgesellschaft'.repeat(4),
      slug: 'ships',
    })
    await series.setSeries(tx, eventId, id)
  })
  await change({ contact_email: 'a@example.org' })
  const back = `?${new URLSearchParams({ back: 'https://localhost/x' })}`
  const { page, messages } = await openPage(t, url + FRAME, options)
  const wrong: string[] = []
  for (const path of [FRAME, '/ada/embed.html', '/ada/ships/embed', EVENT + back, '/ada/'])
    for (const width of [1280, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await page.goto(url + path)
        const where = `${path} at ${width}, ${colorScheme}: `
        const [scrolls] = (await page.evaluate('findOverflow()')) as string[]
        if (scrolls !== `scrolls to ${width}`) wrong.push(`${where}${scrolls}`)
        wrong.push(...(await findBarriers(page)).map(barrier => where + barrier))
        const { SHOTS } = process.env
        if (SHOTS !== undefined) {
          const name = `${path.replaceAll(/\W+/g, '-')}${width}-${colorScheme}.png`
          await page.screenshot({ path: `${SHOTS}/${name}`, fullPage: true })
        }
      }
  assert.deepEqual(wrong, [])
  assert.deepEqual(messages, [])
})

test('in Firefox a dialog shows the tickets, a foreign site gets none, and the form opens in the whole window', {
  skip: existsSync(FIREFOX) ? false : 'there is no Firefox',
  timeout: 120_000,
}, async t => {
  const { url, own, foreign } = await start(t)
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    acceptInsecureCerts: true,
    env: fontEnvironment(),
    extraPrefsFirefox: { 'network.captive-portal-service.enabled': false, 'app.update.auto': false },
  })
  t.after(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`${foreign.origin}/frame`)
  const refused = await page.waitForSelector('iframe')
  assert.equal(await (await refused?.contentFrame())?.$('.offers').catch(() => null), null)
  await page.goto(`${own.origin}/shows`)
  await page.click('a[data-turnout]')
  const shown = await page.waitForSelector('dialog iframe')
  const inner = await shown?.contentFrame()
  const button = await inner?.waitForSelector('.offers button.main')
  const select = await inner?.$('.offers select')
  await select?.select('1')
  await Promise.all([page.waitForNavigation(), button?.click()])
  assert.ok(page.url().startsWith(`${url}${EVENT}register?`), page.url())
  const back = await page.$eval('.top a.back', element => element.getAttribute('href'))
  assert.equal(back, `${own.origin}/shows`)
})

const miniBrowser = findMiniBrowser()

test('in WebKit a dialog shows the tickets, a foreign site gets none, and the form opens in the whole window', {
  skip: miniBrowser === undefined ? 'there is no WebKit' : false,
  timeout: 180_000,
}, async t => {
  const server = await start(t)
  const { own, foreign } = server
  const url = await startInFront(t, server.url)
  for (const { pages } of [own, foreign])
    for (const path of ['/shows', '/frame']) pages[path] = (pages[path] ?? '').replaceAll(server.url, url)
  const open = () => openWebKit(miniBrowser as string, { acceptInsecureCerts: true })
  await walkInOne(open, async browser => {
    await browser.open(`${foreign.origin}/frame`)
    await browser.inFrame('iframe', async () => assert.equal(await browser.has('.offers'), false))
    await browser.open(`${own.origin}/frame`)
    await browser.inFrame('iframe', async () =>
      assert.notEqual(await browser.textOf('.offers button.main'), ''),
    )
    await browser.open(`${own.origin}/shows`)
    await browser.press('a[data-turnout]', 'dialog iframe')
    await browser.inFrame('dialog iframe', async () => {
      await browser.press('.offers select option[value="1"]', '.offers button.main')
      await browser.press('.offers button.main', undefined)
    })
    await browser.textOf('[name="buyer.name"]')
    const { address, back } = await browser.read(
      "({ address: location.href, back: document.querySelector('.top a.back').href })",
    )
    assert.ok(address?.startsWith(`${url}${EVENT}register?`), address)
    assert.equal(back, `${own.origin}/shows`)
  })
})
