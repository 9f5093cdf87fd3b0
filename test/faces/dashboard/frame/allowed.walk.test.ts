import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { request } from 'undici'
import { MINUTE } from '#base/time.ts'
import type { Page } from '#faces/dashboard/frame/page.ts'
import { DASHBOARD_PATH } from '#faces/dashboard/frame/paths.ts'
import { pages } from '#faces/dashboard/routes.ts'
import { fillPath } from '#machinery/web/link.ts'
import * as links from '#product/administration/users/links.ts'
import { may, roles } from '#product/administration/users/roles.ts'
import { usualLayout } from '#product/catalog/events/badge-layout.ts'
import * as events from '#product/catalog/events/rules.ts'
import { uploadTable } from '#test/support/abstract-imports.ts'
import { addDoor } from '#test/support/door/door-rows.ts'
import {
  addOrder,
  addUnpaid,
  digest,
  everything,
  findIds,
  type Ids,
  NO_TOKEN,
  NOBODYS,
  tables,
  writeMails,
} from '#test/support/every-row.ts'
import { PASSWORD, startDashboard } from '#test/support/people/dashboard.ts'
import { dataOf, parsePage } from '#test/support/people/page-reader.ts'
import { addProgramme } from '#test/support/programme.ts'
import { inviteOne, openReview } from '#test/support/reviews.ts'
import { addFileBeside } from '#test/support/submissions.ts'

/**
 * These tests open every page of `routes.ts` with every role and from elsewhere. A new page is found by itself. Where its path has
 * a name that these tables lack, the test fails with that name.
 */

function namesOf({ path }: Page): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}

/** Describes somebody who asks: who they are, by their cookie, and what they may open. */
interface Asker {
  name: string
  cookie: string
  role?: (typeof roles)[number]
  /** Undefined for a stranger. */
  accountId?: string
  /** Null for all events. */
  eventIds?: readonly string[] | null
  operator?: boolean
}

/** Starts two accounts with everything in them, and people of every role. */
async function startTwo(t: TestContext) {
  const dashboard = await startDashboard(t, everything())
  const { db, apply, accountId, applied } = dashboard
  const own = applied.events as Record<string, { id: string }>
  const other = await apply(everything('bob@example.org'))
  const [eventId, secondId] = ['spring-meeting', 'second'].map(slug => own[slug]?.id as string) as [
    string,
    string,
  ]
  const askers: Asker[] = [{ name: 'a visitor', cookie: '' }]
  const add = async (asker: Omit<Asker, 'cookie'>, email: string) => {
    const { role = 'owner', accountId: id = accountId, eventIds = null } = asker
    const joined = await dashboard.member(role, { email, accountId: id, eventIds: eventIds && [...eventIds] })
    askers.push({ ...asker, cookie: `session=${joined.cookies.get('session')}` })
  }
  // The first owner runs the instance.
  await add(
    { name: 'who runs it', role: 'owner', accountId, eventIds: null, operator: true },
    'a@example.org',
  )
  for (const role of roles) {
    await add({ name: `a ${role}`, role, accountId, eventIds: null }, `${role}@example.org`)
    if (role === 'owner') continue
    const limited = { name: `a ${role} of another event`, role, accountId, eventIds: [secondId] }
    await add(limited, `${role}-of-one@example.org`)
  }
  const foreign = {
    name: 'an owner of another account',
    accountId: other.account_id,
    eventIds: null,
  } as const
  await add({ ...foreign, role: 'owner' }, 'foreign@example.org')
  await dashboard.member('door', { email: 'foreign-door@example.org', accountId: other.account_id })
  for (const id of [accountId, other.account_id]) {
    const given = { email: 'new@example.org', role: 'owner', event_ids: null } as const
    await db.write(id, tx => links.invite(tx, given))
  }
  for (const [id, { events: all }] of [
    [accountId, applied],
    [other.account_id, other],
  ] as const) {
    const { id: event, registration_types } = all['spring-meeting'] as (typeof all)[string]
    await addOrder(db, id, event, registration_types.Free as string)
    await addUnpaid(db, id, event, registration_types.Standard as string)
    await addDoor(db, id, event)
    await addFileBeside({ ...dashboard, accountId: id, eventId: event })
    const line = 'On rooms,They fill.,Lin Mei,lin@example.org'
    await uploadTable({ db, accountId: id, eventId: event }, `Title,Text,Authors,Email\n${line}\n`)
    // The form names somebody who gets a mail.
    await db.write(id, async tx => {
      await events.update(tx, event, { venue: 'Annex', badge_layout: usualLayout })
      await tx.run(
        `UPDATE attendees SET badge_printed_at = $2 WHERE registration_id IN (SELECT id FROM registrations WHERE event_id = $1)`,
        [event, Date.parse('2026-11-01')],
      )
    })
  }
  await dashboard.clientOf(other.account_id)
  const foreignEvent = other.events['spring-meeting']?.id as string
  await writeMails(db, accountId, eventId)
  await writeMails(db, other.account_id, foreignEvent)
  for (const [id, event] of [
    [accountId, eventId],
    [other.account_id, foreignEvent],
  ] as const) {
    await openReview({ ...dashboard, accountId: id, eventId: event })
    await inviteOne({ ...dashboard, accountId: id, eventId: event })
    await addProgramme({ ...dashboard, accountId: id, eventId: event })
  }
  return {
    ...dashboard,
    askers,
    ids: await findIds(db, accountId, eventId),
    foreignIds: await findIds(db, other.account_id, foreignEvent),
  }
}

type Two = Awaited<ReturnType<typeof startTwo>>

async function ask({ app }: Two, method: 'GET' | 'POST', path: string, cookie: string, body = '') {
  const answer = await request(app.siteUrl + DASHBOARD_PATH + path, {
    method,
    headers: {
      'sec-fetch-site': 'same-origin',
      cookie,
      ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    body: method === 'POST' ? body : null,
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, location: String(answer.headers.location ?? ''), text }
}

type Verdict = 'allowed' | 'sign in' | '403' | '404'

/** Returns what an answer decides, if it does not let in. */
function verdictOf({ status, location }: { status: number; location: string }): Verdict {
  if (location.startsWith(`${DASHBOARD_PATH}/sign-in`) || status === 401) return 'sign in'
  return status === 403 ? '403' : status === 404 ? '404' : 'allowed'
}

/** Returns the verdict that the declaration of the page demands. Nothing else of the code decides it. */
function expected(page: Page & { isOfAllEvents?: boolean }, asker: Asker, { ids }: Two): Verdict {
  const { level, permission, isOfInstance, isOfAllEvents } = page
  if (level === 'public') return 'allowed'
  if (asker.cookie === '') return 'sign in'
  if (level === 'user') return 'allowed'
  if (asker.accountId !== ids.account) return '404'
  if (level === 'event' && asker.eventIds !== null && !asker.eventIds?.includes(ids.event ?? '')) return '404'
  const mayNot = permission !== undefined && !may(asker.role ?? 'door', permission)
  if (mayNot || (isOfInstance && !asker.operator)) return '403'
  return isOfAllEvents && asker.eventIds !== null ? '403' : 'allowed'
}

/**
 * Returns the body that the page would send for a person who may use it, so that only the check of the person keeps it from being
 * done.
 */
async function bodyFor(two: Two, page: Page, path: string): Promise<string> {
  const [, operator] = two.askers
  const body = new URLSearchParams()
  if (page.get === undefined || operator === undefined) return ''
  const { text } = await ask(two, 'GET', path, operator.cookie)
  const document = parsePage(text)
  const form = [...document.forms].find(({ method }) => method === 'post')
  for (const control of form?.querySelectorAll<HTMLInputElement>('input, textarea, select') ?? []) {
    const { type, name } = control
    if (type === 'hidden' || type === 'file' || control.value !== '') continue
    control.value = type === 'email' ? 'made-up@example.org' : /password/.test(name) ? PASSWORD : '7'
  }
  const seen = new Set<string>()
  for (const box of form?.querySelectorAll<HTMLInputElement>('[type=checkbox], [type=radio]') ?? []) {
    // Of boxes that exclude each other, the first is ticked.
    box.checked = box.type === 'checkbox' || !seen.has(box.name)
    seen.add(box.name)
  }
  if (form !== undefined) {
    for (const [name, value] of dataOf(form)) body.append(name, String(value))
  }
  return body.toString()
}

function* methodsOf({ get, post }: Page): Generator<'GET' | 'POST'> {
  if (get !== undefined) yield 'GET'
  if (post !== undefined) yield 'POST'
}

test('every name in a path is known here, so that no page is asked for what does not exist', () => {
  const possible = new Set([...Object.keys(tables), 'account', 'event', 'token'])
  assert.deepEqual(
    pages.flatMap(namesOf).filter(name => !possible.has(name)),
    [],
    'Say in `tables` where its ids are.',
  )
})

test('every page of an account or event says whom it is for, and none that writes is for whoever may look', () => {
  const ofAccounts = pages.filter(({ level }) => level === 'account' || level === 'event')
  assert.ok(ofAccounts.length > 10)
  const open = ofAccounts.filter(
    ({ permission, isOfInstance, post }) =>
      (permission === undefined && !isOfInstance) || (permission === 'overview' && post !== undefined),
  )
  assert.deepEqual(
    open.map(({ path }) => path),
    [],
  )
})

test('every page lets in whom it is for, and refuses everybody else, with nothing changed', async t => {
  const two = await startTwo(t)
  const { db, clock, ids } = two
  const wrong: string[] = []
  let sentCount = 0
  const before = await digest(db)
  for (const page of pages) {
    // The clock moves on, so that nobody has asked too often in a minute.
    clock.advance(MINUTE)
    const path = fillPath(page.path, ids)
    const body = page.post === undefined ? '' : await bodyFor(two, page, path)
    const requests = two.askers.flatMap(asker => [...methodsOf(page)].map(method => ({ asker, method })))
    const answered = requests.map(async ({ asker, method }) => {
      const verdict = expected(page, asker, two)
      // The tests of each screen do what is allowed; and a link that nobody has does nothing for anybody.
      if (verdict === 'allowed' && method === 'POST' && !page.path.includes('{token}')) return
      const answer = await ask(two, method, path, asker.cookie, body)
      const found = verdictOf(answer)
      const isMissing = verdict === 'allowed' && found === '404' && isOfNobody(page, ids)
      if (found !== verdict && !isMissing) {
        wrong.push(`${asker.name}: ${method} ${page.path}: ${answer.status}, not ${verdict}`)
      }
      sentCount++
    })
    await Promise.all(answered)
    if ((await digest(db)) !== before) assert.fail(`${page.path} has changed something`)
  }
  t.diagnostic(`${sentCount} requests to ${pages.length} pages`)
  assert.deepEqual(wrong, [])
})

/** Returns whether a page is about something that nobody has. */
function isOfNobody(page: Page, ids: Ids): boolean {
  return namesOf(page).some(name => [NOBODYS, NO_TOKEN].includes(ids[name] as string))
}

test('an owner who names the things of another account in a path of their own finds nothing, and changes nothing', async t => {
  const two = await startTwo(t)
  const { db, clock, ids, foreignIds } = two
  const [, operator] = two.askers
  assert.ok(operator !== undefined)
  const before = await digest(db)
  const wrong: string[] = []
  let sentCount = 0
  for (const page of pages) {
    clock.advance(MINUTE)
    // A check-in in a path is no thing of its own: only that of the ticket is undone. A kind of mail is of all, a version a number and a
    // print an instant.
    const names = namesOf(page).filter(
      name => !['account', 'token', 'checkIn', 'text', 'version', 'print'].includes(name),
    )
    // Each name is replaced by itself: all others are the caller's own.
    for (const name of names) {
      const path = fillPath(page.path, { ...ids, [name]: foreignIds[name] as string })
      const body = page.post === undefined ? '' : await bodyFor(two, page, fillPath(page.path, ids))
      for (const method of methodsOf(page)) {
        const { status } = await ask(two, method, path, operator.cookie, body)
        if (status !== 404) wrong.push(`${method} ${page.path} with a foreign ${name}: ${status}`)
        sentCount++
      }
    }
    if ((await digest(db)) !== before) assert.fail(`${page.path} has changed something`)
  }
  t.diagnostic(`${sentCount} requests`)
  assert.deepEqual(wrong, [])
})

test('a change of any table is seen by the digest', async t => {
  const { db, accountId } = await startTwo(t)
  const before = await digest(db)
  assert.equal(await digest(db), before)
  const given = { email: 'seen@example.org', role: 'door', event_ids: null } as const
  await db.write(accountId, tx => links.invite(tx, given))
  assert.notEqual(await digest(db), before)
})
