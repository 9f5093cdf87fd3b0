import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNavigation } from '#faces/dashboard/frame/navigation.ts'
import type { Page } from '#faces/dashboard/frame/page.ts'
import { pages } from '#faces/dashboard/routes.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { MARK_PRINTED } from '#product/entrance/badges/mark-printed.ts'
import { DECIDE } from '#product/entrance/check-ins/decide-many.ts'
import { SEND } from '#product/mailing/notices/send.ts'
import { REFUND_EVENT } from '#product/selling/event-cancellation/event.ts'
import { CANCEL } from '#product/selling/event-cancellation/rules.ts'
import { addUnpaid } from '#test/support/every-row.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { en } from '#texts/en/index.ts'

const named = (level: string, from: readonly Page[]) =>
  readNavigation(from)
    .entries.filter(page => page.level === level)
    .map(page => page.navigation.text(en))

/** Returns the links of a list of the navigation. */
function linksOf(page: ReadPage, list: '.nav > .wide' | '.nav > .narrow' | '.sheet'): string[] {
  return [...page.document.querySelectorAll(`${list} a`)].map(each => (each.textContent ?? '').trim())
}

/** Returns the links that the navigation marks, in each of its lists. */
function lit(page: ReadPage): string[] {
  const marked = page.document.querySelectorAll(':is(.nav > .wide, .nav > .narrow, .sheet) [aria-current]')
  return [...new Set([...marked].map(each => (each.textContent ?? '').trim()))]
}

test('the navigation of an event names its guests, orders and door before what is prepared once', () => {
  assert.deepEqual(named('event', pages), [
    ...['Overview', 'Guests', 'Orders', 'Check-in'],
    ...['Tickets', 'Waitlist', 'Abstracts', 'Messages', 'Reports', 'Settings'],
  ])
})

test('the navigation of an organization ends with what is seldom needed', () => {
  assert.deepEqual(named('account', pages), [
    ...['Events', 'Payments', 'Bank statements', 'Reports', 'Team', 'Settings'],
    ...['Messages', 'API keys', 'Webhooks', 'Access log', 'System'],
  ])
})

test('the order does not follow the folders, nor where a page stands in them', () => {
  for (const level of ['account', 'event'])
    assert.deepEqual(named(level, pages.toReversed()), named(level, pages))
})

test('a page that would have no place in the navigation is refused at the start', () => {
  const page = pages.find(({ path }) => path === '/e/{event}/guests') as Page
  assert.throws(() => readNavigation([{ ...page, path: '/e/{event}/somewhere' }]), /somewhere has no place/)
})

test('a page without an entry that names none is refused at the start, so that it cannot light the first one', () => {
  const page = pages.find(({ path }) => path === '/e/{event}/cancel') as Page
  const { belongsTo, ...stray } = page
  assert.equal(belongsTo, '/e/{event}')
  const others = pages.filter(each => each !== page)
  assert.throws(() => readNavigation([...others, stray as Page]), /cancel belongs to no page/)
  const lost = { ...page, belongsTo: '/e/{event}/nowhere' } as Page
  assert.throws(() => readNavigation([...others, lost]), /cancel belongs to no page/)
})

test('a phone shows four links, the door before the orders, and the others behind More', async t => {
  const { member, eventId, accountId } = await startDashboard(t)
  const owner = await member('owner')
  const event = await owner.open(`/manage/e/${eventId}/guests`)
  assert.deepEqual(linksOf(event, '.nav > .narrow'), ['Overview', 'Guests', 'Check-in', 'Orders'])
  const all = linksOf(event, '.nav > .wide')
  assert.deepEqual(all.slice(0, 4), ['Overview', 'Guests', 'Orders', 'Check-in'])
  assert.deepEqual(linksOf(event, '.sheet'), all.slice(4))
  const account = await owner.open(`/manage/a/${accountId}`)
  assert.deepEqual(linksOf(account, '.nav > .narrow'), ['Events', 'Payments', 'Team', 'Settings'])
  // Whoever sees five pages needs nothing behind More.
  const finance = await (await member('finance')).open(`/manage/e/${eventId}/guests`)
  assert.deepEqual(linksOf(finance, '.nav > .narrow'), [
    'Overview',
    'Guests',
    'Orders',
    'Waitlist',
    'Reports',
  ])
  assert.equal(finance.document.querySelector('.sheet'), null)
})

test('a page without an entry marks the one it belongs to, an order the orders and a question of the event the overview', async t => {
  const { member, db, accountId, eventId, types } = await startDashboard(t)
  await addUnpaid(db, accountId, eventId, types.Standard as string)
  const owner = await member('owner')
  const marks = async (path: string) => lit(await owner.open(`/manage${path}`))
  const event = `/e/${eventId}`
  assert.deepEqual(await marks(event), ['Overview'])
  for (const page of ['cancel', 'duplicate']) assert.deepEqual(await marks(`${event}/${page}`), ['Overview'])
  const orders = await owner.open(`/manage${event}/orders`)
  assert.deepEqual(lit(orders), ['Orders'])
  const order = await orders.follow('Lin')
  assert.deepEqual(lit(order), ['Orders'])
  assert.deepEqual(await marks(`${event}/guests/new`), ['Guests'])
  for (const page of ['check-in', 'doors', 'doors/new', 'doors/scans', 'doors/paper', 'badges'])
    assert.deepEqual(await marks(`${event}/${page}`), ['Check-in'], page)
  assert.deepEqual(await marks(`${event}/tickets/codes`), ['Tickets'])
  assert.deepEqual(await marks(`/a/${accountId}/new-event`), ['Events'])
  assert.deepEqual(await marks(`/a/${accountId}/owed`), ['Events'])
  assert.deepEqual(await marks(`/a/${accountId}/reports/receipts`), ['Reports'])
})

test('a job marks the page it came from', async t => {
  const { member, db, accountId, eventId } = await startDashboard(t)
  const owner = await member('owner')
  const cameFrom = {
    [CANCEL]: 'Guests',
    [REFUND_EVENT]: 'Overview',
    [SEND]: 'Messages',
    [DECIDE]: 'Check-in',
    [MARK_PRINTED]: 'Check-in',
  }
  for (const [kind, entry] of Object.entries(cameFrom)) {
    const input = kind === DECIDE ? { decision: 'seen' } : kind === SEND ? { kind: 'cancelled' } : {}
    const job = await db.write(accountId, tx =>
      jobs.start(tx, { kind, eventId, input, total: 1, by: `user:${owner.user.id}` }),
    )
    assert.deepEqual(lit(await owner.open(`/manage/e/${eventId}/jobs/${job.id}`)), [entry], kind)
  }
})

test('the pages of check-in link to each other by tabs, and a door member begins there', async t => {
  const { member, accountId, eventId } = await startDashboard(t)
  const door = await member('door')
  const list = await door.open(`/manage/a/${accountId}`)
  const desk = await list.follow('Spring Meeting')
  assert.equal(desk.path, `/manage/e/${eventId}/check-in`)
  const tabs = () => [...desk.document.querySelectorAll('main .tabs a')].map(each => each.textContent?.trim())
  assert.deepEqual(tabs(), ['Desk', 'Doors', 'Scans', 'List on paper', 'Badges'])
  for (const [tab, heading] of [
    ['Doors', 'Doors'],
    ['Scans', 'Scans'],
    ['List on paper', 'List on paper'],
    ['Badges', 'Badges'],
  ] as const) {
    const page = await desk.follow(tab)
    assert.equal(page.heading, heading)
    assert.equal(page.document.querySelector('main .tabs [aria-current]')?.textContent?.trim(), tab)
  }
  const manager = await (await member('manager')).open(`/manage/a/${accountId}`)
  assert.equal((await manager.follow('Spring Meeting')).path, `/manage/e/${eventId}`)
})

test('a refusal keeps the navigation of the event for its members, and shows nothing of it to others', async t => {
  const { member, visitor, eventId, accountId } = await startDashboard(t)
  const finance = await member('finance')
  const refused = await finance.open(`/manage/e/${eventId}/settings`)
  assert.equal(refused.status, 403)
  assert.deepEqual(linksOf(refused, '.nav > .wide'), ['Overview', 'Guests', 'Orders', 'Waitlist', 'Reports'])
  assert.equal(refused.document.querySelectorAll('h1').length, 1)
  const missing = await finance.open(`/manage/e/${eventId}/orders/018f0000-0000-7000-8000-000000000000`)
  assert.equal(missing.status, 404)
  assert.deepEqual(lit(missing), ['Orders'])
  const ofAccount = await finance.open(`/manage/a/${accountId}/team`)
  assert.equal(ofAccount.status, 403)
  assert.ok(linksOf(ofAccount, '.nav > .wide').includes('Events'))
  const limited = await member('door', { email: 'other-door@example.org', eventIds: [] })
  const unseen = await limited.open(`/manage/e/${eventId}/check-in`)
  assert.equal(unseen.status, 404)
  assert.doesNotMatch(unseen.text, /Spring Meeting/)
  assert.deepEqual(linksOf(unseen, '.nav > .wide'), ['Events'])
  assert.equal((await visitor().open(`/manage/e/${eventId}`)).document.querySelector('.nav'), null)
})
