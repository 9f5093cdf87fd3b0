import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE } from '#base/time.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { MANY_BADGES, MOST_BADGES } from '#product/entrance/badges/rules.ts'
import { amend } from '#product/guests/registrations/amendment.ts'
import { organization, registration } from '#test/support/organization.ts'
import { PdfFile, withoutPoppler } from '#test/support/pdf.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { PageReader, ReadPage } from '#test/support/people/page-reader.ts'
import { newRegistration } from '#test/support/requests.ts'

const skip = withoutPoppler

const layout = {
  ...{ format: 'labels_14', width: 620, height: 400, offset_x: 0, offset_y: 0 },
  ...{ question: 'company', qr: false },
}
const company = { key: 'company', label: 'Company', kind: 'text', asked_for: 'ticket', required: false }

async function start(t: TestContext, event: object = {}) {
  const pending = registration('later', {
    status: 'pending',
    buyer: { name: 'Late', email: 'l@example.org' },
  })
  const file = organization({
    event: { questions: [company], badge_layout: layout, registrations: [pending], ...event },
  })
  const server = await startDashboard(t, file)
  const { client, db, eventId, accountId } = server
  const buyer = { name: 'Grace', email: 'grace@example.org' }
  const guests = async (names: readonly string[]) => {
    const attendees = names.map(name => ({ name }))
    const { body } = await client.post('/registrations', newRegistration(server, { buyer, attendees }))
    return (body.attendees as { id: string; name: string }[]).map(each => ({
      ...each,
      of: body.id as string,
    }))
  }
  return {
    ...server,
    guests,
    path: `/manage/e/${eventId}/badges`,
    printed: async () => {
      const sql = `SELECT a.name FROM attendees a JOIN registrations r ON r.id = a.registration_id
        WHERE r.event_id = $1 AND a.badge_printed_at IS NOT NULL ORDER BY a.name`
      const rows = await db.read(accountId, tx => tx.all<{ name: string }>(sql, [eventId]))
      return rows.map(({ name }) => name)
    },
    lastEntry: async () => (await db.read(accountId, tx => accessLog.list(tx, 1)))[0],
  }
}

function hrefOf(page: ReadPage, text: string): string {
  const links = [...page.document.querySelectorAll('a')]
  return links.find(({ textContent }) => textContent === text)?.getAttribute('href') ?? ''
}

test('a sample shows a short and a long name before anything is printed, notes nothing, and is there once badges are set up', {
  skip,
}, async t => {
  const { member, path, printed, guests, client, eventId } = await start(t)
  await guests(['Grace'])
  const door = await member('door')
  const sample = hrefOf(await door.open(path), 'See a sample')
  assert.equal(sample, `${path}/sample/pdf`)
  const text = await readFile(t, door, `${path}/sample`)
  assert.match(text, /Ada Lovelace[\s\S]*Featherstonehaugh[\s\S]*An answer/)
  assert.doesNotMatch(text, /Grace/)
  assert.deepEqual(await printed(), [])
  const manager = await member('manager')
  await (await manager.open(`${path}/layout`)).press('Print no badges for this event')
  await client.get(`/events/${eventId}`)
  assert.equal((await manager.open(sample)).status, 404)
})

/** Downloads a print, and returns the text of its pages. */
async function readFile(t: TestContext, door: PageReader, path: string, query = ''): Promise<string> {
  const [at] = /^[^?]*/.exec(path) ?? []
  const { status, headers, bytes } = await door.download(`${at}/pdf${query}`)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/pdf')
  return new PdfFile(t, bytes).text(1)
}

test('who checks in prints the badges that are not printed yet, by name, and prints them again or says that they did not come out', {
  skip,
}, async t => {
  const server = await start(t)
  const { member, path, guests, printed, lastEntry } = server
  const [, , , voided] = await guests(['zoë', 'Ada', 'Émile', 'Nobody'])
  await server.db.write(server.accountId, tx =>
    tx.run('UPDATE attendees SET voided = 1 WHERE id = $1', [voided?.id as string]),
  )
  const door = await member('door')
  const page = await door.open(path)
  assert.match(page.text, /3 badges are not printed yet\. That is 1 page\./)
  assert.deepEqual(await printed(), [], 'a look changes nothing')
  const print = await page.fill({ 'Begin with label': '3' }).press('Print 3 badges')
  assert.equal(print.heading, '3 badges to print')
  assert.deepEqual((await printed()).sort(), ['Ada', 'zoë', 'Émile'].sort())
  const entry = await lastEntry()
  assert.deepEqual(
    [entry?.action, entry?.actor, entry?.target_id, entry?.details],
    ['badges.print', `user:${door.user.id}`, server.eventId, { badges: 3 }],
  )
  assert.match(hrefOf(print, 'Open the PDF'), /\/pdf\?first=3$/)
  const text = await readFile(t, door, print.path, '?first=3')
  assert.match(text, /Ada[\s\S]*Émile[\s\S]*zoë/)
  assert.doesNotMatch(text, /Nobody|Late/)

  const after = await door.open(path)
  assert.match(after.text, /All 3 badges are printed\./)
  const [late] = await guests(['Bob'])
  server.clock.advance(MINUTE)
  const next = await door.open(path)
  const second = await next.press('Print 1 badge')
  assert.match(second.text, /Bob/)
  assert.match(await readFile(t, door, second.path), /Bob/)
  assert.doesNotMatch(await readFile(t, door, second.path), /Ada/)

  server.clock.advance(MINUTE)
  const again = await (await door.open(path)).press('Print 4 badges again')
  assert.equal(again.heading, '4 badges to print')
  assert.match((await door.open(second.path)).text, /Nothing of this print is left/)
  const undone = await again.press('They did not come out')
  assert.deepEqual(undone.messages, ['4 badges are not printed yet.'])
  assert.deepEqual(await printed(), [])
  assert.equal((await lastEntry())?.action, 'badges.undo')
  // The same button, sent again, takes nothing back.
  await door.send(`${again.path.split('?')[0]}/undo`, '', server.app.siteUrl)
  assert.match((await door.open(path)).text, /4 badges are not printed yet/)

  const check = await door.open(`/manage/e/${server.eventId}/check-in?q=Bob`)
  const one = await check.press('Badge for Bob')
  assert.equal(one.heading, '1 badge to print')
  assert.deepEqual([(await lastEntry())?.target_id, await printed()], [late?.id, ['Bob']])
  const twice = await door.open(`/manage/e/${server.eventId}/check-in?q=Bob`)
  assert.equal((await twice.press('Badge again for Bob')).heading, '1 badge to print')
})

test('a badge has the answer that the layout names, and who is renamed or gets another code is printed again', {
  skip,
}, async t => {
  const server = await start(t)
  const { member, path, guests, printed, db, accountId } = server
  const [ada] = await guests(['Ada'])
  const answers = (text: string) =>
    db.write(accountId, tx =>
      tx.run('UPDATE attendees SET answers = $2 WHERE id = $1', [ada?.id as string, text]),
    )
  await answers('{"company":"Elm Hall & Sons"}')
  const door = await member('door')
  const first = await (await door.open(path)).press('Print 1 badge')
  assert.match(await readFile(t, door, first.path), /Ada\s+Elm Hall & Sons\s+Standard/)
  const rename = (name: string) =>
    db.write(accountId, tx =>
      amend(tx, ada?.of as string, { attendees: [{ id: ada?.id as string, name, seat: 'B2' }] }),
    )
  await rename('Ada')
  assert.deepEqual(await printed(), ['Ada'])
  await rename('Ada Lovelace')
  assert.deepEqual(await printed(), [])
})

test('the filter of the list of guests narrows a print, and so does a search', { skip }, async t => {
  const { member, path, guests, eventId, applied, client, ...server } = await start(t)
  await guests(['Ada', 'Zoë'])
  const free = applied.events['spring-meeting']?.registration_types.Free as string
  const buyer = { name: 'Free Bob', email: 'bob@example.org' }
  await client.post('/registrations', {
    ...newRegistration({ ...server, eventId } as never, { buyer }),
    registration_type_id: free,
  })
  const manager = await member('manager')
  const list = await manager.open(`/manage/e/${eventId}/guests?type=${free}`)
  assert.match((await list.follow('Badges')).text, /1 badge is not printed yet/)
  const found = await manager.open(`${path}?q=zoë`)
  const print = await found.press('Print 1 badge')
  assert.match(await readFile(t, manager, print.path), /Zoë/)
  assert.match((await manager.open(path)).text, /2 badges are not printed yet/)
  assert.match((await manager.open(`${path}?type=nonsense`)).text, /Nobody here/)
})

test('a print from 200 on is noted by a job, has 1,000 badges at most, and leaves the others to the next', {
  skip,
}, async t => {
  const server = await start(t, {
    registration_types: [{ name: 'Standard', price: 0, capacity: 5000 }],
  })
  const { member, path, guests, printed, app } = server
  const door = await member('door')
  const names = (from: number, n: number) =>
    Array.from({ length: n }, (_, at) => `Guest ${String(from + at).padStart(4, '0')}`)
  for (let from = 0; from < MANY_BADGES; from += 50) await guests(names(from, 50))
  const print = await (await door.open(path)).press(`Print ${MANY_BADGES} badges`)
  assert.match(print.path, /job=/)
  await app.settled('jobs')
  assert.equal((await printed()).length, MANY_BADGES)
  const ended = await door.open(print.path)
  assert.equal(ended.heading, '200 badges to print')
  const { bytes } = await door.download(hrefOf(ended, 'Open the PDF'))
  assert.match(new PdfFile(t, bytes).info(), /Pages:\s+15\n/)
  for (let from = MANY_BADGES; from < MANY_BADGES + MOST_BADGES + 50; from += 50)
    await guests(names(from, 50))
  const many = await door.open(path)
  assert.match(many.text, /1,050 badges are not printed yet/)
  assert.match(many.text, /at most 1,000 badges/)
  await many.press('Print 1,000 badges')
  await app.settled('jobs')
  assert.match((await door.open(path)).text, /50 badges are not printed yet/)
})

test('two desks that print the same list at once print each badge once', { skip }, async t => {
  const { member, path, guests } = await start(t)
  await guests(['Ada', 'Zoë'])
  const door = await member('door')
  const [one, two] = [await door.open(path), await door.open(path)]
  await one.press('Print 2 badges')
  const second = await two.press('Print 2 badges')
  assert.match(second.text, /Badges|Print|print/)
  const { text } = await door.open(path)
  assert.match(text, /All 2 badges are printed/)
})

test('badges are set up by who may change the event, and only who checks in sees them', async t => {
  const server = await start(t, { badge_layout: null })
  const { member, path, eventId, guests } = server
  await guests(['Ada'])
  const door = await member('door')
  assert.match((await door.open(path)).text, /Somebody who may change the event chooses their size/)
  assert.equal((await door.open(`${path}/layout`)).status, 403)
  for (const role of ['finance', 'chair'] as const)
    assert.equal((await (await member(role)).open(path)).status, 403)
  const search = await door.open(`/manage/e/${eventId}/check-in?q=Ada`)
  assert.doesNotMatch(search.text, /Badge for/)
  const manager = await member('manager')
  assert.doesNotMatch((await manager.open(`/manage/e/${eventId}/guests`)).text, /Badges/)
  const form = await manager.open(`${path}/layout`)
  const small = { 'A size of your own, such as of a roll': true, 'Width in millimetres': '62' }
  const code = { 'The code of the ticket, which a door can scan': true }
  const refused = await form.fill({ ...small, ...code, 'Height in millimetres': '20' }).press('Save')
  assert.equal(refused.status, 400)
  assert.match(refused.text, /no room for a code/)
  const wrong = await refused.fill({ 'Move down, in millimetres': '900' }).press('Save')
  assert.match(wrong.text, /Type millimetres from -20 to 20/)
  const saved = await wrong
    .fill({ 'Height in millimetres': '40,5', 'Move down, in millimetres': '-1.5' })
    .press('Save')
  assert.match(saved.text, /1 badge is not printed yet/)
  const { badge_layout: kept } = await server.db.read(server.accountId, async tx => {
    const rows = await tx.all<{ badge_layout: string }>('SELECT badge_layout FROM events WHERE id = $1', [
      eventId,
    ])
    return rows[0] as { badge_layout: string }
  })
  assert.deepEqual(JSON.parse(kept), {
    ...{ format: 'own', width: 620, height: 405, offset_x: 0, offset_y: -15, question: null, qr: true },
  })
  const stopped = await (await manager.open(`${path}/layout`)).press('Print no badges for this event')
  assert.match(stopped.text, /No badges yet/)
})

test('nobody prints or sees the badges of another account, of another event, or of nothing', async t => {
  const server = await start(t)
  const { member, path, guests, apply, eventId } = server
  const [ada] = await guests(['Ximena'])
  const door = await member('door')
  const print = await (await door.open(path)).press('Print 1 badge')
  const at = /prints\/(\d+)/.exec(print.path)?.[1]
  const other = await apply(organization({ email: 'bob@example.org', event: { badge_layout: layout } }))
  const theirs = other.events['spring-meeting']?.id as string
  const bob = await member('owner', { email: 'b@example.org', accountId: other.account_id })
  assert.equal((await bob.open(path)).status, 404)
  assert.equal((await bob.open(`/manage/e/${theirs}/badges/prints/${at}`)).text.includes('Ximena'), false)
  assert.equal((await bob.download(`/manage/e/${theirs}/badges/prints/${at}/pdf`)).status, 404)
  const foreign = await bob.send(`/manage/e/${theirs}/badges/tickets/${ada?.id}`, '', server.app.siteUrl)
  assert.equal(foreign.status, 404)
  await bob.send(`/manage/e/${theirs}/badges/prints/${at}/undo`, '', server.app.siteUrl)
  assert.deepEqual(await server.printed(), ['Ximena'])
  for (const wrong of ['x', '1'.repeat(20), '-1'])
    assert.equal((await door.open(`/manage/e/${eventId}/badges/prints/${wrong}`)).status, 404)
})

test('rows that are ticked in the list of guests choose the badges that are printed, and no others', {
  skip,
}, async t => {
  const { guests, member, path, printed, eventId } = await start(t)
  const [ada] = await guests(['Ada Lovelace', 'Augusta King'])
  const [mary] = await guests(['Mary Somerville'])
  await guests(['Grace Hopper'])
  const manager = await member('manager')
  const list = await manager.open(`/manage/e/${eventId}/guests`)
  const button = list.document.querySelector(`button[formaction="${path}"]`)
  assert.equal(button?.textContent, 'Badges')
  const chosen = `${path}?scope=ticked&id=${ada?.of}&id=${mary?.of}&page=${ada?.of}`
  const page = await manager.open(chosen)
  assert.match(page.text, /3 badges are not printed yet/)
  const print = await page.press('Print 3 badges')
  assert.deepEqual(await printed(), ['Ada Lovelace', 'Augusta King', 'Mary Somerville'])
  const text = await readFile(t, manager, print.path)
  assert.doesNotMatch(text, /Grace/)
  // Nothing that is ticked is nobody, not everybody; neither is what is no id.
  for (const nobody of ['', '&id=x', '&id=00000000-0000-7000-8000-000000000000']) {
    const { document } = await manager.open(`${path}?scope=ticked${nobody}`)
    assert.equal(document.querySelector('main form[method=post]'), null, nobody)
  }
  assert.match((await manager.open(`${path}?scope=all`)).text, /1 badge is not printed yet/)
  assert.equal((await printed()).length, 3)
})
