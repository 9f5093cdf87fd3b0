import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { eventLists, listPart } from '#product/catalog/events/lists.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { at, newEvent, newType, seller } from '#test/support/people/organizer.ts'

const START = at('2026-12-01T09:00:00Z')

/** Starts with a series of 40 dates, a day each, and an event of its own behind the 20th of them. */
async function startWithMany(t: Parameters<typeof startDashboard>[0]) {
  const server = await startDashboard(t)
  const { db, accountId } = server
  const made = await db.write(accountId, async tx => {
    await accounts.update(tx, seller)
    const { id } = await events.create(tx, newEvent({ title: 'Tour', starts_at: START }))
    await registrationTypes.create(tx, id, newType('Adult', { capacity: 12 }))
    const starts = Array.from({ length: 39 }, (_, day) => START + (day + 1) * DAY)
    const { made, series } = await repeatEvent(tx, id, { name: 'Tower tours', starts })
    const lone = await events.create(tx, newEvent({ title: 'Lone', starts_at: START + 19.5 * DAY }))
    await registrationTypes.create(tx, lone.id, newType('Adult', { capacity: 5 }))
    return { ids: [id, ...made.map(event => event.id)], lone: lone.id, series }
  })
  const publish = (ids: readonly string[]) =>
    db.write(accountId, async tx => {
      for (const id of ids) await events.setStatus(tx, id, 'published')
    })
  return { ...server, ...made, publish }
}

test('what needs somebody on several dates of a series names the series once, with how many, and leads to the date with the most', async t => {
  const { ids, lone, publish, member, db, accountId, eventId } = await startWithMany(t)
  await publish([...ids, lone])
  await db.write(accountId, async tx => {
    const sell = (id: string, name: string) => registrationTypes.create(tx, id, newType(name, { price: 500 }))
    for (const id of [...ids.slice(0, 7), lone]) await sell(id, 'Dinner')
    await sell(ids[4] as string, 'Supper')
  })
  const needs = async (eventIds: string[] | null, language: 'en' | 'es' = 'en') => {
    const email = `${language}${eventIds?.length}@example.org`
    const page = await (await member('manager', { eventIds, email, language })).open(`/manage/a/${accountId}`)
    return [...page.document.querySelectorAll('#needs ~ ul li')].map(item => [
      item.textContent?.replace(/\s+/g, ' ').trim(),
      item.querySelector('a')?.getAttribute('href'),
    ])
  }
  const named = ': 7 dates. “Look” leads to the one with the most.Look'
  assert.deepEqual(await needs(null), [
    [`Nobody can pay for 8 ticket typesTower tours${named}`, `/manage/e/${ids[4]}`],
    ['Nobody can pay for 1 ticket typeSpring MeetingLook', `/manage/e/${eventId}`],
    ['Nobody can pay for 1 ticket typeLoneLook', `/manage/e/${lone}`],
  ])
  // Of the series, this member has one date that needs somebody, which is an event as any.
  assert.deepEqual(await needs([ids[0] as string, ids[9] as string]), [
    ['Nobody can pay for 1 ticket typeTourLook', `/manage/e/${ids[0]}`],
  ])
  assert.match((await needs(null, 'es')).join(), /Tower tours: 7 fechas\. «Mirar» lleva a la que más tiene\./)
})

test('each list has a series as one row with its sums, which leads to its dates, and other events as ever', async t => {
  const { ids, lone, publish, member, db, accountId } = await startWithMany(t)
  const manager = await member('manager')
  const rows = async (list: string) => (await manager.open(`/manage/a/${accountId}?list=${list}`)).rows()
  const drafts = await rows('drafts')
  assert.equal(drafts.filter(row => /Tower tours/.test(row)).length, 1)
  assert.match(
    drafts.find(row => /Tower tours/.test(row)) ?? '',
    /40 dates[\s\S]*1 Dec 2026 – 9 Jan 2027[\s\S]*0 of 480/,
  )
  await publish([...ids.slice(0, 39), lone])
  const toCome = await rows('to_come')
  assert.match(
    toCome.find(row => /Tower tours/.test(row)) ?? '',
    /39 dates[\s\S]*next 1 Dec 2026[\s\S]*0 of 468/,
  )
  assert.ok(toCome.some(row => /Lone/.test(row)))
  assert.equal(toCome.filter(row => /^Tour(?!s)/.test(row)).length, 0)
  // One date alone is an event as any.
  assert.match((await rows('drafts')).find(row => /^Tour(?!s)/.test(row)) ?? '', /Draft/)
  await db.write(accountId, async tx => {
    for (const id of ids.slice(0, 2)) await events.setStatus(tx, id, 'cancelled')
  })
  assert.equal((await rows('to_come')).filter(row => /Tower tours/.test(row)).length, 1)
  const page = await (await manager.open(`/manage/a/${accountId}?list=to_come`)).follow('Tower tours')
  assert.match(page.text, /40 dates/)
})

test('page by page, in each list, each series and each other event comes once', async t => {
  const { ids, lone, publish, db, accountId, clock } = await startWithMany(t)
  await publish([...ids.slice(0, 30), lone])
  clock.set('2026-12-12T00:00:00Z')
  for (const list of eventLists)
    for (const limit of [1, 2, 50]) {
      const names: string[] = []
      let after: { id: string; created_at: number } | undefined
      for (;;) {
        const page = { limit, after }
        const listed = await db.read(accountId, tx => listPart(tx, list, clock(), page as never))
        names.push(...listed.map(({ event, folded }) => folded?.series.name ?? event.title))
        after = listed.at(-1)?.position
        if (listed.length < limit) break
      }
      assert.equal(new Set(names).size, names.length, `${list} by ${limit}: ${names}`)
    }
})

test('a member of some events sees each of theirs as it is', async t => {
  const { ids, publish, member, accountId } = await startWithMany(t)
  await publish(ids)
  const some = await member('manager', { eventIds: ids.slice(0, 3) })
  const page = await some.open(`/manage/a/${accountId}?list=to_come`)
  assert.equal(page.rows().filter(row => /^Tour(?!s)/.test(row)).length, 3)
  assert.ok(!page.text.includes('Tower tours'))
})

test('the row of a series has the sums of all columns, and names the next date; what is past says from when until when', async t => {
  const { ids, publish, db, accountId, member, clock } = await startWithMany(t)
  await publish(ids.slice(0, 3))
  const today = clock()
  // Each is checked in on its own day.
  for (const [day, id] of ids.slice(0, 4).entries()) {
    clock.set(new Date(START + day * DAY).toISOString())
    await db.write(accountId, async tx => {
      const [type] = await registrationTypes.listDetails(tx, id)
      for (let guest = 0; guest <= day; guest++) {
        const { resource } = await registrations.create(tx, {
          ...{ event_id: id, registration_type_id: type?.id as string },
          buyer: { name: `Guest ${guest}`, email: `guest${guest}@example.org` },
        })
        if (guest === 0) await checkIns.create(tx, { attendee_id: resource.attendees[0]?.id as string })
      }
      await tx.run("UPDATE registrations SET source = 'checkout', amount_total = 1000 WHERE event_id = $1", [
        id,
      ])
    })
  }
  clock.set(new Date(today).toISOString())
  let seen = 0
  // Nobody is signed in for weeks.
  const row = async (list: string, role: 'manager' | 'door' = 'manager') => {
    const reader = await member(role, { email: `reader${seen++}@example.org` })
    const page = await reader.open(`/manage/a/${accountId}?list=${list}`)
    return page.rows().find(each => /Tower tours/.test(each))
  }
  assert.match(
    (await row('to_come')) ?? '',
    /3 dates[\s\S]*next 1 Dec 2026[\s\S]*3[\s\S]*€60\.00[\s\S]*6 of 36/,
  )
  clock.set('2026-12-02T12:00:00Z')
  assert.match((await row('to_come')) ?? '', /2 dates[\s\S]*next 2 Dec 2026/)
  clock.set('2026-12-20T12:00:00Z')
  assert.equal(await row('to_come'), undefined)
  assert.match((await row('past')) ?? '', /3 dates[\s\S]*1 – 3 Dec 2026[\s\S]*3[\s\S]*€60\.00[\s\S]*6 of 36/)
  const forDoor = (await row('past', 'door')) ?? ''
  assert.match(forDoor, /3 dates/)
  assert.doesNotMatch(forDoor, /€/)
})
