import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventChanges } from '#product/catalog/events/schemas.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

async function start(t: TestContext) {
  const event = {
    codes: [
      {
        code: 'Spring',
        percent: 25,
        registration_types: ['Standard'],
        max_tickets: 2,
        note: '<i>Members</i>',
      },
      { code: 'Backstage' },
      { code: 'Past', amount: 500, valid_until: '2026-01-01T00:00:00Z' },
    ],
    registrations: [registration('one', { attendees: [{ name: 'Ann', code: 'spring' }] })],
  }
  const server = await startDashboard(t, organization({ event }))
  const { db, accountId, eventId } = server
  const list = () => db.read(accountId, tx => codes.listAll(tx, eventId))
  return { ...server, list, path: `/manage/e/${eventId}/tickets/codes` }
}

test('codes stand with what they do, how often they were used and how they stand; one is switched off at once', async t => {
  const { member, path, list } = await start(t)
  const manager = await member('manager')
  let page = await (await manager.open(path.replace('/codes', ''))).follow('Codes')
  assert.deepEqual(
    page.rows().map(row => row.replace(/\s+/g, ' ')),
    [
      'Past€5.00 offAll tickets0EndedDeactivate',
      'BackstageShows hidden ticketsAll tickets0ActiveDeactivate',
      'Spring<i>Members</i>25 % offStandard1 of 2ActiveDeactivate',
    ],
  )
  page = await page.press('Deactivate: Spring')
  assert.deepEqual(page.messages, ['“Spring” no longer works.'])
  assert.equal((await list()).find(({ code }) => code === 'Spring')?.active, false)
  page = await page.press('Activate: Spring')
  assert.match(page.rows()[2] as string, /Active/)
})

test('a code is made, and what is wrong with it is told at its field', async t => {
  const { member, path, list } = await start(t)
  const manager = await member('manager')
  const form = (await (await manager.open(path)).follow('New code')).fill({
    Code: 'SPRING',
    Percentage: '101',
    Amount: '5',
  })
  let page = await form.press('Add the code')
  assert.match(page.messages[0] as string, /Percentage: Enter a whole number from 1 to 100/)
  page = await page.fill({ Percentage: '10' }).press('Add the code')
  assert.match(page.text, /Another one has this already/)
  page = await page.fill({ Code: ' Autumn ' }).press('Add the code')
  assert.match(page.messages[0] as string, /Amount: This does not go together with the other/)
  const good = page.fill({ Percentage: '', Standard: true, Limit: '50' })
  assert.deepEqual((await good.press('Add the code')).messages, ['“Autumn” is added.'])
  await good.press('Add the code')
  const made = (await list()).filter(({ code }) => code === 'Autumn')
  assert.deepEqual(
    made.map(({ amount, percent, max_tickets, registration_type_ids: ids }) => [
      amount,
      percent,
      max_tickets,
      ids?.length,
    ]),
    [[500, null, 50, 1]],
  )
})

test('an edit keeps what somebody else has changed, and never less than is used; a used code is not removed', async t => {
  const { member, path, list } = await start(t)
  const manager = await member('manager')
  const [code] = await list()
  const open = () => manager.open(`${path}/${code?.id}`)
  const [mine, other] = [await open(), await open()]
  await other.fill({ Note: 'Friends' }).press('Save')
  await mine.fill({ Limit: '1' }).press('Save')
  const [spring] = await list()
  assert.deepEqual([spring?.note, spring?.max_tickets, spring?.used], ['Friends', 1, 1])
  assert.match((await (await open()).follow('Remove…')).text, /“Spring” cannot be removed/)
  const refused = await manager.post(`${path}/${spring?.id}/remove`, { 'form.seen': 'Spring' })
  assert.equal(refused.status, 409)
  const ask = await (await (await manager.open(path)).follow('Past')).follow('Remove…')
  assert.deepEqual((await ask.press('Remove the code')).messages, ['“Past” is removed.'])
  assert.deepEqual(
    (await list()).map(({ code }) => code),
    ['Spring', 'Backstage'],
  )
})

test('many codes are made by one form, once, and downloaded as a file that no spreadsheet evaluates', async t => {
  const { member, path, list } = await start(t)
  const manager = await member('manager', { language: 'es' })
  const form = (await (await manager.open(path)).follow('Crear muchos')).fill({
    Cuántos: '1001',
    Comienzo: '-VIP',
    Porcentaje: '100',
    Nota: '=1+1',
  })
  let page = await form.press('Crear los códigos')
  assert.equal(page.status, 422)
  page = page.fill({ Cuántos: '120' })
  const made = await page.press('Crear los códigos')
  assert.deepEqual(made.messages, ['Se han creado 120 códigos.'])
  await page.press('Crear los códigos')
  const all = await list()
  assert.equal(all.length, 123)
  assert.equal(made.rows().length, 50)
  assert.equal((await (await made.follow('Anteriores')).follow('Anteriores')).rows().length, 23)
  const csv = await manager.open(`${path}.csv`)
  const lines = csv.html.split('\r\n')
  assert.equal(lines.length, 125)
  assert.match(lines.at(-2) as string, /^"'-VIP[^"]{10}","100","","","","","","1","0","true","'=1\+1"$/)
  assert.match(String(csv.headers['content-disposition']), /codes-spring-meeting\.csv/)
})

test('who may not edit the event sees no codes and makes none', async t => {
  const { member, path, list } = await start(t)
  const finance = await member('finance')
  for (const page of [path, `${path}.csv`, `${path}/generate`])
    assert.equal((await finance.open(page)).status, 403)
  assert.equal((await finance.post(`${path}/new`, { code: 'Mine' })).status, 403)
  assert.equal((await list()).length, 3)
})

test('a code has its link to copy: of a private event to the page, of another to what it offers, of a draft none yet', async t => {
  const { member, path, list, db, accountId, eventId, visitor } = await start(t)
  const manager = await member('manager')
  await db.write(accountId, tx => accounts.update(tx, { slug: 'ada' }))
  const [past, , spring] = (await list()).sort((one, other) => one.code.localeCompare(other.code))
  const linkOf = async (id: string | undefined) => {
    const page = await manager.open(`${path}/${id}`)
    const field = page.document.querySelector<HTMLInputElement>('input[aria-label="Link with this code"]')
    return field?.value.replace(/^https?:\/\/[^/]+/, '')
  }
  const show = (changes: EventChanges) => db.write(accountId, tx => events.update(tx, eventId, changes))
  const notice = async () => {
    const { text, document } = await manager.open(`/manage/e/${eventId}/settings/page`)
    const label = 'Link with the newest code that works'
    const field = document.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)
    return [text.includes('This event is private'), field?.value.replace(/^https?:\/\/[^/]+/, '')]
  }
  assert.equal(past?.code, 'Backstage')
  assert.equal(await linkOf(spring?.id), '/ada/spring-meeting/register?code=Spring')
  assert.deepEqual(await notice(), [false, undefined])
  await show({ visibility: 'private' })
  const link = await linkOf(spring?.id)
  assert.equal(link, '/ada/spring-meeting/?code=Spring')
  assert.match((await visitor().open(link)).heading, /Spring Meeting/)
  // The newer codes have ended.
  assert.deepEqual(await notice(), [true, '/ada/spring-meeting/?code=Backstage'])
  await db.write(accountId, tx => tx.run("UPDATE events SET status = 'draft' WHERE id = $1", [eventId]))
  assert.equal(await linkOf(spring?.id), undefined)
  assert.deepEqual(await notice(), [true, undefined])
})
