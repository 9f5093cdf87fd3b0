import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { SLICE } from '#product/administration/access-log/store.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newRegistration } from '#test/support/requests.ts'
import { textsIn } from '#texts/catalogue.ts'

test('the log says who did what, from where, to what, and what was refused', async t => {
  const { member, accountId, client, db, ...server } = await startDashboard(t)
  const { eventId } = server
  const owner = await member('owner')
  const { body: made } = await client.post('/registrations', newRegistration(server))
  await client.post(`/registrations/${made.id}/cancel`, {})
  await client.post(`/registrations/${made.id}/cancel`, {})
  await (await owner.open(`/manage/e/${eventId}/settings/page`)).fill({ City: 'Segovia' }).press('Save')
  const page = await owner.open(`/manage/a/${accountId}/log`)
  const rows = page.rows()
  assert.match(
    rows[0] as string,
    /^Changed an event Spring Meeting\s?Changed: city\s?Person owner\s?127.0.0.1/,
  )
  assert.doesNotMatch(page.html, /Segovia/)
  assert.match(rows[1] as string, /^Cancelled a registration Refused.*cancelled already.*Key “test”/)
  assert.doesNotMatch(rows[2] as string, /Refused/)
  const hrefs = [...page.document.querySelectorAll<HTMLAnchorElement>('tbody th a')].map(a => a.pathname)
  assert.ok(hrefs.includes(`/manage/e/${eventId}`))
  assert.ok(hrefs.includes(`/manage/e/${eventId}/guests/${made.id}`))

  const ofKey = await page.follow('Key “test”')
  assert.ok(ofKey.rows().length > 1 && ofKey.rows().every(row => row.includes('Key “test”')))
  const [key] = await db.read(accountId, tx => keys.list(tx))
  const path = `/manage/a/${accountId}/log?who=key:${key?.id}&what=registration.create`
  assert.equal((await owner.open(path)).rows().length, 1)
  assert.match((await owner.open(`${path}&what=x`)).text, /Made a registration/)
})

test('pages go on by a cursor, which is good for its account and its filters alone', async t => {
  const { member, accountId, db } = await startDashboard(t)
  const owner = await member('owner')
  const by = { who: 'cli', requestId: null, address: null, targetType: 'event', targetId: null }
  await db.write(accountId, async tx => {
    for (let at = 0; at < 120; at++) await accessLog.record(tx, { ...by, action: 'event.update' })
  })
  let page = await owner.open(`/manage/a/${accountId}/log`)
  const older = new URL(page.document.querySelector<HTMLAnchorElement>('.pages a')?.href ?? '')
  let shown = page.rows().length
  assert.equal(shown, 50)
  for (let at = 0; at < 2; at++) {
    page = await page.follow('Older')
    shown += page.rows().length
  }
  const all = await db.read(accountId, tx => accessLog.list(tx, 1000))
  assert.equal(shown, all.length)
  assert.ok(!page.links().includes('Older'))
  assert.equal((await owner.open(`${older.pathname}${older.search}&who=cli`)).status, 400)
})

test('what is rare is looked for among so many entries at a time, and the next page goes on behind them', async t => {
  const { member, accountId, db } = await startDashboard(t)
  const owner = await member('owner')
  const by = { requestId: null, address: null, targetType: 'event', targetId: null }
  const write = (action: string, who: string, times: number) =>
    db.write(accountId, async tx => {
      for (let at = 0; at < times; at++) await accessLog.record(tx, { ...by, who, action })
    })
  await write('clock.repair', 'cli', 1)
  await write('event.update', 'cli', 5 * SLICE)
  await write('clock.repair', 'cli', 1)
  const page = await owner.open(`/manage/a/${accountId}/log?what=clock.repair`)
  assert.equal(page.rows().length, 1)
  const next = await page.follow('Older')
  assert.equal(next.rows().length, 1)
  assert.ok(!next.links().includes('Older'))
  const none = await owner.open(`/manage/a/${accountId}/log?what=key.revoke`)
  assert.match(none.text, /go on with the older ones/)
})

test('the log has words for every action that the program records, in both languages', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    name => /\.tsx?$/.test(name) && !name.startsWith('texts/'),
  )
  const found = files.flatMap(name =>
    [
      ...readFileSync(join('src', name), 'utf8').matchAll(
        /(?:\baction: |recordOfUser\([^)]*\), |entryOn\()'(\w+\.\w+)'/g,
      ),
    ].map(([, action]) => action as string),
  )
  assert.ok(new Set(found).size > 20)
  for (const language of ['en', 'es'] as const) {
    const actions: Readonly<Record<string, string>> = textsIn(language).log.actions
    assert.deepEqual([...new Set(found.filter(action => actions[action] === undefined))], [], language)
  }
})

test('the log has words for every field of a form that changes something, in both languages', () => {
  const sources = readdirSync('src/faces/dashboard', { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => readFileSync(join('src/faces/dashboard', name), 'utf8'))
    .filter(text => /\n {2}current(: |,)/.test(text))
  const found = sources.flatMap(text =>
    [...text.matchAll(/^ {2,4}(\w+): (?:\w+Field|optional|place)\(/gm)].map(([, name]) => name as string),
  )
  assert.ok(new Set(found).size > 40)
  for (const language of ['en', 'es'] as const) {
    const fields: Readonly<Record<string, string>> = textsIn(language).log.fields
    assert.deepEqual([...new Set(found.filter(name => fields[name] === undefined))], [], language)
  }
})

test('the log in Spanish', async t => {
  const { member, accountId } = await startDashboard(t)
  const owner = await member('owner', { language: 'es' })
  const page = await owner.open(`/manage/a/${accountId}/log`)
  assert.match(page.rows().join(), /Se unió al equipo/)
  assert.match(page.text, /Registro de accesos/)
})
