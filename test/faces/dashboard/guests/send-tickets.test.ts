import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { amendRegistration } from '#product/selling/orders/amendment.ts'
import { place } from '#product/selling/orders/place.ts'
import type { ReceivedMail } from '#test/support/mail-server.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { readCode, readPng } from '#test/support/qr-reader.ts'
import { onceSettled } from '#test/support/settled.ts'
import { calendarIn, orderFree, startTicketMail, subjectsOf } from '#test/support/ticket-mail.ts'

const TICKETS = 'Your tickets for Spring Meeting'
const CANCELLED = 'Cancelled: Spring Meeting'

const guest = (reference: string, changes: object = {}) =>
  registration(reference, {
    registration_type: 'Free',
    buyer: { name: reference, email: `${reference.toLowerCase()}@example.org` },
    ...changes,
  })

/**
 * Lin was imported with one ticket, Mia with three: one for herself, one for Bob, and one for Lin. Pete waits, and Gone is
 * cancelled. Grace has ordered here.
 */
async function startUnsent(t: TestContext, event: object = {}) {
  const file = organization({
    event: {
      registrations: [
        guest('Lin'),
        guest('Mia', {
          attendees: [
            { name: 'Mia' },
            { name: 'Bob', email: 'bob@example.org' },
            { name: 'Lin', email: 'LIN@example.org' },
          ],
        }),
        guest('Pete', { status: 'pending' }),
        guest('Gone', { status: 'cancelled' }),
      ],
      ...event,
    },
  })
  const dashboard = await startDashboard(t, file)
  const { db, accountId, eventId, clock, types, applied, member } = dashboard
  const manager = await member('manager')
  const list = `/manage/e/${eventId}/guests`
  const ids = applied.events['spring-meeting']?.registrations as Record<string, string>
  const order = () =>
    orderFree(db, { accountId, eventId, typeId: types.Free as string }, 'Grace', [
      ['Grace', null],
      ['Ann', 'ann@example.org'],
    ])
  /** Waits for the end of the job whose page this is. */
  const end = (path: string) =>
    onceSettled(dashboard, 'jobs', 'the end of the job', async () => {
      const page = await manager.open(path)
      return /Done/.test(page.text) && page
    })
  const read = (id: string) => db.read(accountId, tx => registrations.get(tx, id))
  return {
    ...dashboard,
    manager,
    list,
    ids,
    order,
    end,
    read,
    startMail: () => startTicketMail(t, db, clock),
  }
}

/** Does the same with a server for mail, which gets each mail soon. */
async function start(t: TestContext, event: object = {}) {
  const dashboard = await startUnsent(t, event)
  return { ...dashboard, mail: await dashboard.startMail() }
}

/** Reads the codes in the pictures of a mail. */
function codesIn({ parsed }: ReceivedMail): (string | undefined)[] {
  return parsed.attachments
    .filter(({ contentType }) => contentType === 'image/png')
    .map(({ content }) => readCode(readPng(content)))
}

test('all that match are sent their tickets, those of one address in one mail, and a repeat sends nothing twice', async t => {
  const { manager, list, mail, end, order, ids, read } = await start(t)
  await order()
  assert.equal((await mail.take()).length, 2)
  const confirmation = await (await manager.open(list)).fill({ Which: 'all' }).press('Send tickets…')
  // The link above the list leads to the same page.
  const linked = await (await manager.open(list)).follow('Send tickets…')
  assert.deepEqual([linked.heading, linked.text], [confirmation.heading, confirmation.text])
  assert.equal(confirmation.heading, 'Send 4 tickets?')
  assert.match(
    confirmation.text,
    /4 tickets go out in 3 mails.*2 tickets were sent before, and are not sent again/,
  )
  assert.deepEqual(await mail.take(), [])
  const begun = await confirmation.press('Send 3 mails')
  const done = await end(begun.path)
  assert.match(done.text, /Done 3 of 3.*Mails written3.*Tickets in them4/)
  const sent = await mail.take()
  assert.deepEqual(subjectsOf(sent), [
    ['bob@example.org', TICKETS],
    ['lin@example.org', TICKETS],
    ['mia@example.org', TICKETS],
  ])
  const [bob, lin, mia] = (await read(ids.Mia as string)).attendees.length === 3 ? sent : []
  const [forMia, forBob, forLin] = (await read(ids.Mia as string)).attendees.map(({ qr_code }) => qr_code)
  const [own] = (await read(ids.Lin as string)).attendees.map(({ qr_code }) => qr_code)
  assert.deepEqual(codesIn(mia as ReceivedMail), [forMia])
  assert.deepEqual(codesIn(bob as ReceivedMail), [forBob])
  assert.deepEqual(new Set(codesIn(lin as ReceivedMail)), new Set([own, forLin]))
  assert.equal(calendarIn(lin as ReceivedMail)?.method, 'PUBLISH')
  assert.ok(lin?.parsed.attachments.some(({ contentType }) => contentType === 'application/pdf'))
  assert.match(lin?.parsed.text ?? '', /Hello Lin,.*Here is what admits you to Spring Meeting/s)
  // Each ticket has the link to its page, though none of them was ordered.
  const links = (sent: ReceivedMail | undefined) =>
    new Set(sent?.parsed.text?.match(/https:\/\/tickets\.example\.org\/tickets\/[\w-]{46}/g))
  assert.deepEqual([links(mia).size, links(bob).size, links(lin).size], [1, 1, 2])
  assert.match(String(mia?.parsed.html), /Show the ticket/)

  const repeat = await (await manager.open(list)).fill({ Which: 'all' }).press('Send tickets…')
  assert.equal(repeat.heading, 'There is nothing new to send')
  const refused = await repeat.press('Send the tickets')
  assert.match(refused.messages.join(), /None of these tickets is to be sent/)
  const again = await refused.fill({ 'Also send the 6 tickets': true }).press('Send the tickets')
  await end(again.path)
  assert.equal((await mail.take()).length, 5)
})

test('the ticked, or those of the page, are sent; nothing goes to those who wait, are cancelled or belong elsewhere', async t => {
  const { manager, list, mail, end, ids, apply, db } = await start(t)
  const other = await apply(
    organization({ email: 'eve@example.org', event: { registrations: [guest('Zoe')] } }),
  )
  const zoe = other.events['spring-meeting']?.registrations.Zoe as string
  const ticked = await manager.open(
    `${list}/send?scope=ticked&id=${ids.Lin}&id=${ids.Pete}&id=${ids.Gone}&id=${zoe}`,
  )
  assert.equal(ticked.heading, 'Send 1 ticket?')
  assert.match(ticked.text, /2 tickets are void or not confirmed, and not sent/)
  await end((await ticked.press('Send 1 mail')).path)
  assert.deepEqual(subjectsOf(await mail.take()), [['lin@example.org', TICKETS]])
  const nothing = await manager.open(`${list}/send?scope=ticked&id=${zoe}&id=x`)
  assert.equal(nothing.heading, 'There is nothing new to send')
  assert.equal(nothing.document.querySelector('form[method=post] button.main'), null)
  const page = await (await manager.open(list)).fill({ Which: 'page' }).press('Send tickets…')
  assert.equal(page.heading, 'Send 3 tickets?')
  const jobs = await db.read(INSTANCE, tx => tx.all('SELECT id FROM jobs'))
  assert.equal(jobs.length, 1)
})

test('a guest is sent the ticket from their page, and again after the address was corrected', async t => {
  const { manager, list, mail, ids, db, accountId } = await start(t)
  const page = await manager.open(`${list}/${ids.Mia}`)
  const confirmation = await (await page.follow('Show the ticket: Bob')).follow('Send the ticket')
  assert.equal(confirmation.heading, 'Send the ticket of Bob?')
  assert.match(confirmation.text, /It goes to bob@example.org/)
  const sent = await confirmation.press('Send the ticket')
  assert.match(sent.messages.join(), /The ticket of Mia is on its way/)
  assert.match(sent.text, /Tickets sent by mail.*by Person manager/)
  assert.deepEqual(subjectsOf(await mail.take()), [['bob@example.org', TICKETS]])
  assert.match((await manager.open(`${list}/send?scope=all`)).text, /1 ticket was sent before/)
  const bob = (await db.read(accountId, tx => registrations.get(tx, ids.Mia as string))).attendees[1]
  await db.write(accountId, tx =>
    amendRegistration(tx, ids.Mia as string, {
      attendees: [{ id: bob?.id as string, email: 'rob@example.org' }],
    }),
  )
  assert.doesNotMatch((await manager.open(`${list}/send?scope=all`)).text, /sent before/)
  // The same address in other letters is the same address.
  await db.write(accountId, tx => attendees.noteMailed(tx, [bob?.id as string]))
  await db.write(accountId, tx =>
    amendRegistration(tx, ids.Mia as string, {
      attendees: [{ id: bob?.id as string, email: 'ROB@example.org' }],
    }),
  )
  assert.match((await manager.open(`${list}/send?scope=all`)).text, /1 ticket was sent before/)
})

test('a ticket that changes before its mail goes is sent as it is then: void ones and those of others are left out', async t => {
  const { manager, list, startMail, ids, db, accountId, end } = await startUnsent(t)
  await end((await (await manager.open(`${list}/send?scope=all`)).press('Send 3 mails')).path)
  const [mine, , lins] = (await db.read(accountId, tx => registrations.get(tx, ids.Mia as string))).attendees
  await db.write(accountId, async tx => {
    await registrations.cancel(tx, ids.Lin as string)
    const email = 'another@example.org'
    await amendRegistration(tx, ids.Mia as string, { attendees: [{ id: mine?.id as string, email }] })
  })
  const sent = await (await startMail()).take()
  assert.deepEqual(subjectsOf(sent), [
    ['bob@example.org', TICKETS],
    ['lin@example.org', TICKETS],
  ])
  assert.deepEqual(codesIn(sent[1] as ReceivedMail), [lins?.qr_code])
})

test('whoever adds a guest sends the ticket by the same form, unless the tick is taken away', async t => {
  const { manager, list, mail } = await start(t)
  const add = async (name: string, isSent: boolean) => {
    const form = await manager.open(`${list}/new`)
    assert.equal(form.field('Send the ticket by mail').checked, true)
    const values = { 'Name of the buyer': name, 'E-mail of the buyer': `${name}@example.org` }
    form.fill({ ...values, 'Send the ticket by mail': isSent })
    form.field('Ticket type').value =
      form.document.querySelector('option[value]:not([value=""])')?.getAttribute('value') ?? ''
    const page = await form.press('Add the guest')
    assert.equal(page.heading, name)
  }
  await add('Yes', true)
  await add('No', false)
  assert.deepEqual(subjectsOf(await mail.take()), [['yes@example.org', TICKETS]])
})

test('an import offers to send the tickets of those that it added, and of nobody else', async t => {
  const at = await start(t)
  const { manager, list, mail, end } = at
  const columns = await (await manager.open(`${list}/import`))
    .choose(
      'File',
      'guests.csv',
      'Name,Email,Ticket type\nNew One,one@example.org,Free\nNew Two,two@example.org,Free\n',
    )
    .press('Upload')
  const path = columns.path.replace(/\/(columns|start)$/, '')
  const settled = () =>
    onceSettled(at, 'jobs', 'the end of the job', async () => {
      const page = await manager.open(path)
      return page.document.querySelector('progress') === null && page
    })
  if (columns.path.endsWith('/columns')) await columns.press('Check')
  const checked = await settled()
  assert.ok(!checked.links().some(link => link.startsWith('Send')))
  await (await checked.follow('Import 2')).press('Import 2')
  const confirmation = await (await settled()).follow('Send the tickets…')
  assert.equal(confirmation.heading, 'Send 2 tickets?')
  await end((await confirmation.press('Send 2 mails')).path)
  assert.deepEqual(subjectsOf(await mail.take()), [
    ['one@example.org', TICKETS],
    ['two@example.org', TICKETS],
  ])
})

test('tickets of an order that its buyer has not confirmed go to nobody whom a stranger may have named', async t => {
  const { manager, list, mail, db, accountId, eventId, types } = await start(t, { registrations: [] })
  const { agreementHash } = await import('#product/selling/orders/basket.ts')
  await db.write(accountId, tx =>
    place(tx, eventId, {
      formId: crypto.randomUUID(),
      buyer: { name: 'Eve', email: 'eve@example.org' },
      language: 'en',
      answers: {},
      agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
      lines: [{ typeId: types.Free as string, tickets: [{ name: 'Victim', email: 'victim@example.org' }] }],
    }),
  )
  await mail.take()
  const page = await manager.open(`${list}/send?scope=all`)
  assert.equal(page.heading, 'There is nothing new to send')
  assert.match(page.text, /1 ticket goes to nobody yet/)
})

test('a cancelled event sends no ticket, and those who may not write to guests can send none', async t => {
  const { manager, member, list, mail, db, accountId, ids } = await start(t)
  const form = await manager.open(`${list}/send?scope=all`)
  await db.write(accountId, tx => tx.run("UPDATE events SET status = 'cancelled'", []))
  const refused = await form.press('Send 3 mails')
  assert.match(refused.text, /The event is cancelled, so no ticket is sent/)
  const page = await manager.open(`${list}/send?scope=all`)
  assert.match(page.text, /The event is cancelled, so no ticket is sent/)
  assert.ok(!(await manager.open(`${list}/${ids.Lin}`)).links().some(link => link.startsWith('Send')))
  for (const role of ['finance', 'door', 'chair', 'reviewer'] as const) {
    const reader = await member(role)
    for (const path of [`${list}/send?scope=all`, `${list}/${ids.Lin}/send`]) {
      assert.equal((await reader.open(path)).status, 403, role)
      assert.equal((await reader.post(path)).status, 403, role)
    }
  }
  assert.deepEqual(await mail.take(), [])
})

test('whoever cancels one guest can tell them, and does so by default only if they have heard of the ticket', async t => {
  const { manager, list, mail, ids } = await start(t)
  const confirmation = await manager.open(`${list}/${ids.Lin}/cancel`)
  assert.equal(confirmation.field('Tell the guest by mail').checked, false)
  await confirmation.press('Cancel the registration')
  assert.deepEqual(await mail.take(), [])
  await (await manager.open(`${list}/${ids.Mia}/send`)).press('Send the tickets')
  await mail.take()
  const ofMailed = await manager.open(`${list}/${ids.Mia}/cancel`)
  assert.equal(ofMailed.field('Tell the guest by mail').checked, true)
  await ofMailed.press('Cancel the registration')
  const mails = await mail.take()
  assert.deepEqual(subjectsOf(mails), [
    ['bob@example.org', CANCELLED],
    ['lin@example.org', CANCELLED],
    ['mia@example.org', CANCELLED],
  ])
  assert.match(mails[2]?.parsed.text ?? '', /Hello Mia,.*- Mia · Free\s+- Bob · Free\s+- Lin · Free/s)
  assert.doesNotMatch(mails[0]?.parsed.text ?? '', /Mia|Lin/)
  assert.equal(mails[0] && calendarIn(mails[0])?.method, 'CANCEL')
})

test('whoever cancels many chooses who is told: nobody, those who have heard, or all', async t => {
  for (const [choice, recipients] of [
    [undefined, ['lin@example.org']],
    [
      'All, also those',
      ['bob@example.org', 'lin@example.org', 'lin@example.org', 'mia@example.org', 'pete@example.org'],
    ],
    ['Nobody', []],
  ] as const) {
    const { manager, list, mail, end, ids } = await start(t)
    await (await manager.open(`${list}/${ids.Lin}/send`)).press('Send the ticket')
    await mail.take()
    const confirmation = await manager.open(`${list}/cancel?scope=all`)
    if (choice !== undefined) confirmation.fill({ [choice]: true })
    await end((await confirmation.press('Cancel 3 registrations')).path)
    assert.deepEqual(
      subjectsOf(await mail.take()).map(([to]) => to),
      recipients,
    )
  }
})
