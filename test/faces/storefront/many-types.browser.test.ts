import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SECOND } from '#base/time.ts'
import { addBank } from '#test/support/banked.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { walkByTab } from '#test/support/keyboard.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { startSale } from '#test/support/people/sale.ts'

after(closeBrowser)

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitän mit Begleitung'
const names = ['Standard', LONG, 'ورشة عمل', ...Array.from({ length: 9 }, (_, at) => `Day ${at + 1}`)]

/** A phone and a desktop. */
const windows = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
] as const

async function start(t: Parameters<typeof startSale>[0]) {
  const types = names.map((name, at) => ({
    ...{ name, price: 1250 * (at + 1), capacity: 100, tax_basis_points: 2100 },
    description: at % 2 === 0 ? 'With lunch and coffee' : null,
  }))
  const sale = await startSale(
    t,
    { registration_types: types, questions: [], codes: [] },
    { terms: null, payment_ways: 'set_up_and_door' },
  )
  await addBank(sale)
  const shown = await openPage(t, sale.app.siteUrl + sale.path)
  /** Returns where an element stands in the window. */
  const boxOf = (selector: string) =>
    shown.page.evaluate(
      `(() => { const { top, bottom, left, right, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect()
        return { top, bottom, left, right, width, height } })()`,
    ) as Promise<Record<'top' | 'bottom' | 'left' | 'right' | 'width' | 'height', number>>
  return { ...sale, ...shown, boxOf }
}

test('with twelve types the button of the choice stays in the window from the first to the last, and hides no stop', async t => {
  const { page, boxOf } = await start(t)
  for (const size of windows) {
    await page.setViewportSize(size)
    await page.evaluate('document.querySelector(".offers").scrollIntoView()')
    for (const place of ['.offers li:first-child select', '.offers li:last-child select']) {
      await page.locator(place).focus()
      const { top, bottom } = await boxOf('.offers form > .button')
      assert.ok(top >= 0 && bottom <= size.height, `${place} at ${size.width}: ${top} to ${bottom}`)
      const field = await boxOf(place)
      assert.ok(field.top >= 0 && field.bottom <= top + 1, `${place} at ${size.width} is hidden`)
    }
    assert.deepEqual(await walkByTab(page, '.top a'), [], String(size.width))
  }
  assert.deepEqual(await faultsOf(page, 'event'), [])
})

test('with many tickets their total stays in the window below the form on a phone, and all that was chosen beside it on a desktop', async t => {
  const { app, page, boxOf, formPath } = await start(t)
  await page.goto(app.siteUrl + formPath(Object.fromEntries(names.map(name => [name, 1]))))
  for (const size of windows) {
    await page.setViewportSize(size)
    const isPhone = size.width === 390
    for (const at of [1_000, 1_500]) {
      await page.evaluate(`window.scrollTo(0, ${at})`)
      const { top, bottom } = await boxOf(isPhone ? '.total' : '.sum tfoot')
      assert.ok(top >= 0 && bottom <= size.height, `${size.width}, ${at}: ${top} to ${bottom}`)
    }
    assert.equal(await page.locator('.total').isVisible(), isPhone)
    assert.deepEqual(await walkByTab(page, '[name="buyer.name"]'), [], String(size.width))
  }
  await page.setViewportSize(windows[0])
  assert.match((await page.locator('.total').textContent()) ?? '', /12 tickets\s*€975\.00/)
  await page.locator('.total a').click()
  assert.ok((await boxOf('.sum')).top >= 0)
  assert.deepEqual(await faultsOf(page, 'form'), [])
})

test('the review gives the names of the tickets their width on a phone, and each way to pay a row of 44 pixels', async t => {
  const { app, page, boxOf, formPath, clock } = await start(t)
  await page.setViewportSize(windows[0])
  await page.goto(app.siteUrl + formPath({ [LONG]: 1 }))
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel('Your e-mail').fill('grace@example.org')
  clock.advance(2 * SECOND)
  await page.locator('.end-bar .main').click()
  await page.getByText('Is this right?').waitFor()
  const [table, name] = [await boxOf('.sum'), await boxOf('.sum th')]
  assert.ok(name.width > table.width / 2, `${name.width} of ${table.width}`)
  const [first, second] = [await boxOf('.choice'), await boxOf('.choice + .choice')]
  assert.ok(first.height >= 44 && second.height >= 44, `${first.height}, ${second.height}`)
  assert.ok(second.top >= first.bottom)
  const label = await page
    .locator('.choice')
    .first()
    .evaluate(element => {
      const [title, about] = element.querySelectorAll('span > span')
      return {
        weight: Number(getComputedStyle(title as Element).fontWeight),
        isBelow:
          (about as Element).getBoundingClientRect().top >=
          (title as Element).getBoundingClientRect().bottom - 1,
      }
    })
  assert.ok(label.weight >= 600 && label.isBelow)
  await page.locator('.choice + .choice').click({ position: { x: 300, y: 10 } })
  assert.equal(await page.locator('.choice + .choice input').isChecked(), true)
  assert.deepEqual(await faultsOf(page, 'review'), [])
})
