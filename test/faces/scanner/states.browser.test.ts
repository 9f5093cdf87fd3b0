import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeLogo } from '#product/catalog/looks/make-logo.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, sharedBrowser } from '#test/support/browser.ts'
import { openPhone, startEvent } from '#test/support/door/door-page.ts'
import { PhoneLine } from '#test/support/door/phone-line.ts'
import { photo, pngOf } from '#test/support/picture-files.ts'

after(closeBrowser)

const UPRIGHT = { width: 320, height: 568 }
const ON_ITS_SIDE = { width: 740, height: 360 }

/** Finds what is wider than the window; and, in a result, what is not all in it. */
const FIND_CUT = `(() => {
  const { scrollWidth } = document.documentElement
  const cut = [...document.querySelectorAll('#result h2, #result button')].filter(element => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
  })
  const told = document.querySelector('.told')
  const pills = document.querySelector('.scanner:not(.covered) .pills')
  const bottom = pills?.closest('header').getBoundingClientRect().bottom ?? Infinity
  return [
    ...(scrollWidth > innerWidth ? [scrollWidth + ' dots wide'] : []),
    ...(told && told.scrollHeight > told.clientHeight + 1 ? ['not all of it is in the window'] : []),
    ...(pills && pills.getBoundingClientRect().bottom > bottom + 1 ? ['the pills are not all in the head'] : []),
    ...cut.map(element => 'cut: ' + element.textContent),
  ]
})()`

test('every state of the scanner is for everybody, on a small phone by day, and on its side in the dark', async t => {
  const event = await startEvent(t)
  const logo = await makeLogo(pngOf(photo(480, 144)))
  await event.db.write(event.accountId, tx => looks.setLogo(tx, null, logo))
  const line = await PhoneLine.start(t, event.app.siteUrl)
  const { url } = await event.addDoor({ name: 'North' })
  const [admitted, doubled] = [await event.sell(), await event.sell()]
  const cancelled = await event.sellFree()
  await event.client.post(`/registrations/${cancelled.id}/cancel`)
  const options = { viewport: UPRIGHT, reducedMotion: 'reduce' as const }
  const phone = await openPhone(await sharedBrowser(), `${line.url}/door/`, options)
  t.after(() => phone.context.close())
  const { page } = phone
  const faults: string[] = []
  const look = async (name: string) => {
    for (const [size, colorScheme] of [
      [ON_ITS_SIDE, 'dark'],
      [UPRIGHT, 'light'],
    ] as const) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      const found = await page.evaluate<string[]>(FIND_CUT)
      // The ground of what is half scrolled away cannot be determined; a result is all in view.
      const isResult = (await page.locator('#result[data-outcome]').count()) > 0
      await page.setViewportSize(isResult ? size : { ...size, height: 1400 })
      await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
      found.push(...(await findBarriers(page)))
      await page.setViewportSize(size)
      faults.push(...found.map(fault => `${name}, ${colorScheme}: ${fault}`))
    }
  }

  await page.fill('#link', 'https://elsewhere.example/door/#pair=jHySBDd-wIMhAAyWqDtOfg')
  await page.press('#link', 'Enter')
  await page.waitForSelector('.note.bad')
  await page.click('.advice summary')
  await look('pairing, with a fault, and how it is installed')
  await page.fill('#link', line.of(url))
  await page.press('#link', 'Enter')
  await page.waitForSelector('#pair')
  await look('a secret that was read')
  await page.click('#pair')
  await page.waitForSelector('#start')
  await look('before the start')
  await page.click('#start')
  await page.waitForSelector('#code')
  const shown = await page.evaluate<number>("document.querySelector('header img').naturalWidth")
  assert.equal(shown, logo.width, 'the logo of the organizer stands at the head')
  await look('scanning')
  await page.click('.tab:nth-child(4)')
  await look('settings')
  await phone.give(admitted.code)
  await page.click('#undo')
  await page.waitForSelector('#undo-confirm')
  await look('admitted, and whether it is taken back')
  await page.click('#undo-confirm ~ button')
  assert.equal(await phone.give(admitted.code), 'used')
  await look('used')
  assert.equal(await phone.give(cancelled.code), 'refused')
  await look('refused')
  assert.equal(await phone.give(doubled.code.slice(0, -1)), 'again')
  await look('read again')
  line.weather = 'gone'
  await event.client.post('/check-ins', { qr_code: doubled.code })
  const outcome = await phone.give(doubled.code)
  assert.equal(outcome, 'admitted')
  line.weather = 'good'
  await page.waitForSelector('#result[data-alarm]')
  await look('an alarm')
  await page.click('#seen')
  await page.click('.tab:nth-child(3)')
  await page.waitForSelector('[data-scan]')
  await look('the last scans')
  const second = await phone.context.newPage()
  await second.goto(`${line.url}/door/`)
  await second.waitForSelector('main button.main')
  faults.push(...(await findBarriers(second)).map(fault => `another tab: ${fault}`))
  assert.deepEqual(faults, [])
})
