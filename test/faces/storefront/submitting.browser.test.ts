import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SECOND } from '#base/time.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { pdfOf } from '#test/support/files.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { names, startSale } from '#test/support/people/sale.ts'
import { openCall } from '#test/support/submissions.ts'

after(closeBrowser)

const ORGANIZED = {
  file: 'required' as const,
  about: 'We look for **new** results.\n\n- rooms\n- doors',
  sections: ['Background', 'Results'],
  topics: ['Rooms', names[1] ?? 'Doors'],
  kinds: [
    { name: 'Talk', minutes: 15, poster: false },
    { name: 'Poster', minutes: null, poster: true },
  ],
}

test('an abstract is begun, sent, changed and withdrawn, and no page of it has a barrier or runs out of the window', {
  timeout: 240_000,
}, async t => {
  const sale = await startSale(t, {}, { contact_email: 'a@example.org', takes_abstracts: true })
  const { app, path, clock } = sale
  await openCall(sale, ORGANIZED)
  const { page, requests, messages } = await openPage(t, `${app.siteUrl}${path}abstracts`)
  const wrong = await faultsOf(page, 'call')
  const shot = async (name: string) => {
    if (process.env.SHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
    wrong.push(...(await faultsOf(page, name)))
  }
  const choose = async (name: string, buffer: Buffer) => {
    await page.getByLabel('Choose a PDF').setInputFiles({ name, mimeType: 'application/pdf', buffer })
    await page.getByRole('button', { name: /^(Attach|Replace) the file$/ }).click()
  }
  await shot('call')
  await page.getByRole('link', { name: 'Begin an abstract' }).click()
  await shot('new')
  clock.advance(2 * SECOND)
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await shot('refused')
  await page.getByLabel('Your name').fill('Lin Mei')
  await page.getByLabel('Your e-mail').fill('lin@example.org')
  await page.getByRole('button', { name: 'This is me' }).click()
  assert.equal(await page.getByLabel('Family name').first().inputValue(), 'Mei')
  await page.getByRole('button', { name: 'Add an author' }).click()
  await page.getByLabel('Title').fill(names[0] ?? 'On rooms')
  clock.advance(2 * SECOND)
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await page.waitForURL(/\/abstracts\/[\w-]{46}\/edit$/)
  await shot('edit')
  await page.getByRole('button', { name: 'Check and send…' }).click()
  await shot('lacking')
  await page.getByLabel('Topic').selectOption({ index: 1 })
  await page.getByLabel('Kind of contribution').selectOption({ index: 1 })
  await page.getByLabel('Background').fill('Rooms are **full**.\n\n- of H~2~O\n- of m^2^')
  await page.getByLabel('Results').fill('They are empty.')
  await page.getByLabel('Affiliation 1').fill('Institute of Rooms, Madrid')
  await page.getByRole('group', { name: 'Who presents it?' }).getByLabel('Lin Mei').check()
  await page.getByRole('button', { name: 'Check and send…' }).click()
  await page.getByRole('link', { name: 'The call asks for a file. Attach a PDF.' }).waitFor()
  await shot('file-missing')
  await choose(`${names[0]}.pdf`, pdfOf(500_000))
  await page.getByText('500 kB').waitFor()
  await shot('file')
  await page.getByRole('button', { name: 'Check and send…' }).click()
  await page.waitForURL(/\/send$/)
  await shot('check')
  await page.getByRole('link', { name: 'Change something' }).click()
  await choose('other.pdf', Buffer.from('no PDF'))
  await page.getByText('This is no PDF').first().waitFor()
  await shot('file-refused')
  await page.goto(page.url().replace(/\/file.*$/, '/send'))
  await page.getByRole('button', { name: 'Send it' }).click()
  await page.waitForURL(/\?sent$/)
  await shot('sent')
  await page.getByRole('link', { name: 'Change something' }).click()
  await page.getByLabel('Results').fill('They are full.')
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await page.getByText('They are full.').waitFor()
  await page.getByRole('link', { name: 'Withdraw…' }).click()
  await shot('withdraw')
  await page.getByRole('button', { name: 'Withdraw the abstract' }).click()
  await page.getByText('This abstract is withdrawn.').waitFor()
  await shot('withdrawn')
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
