import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DAY, HOUR } from '#base/time.ts'
import * as versions from '#product/programme/versions/rules.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { names, startSale } from '#test/support/people/sale.ts'
import { acceptOne, addSession, openProgrammeCall, publishNow } from '#test/support/published.ts'

after(closeBrowser)

const sections = [
  {
    heading: '',
    text: 'Rooms are **full** of H~2~O, and $\\bar{x} = \\frac{1}{n}$ of them are empty.\n\n- one\n- two',
  },
]

test('a visitor finds the programme, a day, an abstract and the book, and no page has a barrier or runs out of the window', {
  timeout: 300_000,
}, async t => {
  const sale = await startSale(t, {}, { contact_email: 'a@example.org' })
  const { app, db, accountId, eventId } = sale
  const call = await openProgrammeCall(sale)
  const [talk, poster] = call.kinds.map(({ id }) => id) as [string, string]
  const authorsOf = (count: number) => ({
    authors: Array.from({ length: count }, (_, at) => ({
      ...{
        given: at === 1 ? (names[0] ?? '') : `Ada ${at}`,
        family: at === 2 ? 'García Márquez' : 'Lovelace',
      },
      ...{ email: null, orcid: null, affiliations: [at % 2], presenting: at === 0 },
    })).map(author => ({ ...author, given: author.given.slice(0, 100) })),
    affiliations: ['Institute of Rooms, Madrid, Spain', names[1] ?? 'Academy'],
  })
  const talks = []
  for (const title of ['On rooms', names[0] ?? '', names[3] ?? '', 'On doors'])
    talks.push(await acceptOne(sale, { title, kind_id: talk, sections, ...authorsOf(4) }))
  const posters = []
  for (const title of ['A wall', 'Another wall'])
    posters.push(await acceptOne(sale, { title, kind_id: poster, sections, ...authorsOf(2) }))
  const from = sale.clock() + DAY
  const room = { room: 'Main hall', chairs: ['Chiara Chair', names[1] ?? ''], from }
  await addSession(sale, { title: 'Opening', ...room }, ['Welcome', ...talks.slice(0, 2), 'Coffee'])
  await addSession(
    sale,
    { title: names[0] ?? '', room: names[1]?.slice(0, 100) ?? 'B', from: from + HOUR },
    talks.slice(2),
  )
  await addSession(
    sale,
    { title: 'Posters', room: 'Foyer', from: from + DAY, hours: 3 },
    posters.map(({ id }) => ({ id, minutes: 0 })),
  )
  await addSession(sale, { title: 'An empty session', from: from + DAY }, [])
  await publishNow(sale)
  const start = `${app.siteUrl}/ada/spring-meeting/`
  const { page, requests, messages } = await openPage(t, start)
  const wrong: string[] = []
  const shot = async (name: string) => {
    if (process.env.SHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SHOTS}/programme-${name}.png`, fullPage: true })
    wrong.push(...(await faultsOf(page, name)))
  }
  await shot('event')
  await page.getByRole('link', { name: 'See the programme' }).click()
  await shot('day')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await shot('day-narrow-dark')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  // The keyboard alone searches.
  await page.getByLabel('Search the programme').focus()
  await page.keyboard.type('lovelace rooms')
  await page.keyboard.press('Enter')
  await page.getByText('contributions found').waitFor()
  await shot('found')
  await page.getByRole('link', { name: 'On rooms' }).click()
  await shot('abstract')
  await page.setViewportSize({ width: 390, height: 844 })
  await shot('abstract-narrow')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${start}programme?q=nothing+at+all&lang=es`)
  await shot('none-es')
  await page.goto(`${start}programme/book`)
  await shot('book')
  if (process.env.SHOTS !== undefined)
    await page.pdf({ path: `${process.env.SHOTS}/programme-book.pdf`, preferCSSPageSize: true })
  await page.goto(`${start}programme`)
  if (process.env.SHOTS !== undefined)
    await page.pdf({ path: `${process.env.SHOTS}/programme-day.pdf`, format: 'A4' })
  await db.write(accountId, tx => versions.show(tx, eventId, null))
  await page.goto(`${start}programme`)
  await shot('gone')
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    messages.filter(message => !/status of 4/.test(message)),
    [],
  )
  assert.deepEqual(
    requests.filter(url => !url.startsWith(app.siteUrl)),
    [],
  )
})
