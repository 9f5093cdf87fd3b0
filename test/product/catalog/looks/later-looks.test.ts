import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LaterDate } from '#product/catalog/events/later-dates.ts'
import * as events from '#product/catalog/events/rules.ts'
import { setLogoWithLater } from '#product/catalog/looks/later-looks.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { newEvent, startWithOrganizer } from '#test/support/people/organizer.ts'

test('a logo that takes more than 64 MB on all later dates together is refused, and stands nowhere', async t => {
  const { write, read } = await startWithOrganizer(t)
  const { id } = await write(tx => events.create(tx, newEvent()))
  const date: LaterDate = { id, starts_at: 0, timezone: 'Europe/Madrid', currency: 'EUR' }
  const size = { hash: 'a'.repeat(64), width: 480, height: 144, page: 'png' as const, pageContent: null }
  const logo = { ...size, content: 'A'.repeat(1024 * 1024) }
  const set = (dates: number) =>
    write(tx => setLogoWithLater(tx, id, logo, new Array<LaterDate>(dates).fill(date)))
  await assert.rejects(set(65), { code: 'in_use', details: { reason: 'logo_too_large' } })
  assert.equal((await read(tx => looks.findOwn(tx, id))).logo, null)
  assert.equal((await set(2)).length, 2)
  assert.equal((await read(tx => looks.findOwn(tx, id))).logo?.width, 480)
})
