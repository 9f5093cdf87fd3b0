import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DASHBOARD_PATH } from '#faces/dashboard/frame/paths.ts'
import { pages } from '#faces/dashboard/routes.ts'
import { fillPath } from '#machinery/web/link.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { findIds, hardTexts, useEverything } from '#test/support/hard-texts.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

for (const [state, file] of [
  ['full of everything', hardTexts()],
  ['of a new event', organization()],
] as const) {
  test(`every page ${state} has one heading of the first level, and at most one filled button`, async t => {
    const { member, db, accountId, eventId } = await startDashboard(t, file)
    const owner = await member('owner', { email: 'owner@example.org' })
    const work = { kind: 'guests.cancel', eventId, input: { ids: [] }, total: 5, by: 'cli' }
    await db.write(accountId, tx => jobs.prepare(tx, work))
    if (state === 'full of everything') await useEverything(db, accountId, eventId)
    const params: Record<string, string> = { account: accountId, event: eventId, ...(await findIds(db)) }
    const wrong: string[] = []
    let seen = 0
    for (const { path, get, isFile } of pages) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
      if (get === undefined || isFile || names.some(name => params[name] === undefined)) continue
      const page = await owner.open(DASHBOARD_PATH + fillPath(path, params))
      if (page.status !== 200) continue
      seen++
      const headings = page.document.querySelectorAll('h1').length
      const filled = [...page.document.querySelectorAll('main .button.main, main .button.danger')]
      if (headings !== 1) wrong.push(`${path}: ${headings} headings`)
      if (filled.length > 1)
        wrong.push(`${path}: ${filled.map(button => button.textContent?.trim()).join(' and ')}`)
    }
    assert.deepEqual(wrong, [])
    assert.ok(seen > (state === 'of a new event' ? 40 : 90), String(seen))
  })
}
