import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SECOND } from '#base/time.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { walkByTab } from '#test/support/keyboard.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { sellAll, startSale } from '#test/support/people/sale.ts'

after(closeBrowser)

test('every page of a purchase, in each of its states and with the hardest names, has no barrier and nothing out of the window', {
  timeout: 240_000,
}, async t => {
  const sale = await startSale(t)
  const { app, path, formPath, types, take, clock } = sale
  const [guest, long, workshop] = Object.keys(types) as [string, string, string]
  const { names: namesPath = '', order = '', ...pages } = await sellAll(sale)
  await take({ [workshop]: ['Ada'] })
  const { page, requests, messages } = await openPage(t, `${app.siteUrl}${order}`)
  const wrong: string[] = []
  const look = async (name: string, to?: string) => {
    if (to !== undefined) await page.goto(app.siteUrl + to)
    wrong.push(...(await faultsOf(page, name)))
  }
  const send = async (says: string) => {
    clock.advance(SECOND)
    await page.locator('.end-bar .main').click()
    await page.getByText(says).first().waitFor()
  }
  await look('order')
  wrong.push(...(await walkByTab(page, '.top a')))
  for (const [name, to] of Object.entries(pages)) await look(name, to)
  await look('names', namesPath)
  await page.locator('[id$=".name"]').first().fill('')
  await send('Fill this in.')
  await look('names refused')

  await look('twenty', formPath({ [long]: 5, [guest]: 15 }))
  await look('form', formPath({ [guest]: 1, [long]: 2 }))
  await send('things need another look')
  await look('form refused')
  wrong.push(...(await walkByTab(page, '[name="buyer.name"]')))
  await page.getByLabel('Your name').fill(long)
  await page.getByLabel('Your e-mail').fill(`${'long'.repeat(14)}@${'a'.repeat(60)}.example`)
  await page.locator('[name=terms]').check()
  await send('Is this right?')
  await look('review')

  await look('waitlist', `${path}waitlist?type=${types[workshop]}`)
  await send('Fill this in.')
  await look('waitlist refused')
  await page.getByLabel('Your name').fill('Wes')
  await page.getByLabel('Your e-mail').fill('wes@example.org')
  await send('You are on the waitlist')
  await look('waitlist joined')
  await look('event', path)
  await look('no tickets', '/ada/empty/')
  await look('offers of a code', `${path}register?code=SPEAKERS`)
  await look('no such code', `${path}register?code=none`)
  await look('sold out', formPath({ [workshop]: 1 }))
  await look('nothing there', '/orders/none')
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    requests.filter(address => !address.startsWith(app.siteUrl) && !address.startsWith('data:')),
    [],
  )
  assert.deepEqual(
    messages.filter(message => !/status of 4/.test(message)),
    [],
  )
})

test('in Spanish too, every page of a purchase has no barrier and nothing out of the window', {
  timeout: 240_000,
}, async t => {
  const sale = await startSale(t)
  const { app, path, formPath, types, take } = sale
  const [guest, long, workshop] = Object.keys(types) as [string, string, string]
  const pages: Record<string, string> = await sellAll(sale)
  await take({ [workshop]: ['Ada'] })
  Object.assign(pages, {
    ...{ event: path, form: formPath({ [guest]: 1, [long]: 2 }), 'sold out': formPath({ [workshop]: 1 }) },
    ...{ waitlist: `${path}waitlist?type=${types[workshop]}`, code: `${path}register?code=SPEAKERS` },
    ...{ 'no tickets': '/ada/empty/', 'nothing there': '/orders/none' },
  })
  const { page } = await openPage(t, app.siteUrl)
  const wrong: string[] = []
  for (const [name, to] of Object.entries(pages)) {
    await page.goto(`${app.siteUrl}${to}${to.includes('?') ? '&' : '?'}lang=es`)
    if ((await page.getAttribute('html', 'lang')) !== 'es') wrong.push(`${name} is not in Spanish`)
    wrong.push(...(await faultsOf(page, name)))
  }
  assert.deepEqual(wrong, [])
})
