import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DAY } from '#base/time.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { names, startSale } from '#test/support/people/sale.ts'
import { onceSettled } from '#test/support/settled.ts'
import { openCall } from '#test/support/submissions.ts'

after(closeBrowser)

const [UNBROKEN, ARABIC] = names
const TABLE = [
  'title;Aim;topic;kind;authors;affiliations;email',
  `${UNBROKEN};They fill.;Rooms;Talk;Lin Mei [1];Institute;lin@example.org`,
  `${ARABIC};They open.;Rooms;Talk;${ARABIC};;mei@example.org`,
  `${UNBROKEN};;Walls;Talk;Lin Mei <0000> [7];;nobody`,
].join('\n')

test('a call is looked at before it opens, and abstracts are added by hand and from a file, without a barrier in any page', {
  timeout: 240_000,
}, async t => {
  const sale = await startSale(t, {}, { takes_abstracts: true })
  const { app, eventId, clock, member } = sale
  const kinds = [{ name: 'Talk', minutes: 20, poster: false }]
  const span = { opens_at: clock() + DAY, closes_at: clock() + 9 * DAY }
  await openCall(sale, { ...span, kinds, sections: ['Aim'], topics: ['Rooms', UNBROKEN] })
  const owner = await member('owner')
  const value = owner.cookies.get('session') as string
  const cookie = { name: 'session', value, domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true }
  const cookies = [{ ...cookie, secure: false, sameSite: 'Lax' as const }]
  const list = `${app.siteUrl}/manage/e/${eventId}/abstracts`
  const { page, requests, messages } = await openPage(t, list, { storageState: { cookies, origins: [] } })
  const wrong: string[] = []
  const look = async (name: string) => {
    if (process.env.SHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
    wrong.push(...(await faultsOf(page, name)))
  }
  await look('list')
  await page.getByRole('link', { name: 'See what authors will see' }).click()
  await look('preview')
  await page.getByRole('link', { name: 'Begin an abstract' }).click()
  assert.ok(await page.getByLabel('Your name').isDisabled())
  assert.ok(await page.getByRole('button', { name: 'Save', exact: true }).last().isDisabled())
  await look('preview-form')
  await page.getByRole('link', { name: 'Back to the abstracts' }).click()
  await page.getByRole('link', { name: 'Add an abstract' }).click()
  await look('new')
  await page.getByLabel('Name of the person').fill('Lin Mei')
  await page.getByLabel('E-mail of the person').fill('lin@example.org')
  await page.getByRole('button', { name: 'Is who submits it' }).click()
  assert.equal(await page.getByLabel('Family name').first().inputValue(), 'Mei')
  await page.getByRole('button', { name: 'Add the abstract' }).last().click()
  await page.getByRole('alert').waitFor()
  await look('refused')
  await page.goto(`${list}/import`)
  await look('import')
  const file = { name: `${UNBROKEN}.csv`, mimeType: 'text/csv', buffer: Buffer.from(TABLE) }
  await page.setInputFiles('#file', file)
  await page.getByRole('button', { name: 'Read the file' }).click()
  await page.getByText('2 abstracts would be added.').waitFor()
  await look('read')
  await page.getByRole('link', { name: 'Wrong' }).click()
  await page.getByText('Line 4').waitFor()
  await look('wrong')
  await page.getByRole('link', { name: 'Add 2 abstracts' }).click()
  await look('ask')
  await page.getByRole('button', { name: 'Add 2 abstracts' }).click()
  await onceSettled(sale, 'jobs', 'the end of the job', () => true)
  await page.getByText('2 abstracts were added.').waitFor()
  await look('added')
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
