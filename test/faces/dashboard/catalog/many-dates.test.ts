import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { sortAmong } from '#product/catalog/events/lists.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import { countStatements } from '#test/support/count-statements.ts'
import { at, newEvent, newType, seller } from '#test/support/people/organizer.ts'
import { startStorefront } from '#test/support/people/storefront.ts'

const START = at('2026-12-01T09:00:00Z')

/** A statement lists 128 events at most, so long lists take a few more; and a server looks at this and that meanwhile. */
const MOST_MORE = 30

test('the pages of a series and the list of events read as many statements for 160 dates as for ten, but for a few', async t => {
  const count = countStatements(t)
  const { db, accountId, member, visit } = await startStorefront(t)
  const made = await db.write(accountId, async tx => {
    await accounts.update(tx, seller)
    const { id } = await events.create(tx, newEvent({ title: 'Tour', starts_at: START }))
    await registrationTypes.create(tx, id, newType('Adult', { capacity: 12, price: 500 }))
    await repeatEvent(tx, id, { name: 'Tours', starts: [START + DAY] })
    return id
  })
  const grow = (from: number, dates: number) =>
    db.write(accountId, async tx => {
      const starts = Array.from({ length: dates }, (_, day) => START + (from + day) * DAY)
      const { made: all, series } = await repeatEvent(tx, made, { name: 'Tours', starts })
      // Half of them are drafts.
      for (const [day, { id }] of all.entries())
        if (day % 2 === 0) await events.setStatus(tx, id, 'published')
      return series.id
    })
  const manager = await member('manager')
  const series = await grow(2, 8)
  const ids = async () => (await db.read(accountId, tx => events.listAll(tx))).map(({ id }) => id)
  const dashboard = `/manage/a/${accountId}`
  const pages: Record<string, () => Promise<{ status: number; text: string }>> = {
    'to come': () => manager.open(`${dashboard}?list=to_come`),
    drafts: () => manager.open(`${dashboard}?list=drafts`),
    dates: () => manager.open(`${dashboard}/series/${series}`),
    publish: () => manager.open(`${dashboard}/series/${series}/publish`),
    visitors: () => visit('/ada/tours/?lang=en'),
    feed: () => visit('/ada/tours/events.atom'),
    calendar: () => visit('/ada/tours/events.ics'),
    map: () => visit('/sitemap.xml'),
  }
  const measure = async () => {
    const counts: Record<string, number> = {}
    for (const [name, open] of Object.entries(pages)) {
      counts[name] = await count(async () => assert.equal((await open()).status, 200, name))
    }
    const some = await member('manager', { email: `some${counts.dates}@example.org`, eventIds: await ids() })
    counts['dates of some'] = await count(async () =>
      assert.equal((await some.open(`${dashboard}/series/${series}`)).status, 200),
    )
    counts['events of some'] = await count(async () =>
      assert.match((await some.open(dashboard)).text, /Needs you.*Tours: \d+ dates\./s),
    )
    const listed = await ids()
    counts['list of some'] = await count(() => db.read(accountId, tx => sortAmong(tx, listed, START)))
    return counts
  }
  const few = await measure()
  await grow(10, 150)
  const many = await measure()
  t.diagnostic(JSON.stringify({ few, many }))
  for (const [name, found] of Object.entries(many)) {
    assert.ok(found <= (few[name] ?? 0) + MOST_MORE, `${name}: ${few[name]} for ten, ${found} for 160`)
  }
  assert.match((await manager.open(`${dashboard}/series/${series}`)).text, /160 dates/)
})
