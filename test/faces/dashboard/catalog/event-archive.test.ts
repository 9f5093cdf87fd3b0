import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { setArchived } from '#product/catalog/events/archive.ts'
import { eventLists, listPart, sortAmong } from '#product/catalog/events/lists.ts'
import * as events from '#product/catalog/events/rules.ts'
import { duplicateEvent } from '#product/data-care/duplication/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { collectOrganization, organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'

/** The tabs with their counts, and which is current. */
const tabsOf = (page: ReadPage) =>
  [...page.document.querySelectorAll('nav.tabs a')].map(each => {
    const text = (each.textContent ?? '').replace(/\s+/g, ' ').trim()
    return each.getAttribute('aria-current') === 'page' ? `[${text}]` : text
  })

const namesOf = (page: ReadPage) =>
  [...page.document.querySelectorAll('tbody tr a')].map(each => each.textContent)

const dated = (
  slug: string,
  starts_at: string | null,
  status = 'published',
  ends_at: string | null = null,
) => ({
  ...{ slug, title: slug, starts_at, ends_at, status },
})

const some = organization({
  event: { status: 'published', title: 'later', starts_at: '2026-12-20T09:00:00Z', ends_at: null },
  events: [
    dated('next', '2026-11-01T09:00:00Z', 'published', '2026-11-23T18:00:00Z'),
    dated('undated', null),
    dated('called-off', '2026-12-01T09:00:00Z', 'cancelled'),
    dated('long-ago', '2026-01-01T09:00:00Z'),
    dated('last-week', '2026-10-01T09:00:00Z'),
    dated('done-early', '2027-01-01T09:00:00Z', 'completed'),
    dated('idea', '2026-12-24T09:00:00Z', 'draft'),
    dated('thought', null, 'draft'),
  ],
})

test('the list of events has four tabs with addresses: the next ones first, what was last, drafts, and what is archived', async t => {
  const { member, accountId, db, applied } = await startDashboard(t, some)
  const owner = await member('owner')
  const path = `/manage/a/${accountId}`
  const first = await owner.open(path)
  assert.deepEqual(tabsOf(first), ['[To come 4]', 'Past 3', 'Drafts 2', 'Archived'])
  assert.deepEqual(namesOf(first), ['next', 'called-off', 'later', 'undated'])
  const past = await first.follow('Past')
  assert.match(past.path, /\?list=past$/)
  assert.deepEqual(namesOf(past), ['done-early', 'last-week', 'long-ago'])
  assert.deepEqual(namesOf(await past.follow('Drafts')), ['thought', 'idea'])
  const archived = await past.follow('Archived')
  assert.match(archived.text, /No archived event.*under More/s)
  await db.write(accountId, tx => setArchived(tx, applied.events.next?.id as string, true))
  assert.deepEqual(namesOf(await owner.open(`${path}?list=archived`)), ['next'])
  assert.deepEqual(tabsOf(await owner.open(path)), ['[To come 3]', 'Past 3', 'Drafts 2', 'Archived 1'])
  assert.deepEqual(tabsOf(await owner.open(`${path}?list=nonsense`))[0], '[To come 3]')
})

test('who comes to a list with drafts only sees them, and a member of some events sees those only, in the same tabs', async t => {
  const { member, accountId, db, applied } = await startDashboard(
    t,
    organization({ event: { status: 'draft' } }),
  )
  const owner = await member('owner')
  const page = await owner.open(`/manage/a/${accountId}`)
  assert.deepEqual(tabsOf(page), ['To come', 'Past', '[Drafts 1]', 'Archived'])
  assert.match((await page.follow('To come')).text, /No event to come/)
  const { applied: more } = await startDashboard(t, organization({ email: 'bob@example.org' }))
  assert.notEqual(more.account_id, accountId)
  const id = Object.values(applied.events)[0]?.id as string
  const door = await member('door', { eventIds: [id] })
  assert.deepEqual(tabsOf(await door.open(`/manage/a/${accountId}`)), [
    'To come',
    'Past',
    '[Drafts 1]',
    'Archived',
  ])
  await db.write(accountId, tx => setArchived(tx, id, true))
  const archived = await door.open(`/manage/a/${accountId}`)
  assert.deepEqual(tabsOf(archived), ['[To come]', 'Past', 'Drafts', 'Archived 1'])
})

test('both ways to list events agree on every event, page by page', async t => {
  const { accountId, db, applied, clock } = await startDashboard(t, some)
  const ids = Object.values(applied.events).map(({ id }) => id)
  await db.write(accountId, async tx => {
    for (const id of ids.slice(0, 2)) await setArchived(tx, id, true)
  })
  for (const now of [clock(), clock() + 30 * DAY, clock() + 400 * DAY]) {
    const sorted = await db.read(accountId, tx => sortAmong(tx, ids, now))
    for (const list of eventLists) {
      const paged: string[] = []
      for (let after: { created_at: number; id: string } | undefined; ; ) {
        const [one] = await db.read(accountId, tx => listPart(tx, list, now, { limit: 1, after }))
        if (one === undefined) break
        paged.push(one.event.slug)
        after = one.position
      }
      assert.deepEqual(
        paged,
        sorted[list].map(({ event }) => event.slug),
        `${list} at ${now}`,
      )
    }
    assert.equal(eventLists.flatMap(list => sorted[list]).length, ids.length)
  }
})

test('an event is archived at once, and taken back by Undo; its page, its sale and the API stay as they are', async t => {
  const { member, visitor, accountId, eventId, client, db } = await startDashboard(
    t,
    organization({ event: { status: 'published', visibility: 'public' } }),
  )
  await db.write(accountId, tx => accounts.update(tx, { slug: 'ada' }))
  const seen = async () => [
    (await client.get(`/events/${eventId}`)).body,
    (await client.get('/events')).body,
    (await visitor().open('/ada/spring-meeting/')).text,
  ]
  const before = await seen()
  const manager = await member('manager')
  const archived = await (await manager.open(`/manage/e/${eventId}`)).press('Archive')
  assert.match(archived.messages.join(), /“Spring Meeting” is archived\. Its page stays as it is\./)
  assert.match(archived.document.querySelector('.head')?.textContent ?? '', /Archived/)
  assert.deepEqual(tabsOf(await manager.open(`/manage/a/${accountId}`)), [
    '[To come]',
    'Past',
    'Drafts',
    'Archived 1',
  ])
  assert.deepEqual(await seen(), before)
  const undone = await archived.press('Undo')
  assert.deepEqual(undone.messages, ['“Spring Meeting” is in the list again.'])
  assert.deepEqual(tabsOf(await manager.open(`/manage/a/${accountId}`))[0], '[To come 1]')
  const again = await undone.press('Archive')
  await again.press('Take out of the archive')
  const { archived_at } = await db.read(accountId, tx => events.getDetails(tx, eventId))
  assert.equal(archived_at, null)
  assert.deepEqual(await seen(), before)
  for (const role of ['door', 'finance', 'chair', 'reviewer'] as const) {
    const page = await (await member(role)).open(`/manage/e/${eventId}`)
    assert.doesNotMatch(page.text, /Archive/, role)
    assert.equal(
      (await (await member(role, { email: `${role}2@example.org` })).post(`/manage/e/${eventId}/archive`, {}))
        .status,
      403,
      role,
    )
  }
})

test('an event that two people archive at once is archived once, and the log says who did it', async t => {
  const { member, accountId, eventId, db, clock } = await startDashboard(t)
  const owner = await member('owner')
  const manager = await member('manager')
  const path = `/manage/e/${eventId}`
  const [mine, theirs] = await Promise.all([owner.open(path), manager.open(path)])
  const both = await Promise.all([mine.press('Archive'), theirs.press('Archive')])
  for (const page of both) assert.match(page.messages.join(), /is archived/)
  const find = () => db.read(accountId, tx => events.getDetails(tx, eventId))
  const { archived_at } = await find()
  clock.advance(DAY)
  await owner.post(`${path}/archive`, {})
  assert.equal((await find()).archived_at, archived_at)
  const logged = await db.read(accountId, tx => accessLog.list(tx, 50))
  assert.equal(logged.filter(({ action }) => action === 'event.archive').length, 1)
})

test('a copy of an archived event is not archived, and the organization file carries what is', async t => {
  const { accountId, eventId, db, apply } = await startDashboard(t)
  await db.write(accountId, tx => setArchived(tx, eventId, true))
  const find = (id: string) => db.read(accountId, tx => events.getDetails(tx, id))
  const { archived_at } = await find(eventId)
  const copied = { title: 'Copy', slug: 'copy', starts_at: null }
  const copy = await db.write(accountId, tx => duplicateEvent(tx, eventId, copied))
  assert.equal(copy.archived_at, null)
  const file = await db.read(accountId, collectOrganization)
  assert.deepEqual(
    file.events?.map(event => event.archived_at),
    [archived_at, null],
  )
  // A file that does not name the instant leaves it as it is.
  await apply(organization({ event: { title: 'Spring' } }))
  assert.deepEqual([(await find(eventId)).title, (await find(eventId)).archived_at], ['Spring', archived_at])
  await apply(organization({ event: { archived_at: null } }))
  assert.equal((await find(eventId)).archived_at, null)
  const other = await apply({ ...file, account: { ...file.account, email: 'bob@example.org' } } as never)
  const restored = await db.read(other.account_id, tx =>
    events.getDetails(tx, other.events['spring-meeting']?.id as string),
  )
  assert.equal(restored.archived_at, archived_at)
  assert.deepEqual(await findDamage(db), [])
})
