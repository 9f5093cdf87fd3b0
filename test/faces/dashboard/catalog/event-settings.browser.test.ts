import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

after(closeBrowser)

/** Opens a browser in which an owner is signed in, beside a draft without a date. */
async function begin(t: TestContext) {
  const file = organization({ event: { status: 'draft', starts_at: null, ends_at: null } })
  const dashboard = await startDashboard(t, file)
  const { app, member, eventId } = dashboard
  const owner = await member('owner')
  const { page } = await openPage(t, `${app.siteUrl}/manage/sign-in`)
  const value = owner.cookies.get('session') as string
  await page.context().addCookies([{ name: 'session', value, url: app.siteUrl }])
  // The browser asks before a form with changes is left, and the test confirms it.
  page.on('dialog', dialog => dialog.accept())
  const event = `${app.siteUrl}/manage/e/${eventId}`
  const edges = async (selector: string) => {
    const box = await page.locator(selector).boundingBox()
    assert.ok(box !== null, selector)
    return { ...box, right: box.x + box.width, bottom: box.y + box.height }
  }
  return { ...dashboard, page, event, edges }
}

test('a person who goes back finds what they typed into settings, and a browser keeps no guest', async t => {
  const { page, event } = await begin(t)
  const typeAndReturn = async (address: string, fields: readonly string[]) => {
    await page.goto(address)
    for (const name of fields) await page.locator(`[name="${name}"]`).fill(`typed@${name}.example`)
    await page.goto(event)
    await page.goBack()
    return Promise.all(fields.map(name => page.locator(`[name="${name}"]`).inputValue()))
  }
  const given = [
    ['settings', ['title', 'slug']],
    ['settings/page', ['description', 'city', 'address', 'contact_email']],
    ['settings/sale', ['payment_days', 'terms']],
  ] as const
  for (const [path, fields] of given) {
    const kept = fields.map(name => `typed@${name}.example`)
    assert.deepEqual(await typeAndReturn(`${event}/${path}`, fields), kept, path)
  }
  assert.deepEqual(await typeAndReturn(`${event}/guests/new`, ['buyer_email']), [''])
  // A preview is a page of its own, and going back from it keeps the rest of the form too.
  await page.goto(`${event}/settings/page`)
  await page.fill('#city', 'Lugo')
  await page.click('[formaction]')
  await page.waitForURL(/#preview$/)
  await page.goBack()
  assert.equal(await page.inputValue('#city'), 'Lugo')
})

test('a preview opens beside its text in a wide window, and on a phone the page lands on it, below the text', async t => {
  const { page, event, edges } = await begin(t)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${event}/settings/page`)
    await page.fill('#description', '**Bring** a mug.')
    await page.click('[formaction]')
    await page.waitForURL(/#preview$/)
    const [text, shown] = [await edges('#description'), await edges('.beside .card')]
    if (width === 1280) assert.ok(shown.x >= text.right && shown.y < text.bottom, 'It is not beside.')
    else assert.ok(shown.y >= text.bottom && shown.y < text.bottom + 100, 'It is not right below.')
    const bar = await edges('.bar')
    const title = await edges('#preview')
    assert.ok(title.y >= bar.bottom && title.bottom < 800, `The preview is out of sight at ${width}.`)
  }
})

test('a link into a setting shows its field with its label, and the way back is there by keyboard alone', async t => {
  const { page, event, edges } = await begin(t)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 500 })
    await page.goto(event)
    await page.getByRole('link', { name: 'Set the date' }).click()
    await page.waitForURL(/#starts_at$/)
    const [bar, label] = [await edges('.bar'), await edges('label[for=starts_at]')]
    assert.ok(label.y >= bar.bottom, `The label is out of sight at ${width}.`)
    assert.ok((await edges('#starts_at')).bottom < 500)
  }
  await page.fill('#starts_at', '2026-11-20T10:00')
  await page.locator('#starts_at').press('Enter')
  await page.waitForURL(event)
  assert.match(await page.locator('.banner.good').innerText(), /is saved/)
})
