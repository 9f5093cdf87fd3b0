import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DASHBOARD_PATH } from '#faces/dashboard/frame/paths.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { fillPath } from '#machinery/web/link.ts'
import { linkSecret } from '#machinery/web/link-secret.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { ABSTRACTS_PATH, SUBMITTERS_PATH } from '#product/programme/submissions/links.ts'
import { ORDERS_PATH } from '#product/selling/orders/links.ts'
import { addDoor } from '#test/support/door/door-rows.ts'
import { addOrder, addUnpaid, digest, everything, findIds, writeMails } from '#test/support/every-row.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { OrderForms } from '#test/support/people/order-forms.ts'
import { peoplesRoutes } from '#test/support/people/people-routes.ts'
import { addSubmission } from '#test/support/submissions.ts'

/**
 * This test finds every form of every face, and sends it as another site has a browser send it: with the cookie of an owner who
 * runs the instance, to existing things, under valid links.
 */

/**
 * A browser sends these headers when another site makes the request. The last browser knows no Fetch Metadata and sends no origin
 * either.
 */
const foreign: readonly Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'same-origin, cross-site' },
  { 'sec-fetch-site': '', origin: 'null' },
  { 'sec-fetch-site': '', origin: 'https://evil.example' },
  { 'sec-fetch-site': '', origin: 'http://{host}.evil.example' },
  { 'sec-fetch-site': '' },
]

/** Another site may have a browser send these, because no cookie counts there. */
const WITHOUT_COOKIES: Readonly<Record<string, string>> = {
  '/orders/stripe/{account}': 'Stripe sends it, and is asked again whether it is true.',
  '/door/pair': 'A device proves itself by what it was paired with.',
  '/door/scans': 'A device proves itself by its token.',
  '/unsubscribe/{token}': 'Programs for mail send it (RFC 8058).',
}

async function startWithEverything(t: TestContext) {
  const dashboard = await startDashboard(t, everything())
  const { db, accountId, eventId, types, member } = dashboard
  const owner = await member('owner')
  await addOrder(db, accountId, eventId, types.Free as string)
  await addUnpaid(db, accountId, eventId, types.Standard as string)
  await addDoor(db, accountId, eventId)
  await writeMails(db, accountId, eventId)
  await addSubmission(dashboard)
  await db.write(accountId, tx => accounts.update(tx, { slug: 'ada' }))
  return { ...dashboard, cookie: `session=${owner.cookies.get('session')}` }
}

/** Returns what the names in the paths of a face stand for. */
async function namesFor(
  face: string,
  { db, accountId, eventId }: Awaited<ReturnType<typeof startWithEverything>>,
) {
  const ids = await findIds(db, accountId, eventId)
  if (face === DASHBOARD_PATH) return ids
  const [{ secret, order } = { secret: '', order: '' }] = await db.read(INSTANCE, tx =>
    tx.all<{ secret: string; order: string }>(
      'SELECT i.cursor_secret AS secret, o.id AS "order" FROM instance i, orders o WHERE o.account_id = $1 AND o.form_id = \'unpaid\'',
      [accountId],
    ),
  )
  const purpose = face === ABSTRACTS_PATH ? 'submission' : face === SUBMITTERS_PATH ? 'submitter' : 'order'
  const { submission, submitter } = await readSubmission(db, accountId)
  const id = { submission, submitter, order }[purpose]
  const link = linkSecret(secret, purpose, { id, version: 1 })
  const own = { account: 'ada', event: 'spring-meeting', secret: link, session: ids.payment as string }
  return { ...ids, ...own }
}

async function readSubmission(db: Database, accountId: string) {
  const [found] = await db.read(INSTANCE, tx =>
    tx.all<{ submission: string; submitter: string }>(
      'SELECT b.id AS submission, b.submitter_id AS submitter FROM submissions b WHERE b.account_id = $1',
      [accountId],
    ),
  )
  assert.ok(found !== undefined)
  return found
}

test('no form of any face takes what another site has the browser of an owner or buyer send, and nothing changes', async t => {
  const server = await startWithEverything(t)
  const { db, app, clock, cookie } = server
  const forms = new OrderForms(t, app.siteUrl)
  const { host } = new URL(app.siteUrl)
  const before = await digest(db)
  const wrong: string[] = []
  let sent = 0
  for (const { face, method, path } of peoplesRoutes) {
    if (method !== 'POST' || path in WITHOUT_COOKIES) continue
    const address = fillPath(path, await namesFor(face, server))
    // The clock moves on, so that nobody has asked too often in a minute.
    clock.advance(60_000)
    for (const headers of foreign) {
      const named = { ...headers, ...(headers.origin && { origin: headers.origin.replace('{host}', host) }) }
      const { status } = await forms.post(address, 'name=Forged', { ...named, cookie })
      if (status !== 403) wrong.push(`${path} ${JSON.stringify(headers)}: ${status}`)
      sent++
    }
    if ((await digest(db)) !== before) assert.fail(`${path} has changed something`)
  }
  t.diagnostic(`${sent} forged posts`)
  assert.ok(sent > 700)
  assert.deepEqual(wrong, [])
})

test('where no cookie counts, a cookie lets nobody in', async t => {
  const server = await startWithEverything(t)
  const { db, app, cookie } = server
  const forms = new OrderForms(t, app.siteUrl)
  const found = peoplesRoutes.filter(({ method, path }) => method === 'POST' && path in WITHOUT_COOKIES)
  assert.deepEqual(found.map(({ path }) => path).sort(), Object.keys(WITHOUT_COOKIES).sort())
  const before = await digest(db)
  for (const { face, path } of found) {
    // Their links and tokens are what lets in: here they are made up.
    const names = { ...(await namesFor(face, server)), secret: 'made-up', token: 'made-up' }
    const { status } = await forms.post(fillPath(path, names), '{}', { ...foreign[0], cookie })
    assert.ok(status >= 400 && status < 500, `${path}: ${status}`)
  }
  assert.equal(await digest(db), before)
})

test('the pages of orders are among what is looked at, so that the list is not empty where it counts', () => {
  const paths = new Set(peoplesRoutes.map(({ path }) => path))
  for (const path of [
    `${ORDERS_PATH}/{secret}/cancel`,
    `${ABSTRACTS_PATH}/{secret}/file`,
    `${DASHBOARD_PATH}/sign-in`,
    '/{account}/{event}/register/order',
  ])
    assert.ok(paths.has(path), path)
})
