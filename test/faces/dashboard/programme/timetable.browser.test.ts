import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { HOUR } from '#base/time.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { names, startSale } from '#test/support/people/sale.ts'
import { addRoom, addSession, addSlot, read } from '#test/support/programme.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

after(closeBrowser)

const [UNBROKEN, ARABIC] = names

/** Starts a server with five accepted abstracts, and one that was withdrawn after it was placed. */
async function start(t: Parameters<typeof startSale>[0], language: 'en' | 'es' = 'en') {
  const sale = await startSale(t, {}, { takes_abstracts: true })
  const { app, db, accountId, eventId, member } = sale
  const kinds = [{ name: 'Talk', minutes: 20, poster: false }]
  const call = await openCall(sale, { per_person: 50, kinds, topics: ['Rooms', UNBROKEN] })
  const chosen = { topic_id: call.topics[0]?.id as string, kind_id: call.kinds[0]?.id as string }
  const ids: string[] = []
  for (const title of ['On doors', UNBROKEN, ARABIC, 'On floors', 'On roofs']) {
    const { submission } = await begin(sale)
    await send(sale, submission.id, contentOf({ title, ...chosen }))
  }
  await db.write(accountId, async tx => {
    await tx.run("UPDATE abstracts SET status = 'accepted', decided_at = 1 WHERE account_id = $1", [
      accountId,
    ])
    const rows = await tx.all<{ id: string }>(
      'SELECT id FROM abstracts WHERE account_id = $1 ORDER BY created_at',
      [accountId],
    )
    ids.push(...rows.map(({ id }) => id))
  })
  const hall = await addRoom(sale, 'Hall')
  const long = await addRoom(sale, UNBROKEN.slice(0, 100))
  const starts_at = Date.parse('2026-12-01T09:00:00Z')
  const chairs = [{ name: ARABIC, email: null }]
  const one = await addSession(sale, { title: 'Morning', room_id: hall.id, starts_at, chairs })
  const two = await addSession(sale, { title: UNBROKEN, room_id: long.id, starts_at, about: UNBROKEN })
  await addSession(sale, { title: 'Evening', starts_at: starts_at + 8 * HOUR })
  await addSlot(sale, one, { title: 'Welcome', minutes: 15 })
  await addSlot(sale, one, { abstract_id: ids[1] as string, minutes: 20 })
  await addSlot(sale, one, { abstract_id: ids[2] as string, minutes: 0 })
  await db.write(accountId, tx =>
    tx.run('UPDATE abstracts SET withdrawn_at = 1 WHERE account_id = $1 AND id = $2', [
      accountId,
      ids[1] as string,
    ]),
  )
  const chair = await member('chair', { language })
  const value = chair.cookies.get('session') as string
  const cookie = { name: 'session', value, domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true }
  const storageState = { cookies: [{ ...cookie, secure: false, sameSite: 'Lax' as const }], origins: [] }
  return { sale, one, two, ids, storageState, path: `${app.siteUrl}/manage/e/${eventId}/programme` }
}

/** Returns what stands in the sessions that have something, in their order. */
async function placed(sale: Parameters<typeof read>[0]): Promise<(string | null)[][]> {
  return (await read(sale)).sessions.flatMap(({ title, slots }) =>
    slots.length === 0 ? [] : [[title, ...slots.map(slot => slot.abstract?.title ?? slot.title)]],
  )
}

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS
  if (folder === undefined) return
  for (const [width, scheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: scheme })
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true })
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

test('each page of a programme is without a barrier, with the longest names, in both languages', {
  timeout: 240_000,
}, async t => {
  for (const language of ['en', 'es'] as const) {
    const { one, two, ids, storageState, path, sale } = await start(t, language)
    const { page, messages } = await openPage(t, path, { storageState })
    const [slot] = (await read(sale)).sessions.find(({ id }) => id === one.id)?.slots ?? []
    const wrong: string[] = []
    const pages = {
      overview: path,
      warnings: `${path}/warnings`,
      rooms: `${path}/rooms`,
      room: `${path}/rooms/new`,
      session: `${path}/sessions/${one.id}`,
      other: `${path}/sessions/${two.id}`,
      new: `${path}/sessions/new`,
      change: `${path}/sessions/${two.id}/change`,
      remove: `${path}/sessions/${two.id}/remove`,
      add: `${path}/sessions/${two.id}/add`,
      text: `${path}/sessions/${two.id}/text`,
      slot: `${path}/slots/${slot?.id}`,
      place: `${path}/abstracts/${ids[4]}`,
    }
    for (const [name, address] of Object.entries(pages)) {
      await page.goto(address)
      if (name === 'overview') await page.locator('#warnings summary').click()
      await shoot(page, `${name}-${language}`)
      wrong.push(...(await faultsOf(page, `${name}-${language}`)))
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual(messages, [])
  }
})

test('slots and abstracts are dragged within and between sessions, and the same is done by keyboard alone', {
  timeout: 240_000,
}, async t => {
  const { sale, one, two, storageState, path } = await start(t)
  const { page, messages } = await openPage(t, path, { storageState })
  // All of it is to be seen at once.
  await page.setViewportSize({ width: 1280, height: 1600 })
  const settle = async (wanted: string) => page.getByRole('status').getByText(wanted).waitFor()
  const slot = (text: string) => page.locator('[data-slot]', { hasText: text })
  const drop = async (what: Locator, onto: Locator) => {
    await what.scrollIntoViewIfNeeded()
    await what.hover()
    await page.mouse.down()
    // A browser begins to drag with the first move, and says where it is with each.
    const { x = 0, y = 0 } = (await onto.boundingBox()) ?? {}
    await page.mouse.move(x + 40, y + 8, { steps: 5 })
    await page.mouse.move(x + 30, y + 3)
    await page.mouse.up()
  }
  await drop(slot(ARABIC), slot('Welcome'))
  await settle(`“${ARABIC}” is moved.`)
  assert.deepEqual(await placed(sale), [['Morning', ARABIC, 'Welcome', UNBROKEN]])
  const other = page.locator(`.by-room [data-session="${two.id}"]`)
  await drop(page.locator('[data-abstract]', { hasText: 'On roofs' }), other.locator('.when').first())
  await settle('1 entry is added.')
  await drop(slot('Welcome'), slot('On roofs'))
  await settle('“Welcome” is moved.')
  const now = new Map((await placed(sale)).map(([title, ...rest]) => [title, rest]))
  assert.deepEqual(now.get('Morning'), [ARABIC, UNBROKEN])
  assert.deepEqual(now.get(UNBROKEN), ['Welcome', 'On roofs'])
  // The page is as it was: it is dragged from again.
  await drop(page.locator('[data-abstract]', { hasText: 'On doors' }), slot('On roofs'))
  await settle('1 entry is added.')
  // By keyboard, on the page of the session.
  await page.goto(`${path}/sessions/${two.id}`)
  await page.getByRole('button', { name: /^Move .*On doors up/ }).focus()
  await page.keyboard.press('Enter')
  await settle('“On doors” is moved.')
  const then = new Map((await placed(sale)).map(([title, ...rest]) => [title, rest]))
  assert.deepEqual(then.get(UNBROKEN), ['On doors', 'Welcome', 'On roofs'])
  // It is dragged on the page of a session, too.
  await drop(slot('On roofs'), slot('On doors'))
  await settle('“On roofs” is moved.')
  assert.equal(one.title, 'Morning')
  assert.deepEqual(messages, [])
})

test('without a script, the pages have all forms, and say nothing of dragging', {
  timeout: 120_000,
}, async t => {
  const { sale, two, storageState, path } = await start(t)
  const { page } = await openPage(t, path, { storageState, javaScriptEnabled: false })
  assert.equal(await page.getByText('With a mouse').isVisible(), false)
  await shoot(page, 'no-script')
  await page.getByRole('link', { name: 'Place On doors' }).click()
  await page.getByLabel('Session').selectOption(two.id)
  await page.getByRole('button', { name: 'Place it' }).click()
  await page.getByText('1 entry is added.').waitFor()
  const now = new Map((await placed(sale)).map(([title, ...rest]) => [title, rest]))
  assert.deepEqual(now.get(UNBROKEN), ['On doors'])
})
