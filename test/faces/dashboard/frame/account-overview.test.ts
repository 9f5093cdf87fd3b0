import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DAY, HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { setArchived } from '#product/catalog/events/archive.ts'
import * as events from '#product/catalog/events/rules.ts'
import { ofSqlite } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newEvent } from '#test/support/people/organizer.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import type { ServerOptions } from '#test/support/server.ts'

/** Everything can be paid, so that nothing needs a person but what a test is about. */
const payable = { event: { payment_ways: 'door' } }

async function start(t: TestContext, file = organization(payable), options?: ServerOptions) {
  const server = await startDashboard(t, file, options)
  const { db, accountId, clock } = server
  const path = `/manage/a/${accountId}`
  const run = (sql: string, params: (string | number | null)[] = []) =>
    db.write(accountId, tx => tx.run(sql, params))
  /** Gives the account an endpoint that has failed since then, and deliveries that were given up. */
  const fail = async (since: number | null, given: readonly string[] = []) => {
    const types = '["registration.created"]'
    await run(
      `INSERT INTO webhook_endpoints (id, account_id, url, types, enabled, secret, failing_since, created_at, updated_at)
       VALUES ('hook', $1, 'https://crm.example/hook?token=x', $2, 1, 'whsec_x', $3, 1, 1)
       ON CONFLICT (id) DO UPDATE SET failing_since = excluded.failing_since`,
      [accountId, types, since],
    )
    for (const [at, type] of given.entries()) {
      await run("INSERT INTO webhook_events VALUES ($1, $2, $3, '{}', 1, 1)", [`evt_${at}`, accountId, type])
      await run(
        `INSERT INTO webhook_deliveries (id, account_id, event_id, endpoint_id, type, status, attempts, created_at,
           updated_at) VALUES ($1, $2, $3, 'hook', $4, 'failed', 8, 1, 1)`,
        [`del_${at}`, accountId, `evt_${at}`, type],
      )
    }
  }
  const operator = async () => {
    const reader = await server.member('owner', { email: 'operator@example.org' })
    await db.write(INSTANCE, tx => tx.run('UPDATE users SET operator = 1 WHERE id = $1', [reader.user.id]))
    return reader
  }
  return { ...server, path, run, fail, operator, now: () => clock() }
}

test('what needs somebody stands before all else, with where it is mended; without it there is no such part', async t => {
  const { member, path, fail, now, accountId } = await start(t)
  const manager = await member('manager')
  assert.doesNotMatch((await manager.open(path)).text, /Needs you/)
  await fail(now() - HOUR + 1)
  assert.doesNotMatch((await manager.open(path)).text, /Needs you/, 'an endpoint may fail for an hour')
  // Nobody misses a ping.
  await fail(now() - HOUR, ['registration.created', 'ping', 'checkin.created'])
  const page = await manager.open(path)
  assert.match(
    page.text,
    /Needs you ?crm\.example does not answer ?Every webhook to it has failed since 21 Nov 2026/,
  )
  assert.match(page.text, /2 webhooks never reached crm\.example/)
  // The address may carry a secret.
  assert.doesNotMatch(page.html, /token=x/)
  const parts = [...page.document.querySelectorAll('main section, main table')].map(each => each.tagName)
  assert.deepEqual(parts, ['SECTION', 'TABLE'])
  const links = [...page.document.querySelectorAll('#needs ~ ul a')].map(each => each.getAttribute('href'))
  assert.deepEqual(links, Array(2).fill(`/manage/a/${accountId}/webhooks`))
  const spanish = await (await member('owner', { language: 'es' })).open(path)
  assert.match(spanish.text, /Te necesita ?crm\.example no responde/)
})

test('webhooks need those alone who may see them, and those of another account nobody of this one', async t => {
  const { member, path, fail, now, apply, eventId } = await start(t)
  await fail(now() - DAY, ['registration.created'])
  for (const role of ['finance', 'door', 'chair', 'reviewer'] as const) {
    assert.doesNotMatch((await (await member(role)).open(path)).text, /Needs you|crm\.example/, role)
  }
  const { account_id: other } = await apply(organization({ ...payable, email: 'bob@example.org' }))
  const bob = await member('owner', { email: 'bob@example.org', accountId: other })
  assert.doesNotMatch((await bob.open(`/manage/a/${other}`)).text, /Needs you|crm\.example/)
  // A member with only some events has no page of webhooks, which name people of all events.
  const some = await member('manager', { email: 'some@example.org', eventIds: [eventId] })
  const seen = await some.open(path)
  assert.equal(seen.status, 200)
  assert.doesNotMatch(seen.text, /Needs you|crm\.example/)
})

test('a disabled endpoint needs nobody', async t => {
  const { member, path, run, fail, now } = await start(t)
  await fail(now() - DAY, ['registration.created'])
  const owner = await member('owner')
  assert.match((await owner.open(path)).text, /Needs you/)
  await run('UPDATE webhook_endpoints SET enabled = 0')
  assert.doesNotMatch((await owner.open(path)).text, /Needs you/)
})

test('backups and the disk need whoever runs the instance, and nobody else', ofSqlite, async t => {
  const backupDir = join(temporaryFolder(t), 'backups')
  mkdirSync(backupDir)
  let free = 400e6
  const diskSpace = async () => ({ free, total: 40e9 })
  const server = await start(t, organization(payable), { settings: { backupDir }, tuning: { diskSpace } })
  const { member, operator, path, clock, accountId } = server
  const [ada, owner] = [await operator(), await member('owner')]
  const first = await ada.open(path)
  assert.match(first.text, /Needs you ?The disk is nearly full ?400 ?MB of 40 ?GB are free/)
  assert.doesNotMatch(first.text, /backup/i, 'the first is not late yet')
  assert.doesNotMatch((await owner.open(path)).text, /Needs you/)
  free = 30e9
  clock.advance(3 * DAY)
  const late = await (await operatorAgain()).open(path)
  assert.match(late.text, /Needs you ?No backup has been made yet/)
  assert.doesNotMatch(late.text, /disk/)
  const links = [...late.document.querySelectorAll('#needs ~ ul a')].map(each => each.getAttribute('href'))
  assert.deepEqual(links, [`/manage/a/${accountId}/system`])

  async function operatorAgain() {
    const page = await ada.open('/manage/sign-in')
    await page.fill({ 'E-mail': 'operator@example.org', Password: 'correct horse battery' }).press('Sign in')
    return ada
  }
})

test('a server that backs nothing up says so to whoever runs it, once the organization is some days old', async t => {
  const { operator, path, clock, accountId, db } = await start(t)
  const ada = await operator()
  assert.doesNotMatch((await ada.open(path)).text, /backup/i)
  await db.write(accountId, tx => tx.run('UPDATE accounts SET created_at = $1', [clock() - 4 * DAY]))
  assert.match((await ada.open(path)).text, /This server makes no backups by itself/)
})

test('each event has its figures, and a member of some events sees these, however many are newer', async t => {
  const file = organization({
    event: {
      registrations: [
        registration('a', {
          amount_total: 5000,
          attendees: [{ name: 'G', checked_in_at: '2026-11-21T09:30:00Z' }],
        }),
      ],
    },
    events: [{ slug: 'elsewhere', title: 'Elsewhere', currency: 'USD' }],
  })
  const { member, path, db, accountId, eventId } = await start(t, file)
  const page = await (await member('owner')).open(path)
  assert.match(page.rows().join('\n'), /Spring Meeting.*Published.*1€50\.001 of 200/)
  assert.match(page.rows().join('\n'), /Elsewhere.*00 of 0/)
  await db.write(accountId, async tx => {
    for (let at = 0; at < 30; at++) await events.create(tx, newEvent({ title: `Newer ${at}` }))
  })
  assert.equal((await (await member('manager')).open(`${path}?list=drafts`)).rows().length, 25)
  const door = await member('door', { eventIds: [eventId] })
  const [own, ...others] = (await door.open(path)).rows()
  assert.match(own ?? '', /Spring Meeting/)
  assert.deepEqual(others, [])
})

test('orders that wait, and mails that failed, are counted by event and lead to where they are, for whoever decides there', async t => {
  const others = Array.from({ length: 6 }, (_, at) => ({ slug: `e${at}`, title: `Event <b>${at}</b>` }))
  const server = await start(t, organization({ ...payable, events: others }))
  const { member, path, run, accountId, eventId, applied, clock, apply } = server
  const order = (id: string, event: string | undefined, waits: 'approval' | null, owner = accountId) =>
    run(
      `INSERT INTO orders (id, account_id, event_id, reference, status, waits_for, buyer_name, buyer_email, buyer_email_key,
         language, currency, amount_total, form_id, secret_version, expires_at, confirmed_at, created_at, updated_at)
       VALUES ($1, $2, $3, $1, $4, $5, 'G', 'g@x.org', 'g@x.org', 'en', 'EUR', 0, $1, 1, $6, $7, 1, 1)`,
      [id, owner, event ?? '', waits ? 'pending' : 'confirmed', waits, waits && 2, waits ? null : 2],
    )
  const mail = (id: string, event: string | null, status: 'failed' | 'withdrawn', created = clock()) =>
    run(
      `INSERT INTO emails (id, account_id, event_id, kind, cause, recipient, recipient_key, language, details, lane, status,
         attempts, created_at, updated_at)
       VALUES ($1, $2, $3, 'ticket', $1, 'g@x.org', 'g@x.org', 'en', '{}', 1, $4, 1, $5, $5)`,
      [id, accountId, event, status, created],
    )
  const needs = async (reader: { open: (path: string) => Promise<ReadPage> }) => {
    const { document } = await reader.open(path)
    return [...document.querySelectorAll('#needs ~ ul li')].map(item => [
      item.textContent?.replace(/\s+/g, ' '),
      item.querySelector('a')?.getAttribute('href') ?? null,
    ])
  }
  const manager = await member('manager')
  await order('done', eventId, null)
  await mail('unneeded', eventId, 'withdrawn')
  await mail('old', eventId, 'failed', clock() - 8 * DAY)
  assert.deepEqual(await needs(manager), [])
  const first = applied.events.e0?.id as string
  for (const id of ['a', 'b']) await order(id, eventId, 'approval')
  await order('c', first, 'approval')
  await mail('m', first, 'failed')
  await mail('n', null, 'failed')
  const { account_id: foreign, events: theirs } = await apply(organization({ email: 'bob@example.org' }))
  await order('d', theirs['spring-meeting']?.id, 'approval', foreign)
  const waiting = (event: string) => `/manage/e/${event}/orders?state=pending`
  const refused = 'In the last seven days. The servers of those who should get them refused them.'
  const ofFirst = [
    ['1 order waits for your approvalEvent <b>0</b>Look', waiting(first)],
    [`1 mail reached nobodyEvent <b>0</b>. ${refused}Look`, `/manage/e/${first}/messages?state=failed`],
  ]
  const all = [
    ['2 orders wait for your approvalSpring MeetingLook', waiting(eventId)],
    ...ofFirst,
    [`1 mail reached nobody${refused}`, null],
  ]
  assert.deepEqual(await needs(manager), all)
  const log = `/manage/a/${accountId}/messages?state=failed`
  const owner = await member('owner')
  assert.deepEqual((await needs(owner)).at(-1), [`1 mail reached nobody${refused}Look`, log])
  for (const [, href] of await needs(owner)) assert.equal((await owner.open(href as string)).status, 200)
  for (const role of ['finance', 'door', 'chair', 'reviewer'] as const)
    assert.deepEqual(await needs(await member(role)), [], role)
  const some = await member('manager', { email: 'some@example.org', eventIds: [first] })
  assert.deepEqual(await needs(some), ofFirst)
  for (const at of [1, 2, 3, 4, 5]) await order(`more ${at}`, applied.events[`e${at}`]?.id, 'approval')
  const many = await needs(manager)
  assert.deepEqual(many[5], ['Orders wait in 2 more eventsThose with the most stand here.', null])
  await run(
    `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 1100)
     INSERT INTO orders (id, account_id, event_id, reference, status, waits_for, buyer_name, buyer_email, buyer_email_key, language,
       currency, amount_total, form_id, secret_version, expires_at, created_at, updated_at)
     SELECT 'x' || at, $1, $2, at, 'pending', 'approval', 'G', 'g@x.org', 'g@x.org', 'en', 'EUR', 0, at, 1, 2, 1, 1 FROM n`,
    [accountId, first],
  )
  const full = await member('manager', { email: 'full@example.org', eventIds: [first] })
  assert.equal((await needs(full))[0]?.[0], '1,000 orders or more wait for your approvalEvent <b>0</b>Look')
})

test('an archived event needs nobody unless money is at stake, and needs the same again once it is put back', async t => {
  const priced = { event: { payment_ways: 'stripe', requires_approval: true } }
  const server = await start(t, organization(priced))
  const { member, path, run, db, accountId, eventId, clock, apply } = server
  const rows = async (event: string, owner: string, name: string) => {
    const at = clock()
    await run(
      `INSERT INTO orders (id, account_id, event_id, reference, status, waits_for, buyer_name, buyer_email, buyer_email_key,
         language, currency, amount_total, form_id, secret_version, expires_at, created_at, updated_at)
       VALUES ($1, $2, $3, $1, 'pending', 'approval', 'G', 'g@x.org', 'g@x.org', 'en', 'EUR', 0, $1, 1, 2, 1, 1)`,
      [`o ${name}`, owner, event],
    )
    await run(
      `INSERT INTO emails (id, account_id, event_id, kind, cause, recipient, recipient_key, language, details, lane, status,
         attempts, created_at, updated_at)
       VALUES ($1, $2, $3, 'ticket', $1, 'g@x.org', 'g@x.org', 'en', '{}', 1, 'failed', 1, $4, $4)`,
      [`m ${name}`, owner, event, at],
    )
    await run(
      `INSERT INTO scan_cases (id, account_id, event_id, outcome, device_id, door, ticket_id, scans, created_at, updated_at)
       VALUES ($1, $2, $3, 'conflict', '', '', '', 1, 1, 1)`,
      [`k ${name}`, owner, event],
    )
  }
  const owner = await member('owner')
  const limited = await member('manager', { email: 'limited@example.org', eventIds: [eventId] })
  const needs = async (reader: { open: (path: string) => Promise<ReadPage> }) => {
    const { document } = await reader.open(path)
    const items = [...document.querySelectorAll('#needs ~ ul li b')]
    return items.map(item => item.textContent?.replace(/\s+/g, ' ') ?? '')
  }
  const archive = (isArchived: boolean) => db.write(accountId, tx => setArchived(tx, eventId, isArchived))
  await rows(eventId, accountId, 'spring')
  const before = await needs(owner)
  assert.equal(before.length, 4, before.join())
  assert.deepEqual(await needs(limited), before)
  await archive(true)
  assert.deepEqual(await needs(owner), [])
  assert.deepEqual(await needs(limited), [])
  // An archived event with very many does not keep others from being counted.
  const { events: made } = await apply(
    organization({ ...payable, events: [{ slug: 'other', title: 'Other' }] }),
  )
  const other = made.other?.id as string
  await run(
    `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 1100)
     INSERT INTO emails (id, account_id, event_id, kind, cause, recipient, recipient_key, language, details, lane, status,
       attempts, created_at, updated_at)
     SELECT 'a' || at, $1, $2, 'ticket', at, 'g@x.org', 'g@x.org', 'en', '{}', 1, 'failed', 1, $3, $3 FROM n`,
    [accountId, eventId, clock() - HOUR],
  )
  await run(
    `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 1100)
     INSERT INTO orders (id, account_id, event_id, reference, status, waits_for, buyer_name, buyer_email, buyer_email_key, language,
       currency, amount_total, form_id, secret_version, expires_at, created_at, updated_at)
     SELECT 'x' || at, $1, $2, at, 'pending', 'approval', 'G', 'g@x.org', 'g@x.org', 'en', 'EUR', 0, at, 1, 2, 1, 1 FROM n`,
    [accountId, eventId],
  )
  await run(
    `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 1100)
     INSERT INTO scan_cases (id, account_id, event_id, outcome, device_id, door, ticket_id, scans, created_at, updated_at)
     SELECT 'y' || at, $1, $2, 'held', at, '', '', 1, 1, 1 FROM n`,
    [accountId, eventId],
  )
  await rows(other, accountId, 'other')
  const ofOther = [
    '1 order waits for your approval',
    '1 ticket at a door needs a look',
    '1 mail reached nobody',
  ]
  assert.deepEqual(await needs(owner), ofOther)
  assert.deepEqual(await needs(limited), [])
  // Money that came, is owed or is disputed does not wait for the list of events.
  await run(
    `INSERT INTO payments (id, account_id, event_id, order_id, method, status, currency, amount, received, looks, trouble,
       created_at, updated_at) VALUES ('p', $1, $2, 'o spring', 'transfer', 'created', 'EUR', 500, 300, 0, 'partly_paid', 1, 1)`,
    [accountId, eventId],
  )
  await run(
    `INSERT INTO refunds (id, account_id, event_id, order_id, method, status, currency, amount, reason, looks, created_at,
       updated_at) VALUES ('f', $1, $2, 'o spring', 'door', 'requested', 'EUR', 100, 'organizer', 0, 1, 1)`,
    [accountId, eventId],
  )
  await run(
    `INSERT INTO disputes (id, account_id, event_id, order_id, payment_id, charge_id, status, reason, currency, amount,
       is_fee_foreign, opened_at, created_at, updated_at)
     VALUES ('d', $1, $2, 'o spring', 'p', 'c', 'needs_response', 'fraudulent', 'EUR', 500, 0, 1, 1, 1)`,
    [accountId, eventId],
  )
  const money = (await needs(owner)).filter(item => !ofOther.includes(item))
  assert.equal(money.length, 3, money.join())
  assert.equal((await needs(await member('finance'))).length, 3)
  await archive(false)
  assert.deepEqual(
    (await needs(limited)).filter(item => !money.includes(item)),
    [
      '1,000 orders or more wait for your approval',
      '1,000 tickets or more at doors need a look',
      '1,000 mails or more reached nobody',
    ],
  )
})
