import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { DASHBOARD_PATH } from '#faces/dashboard/frame/paths.ts'
import { pages } from '#faces/dashboard/routes.ts'
import { fillPath } from '#machinery/web/link.ts'
import { DOOR_PATH } from '#product/entrance/doors/rules.ts'
import { worstBodies, worstQueries, worstTexts, worstValues } from '#test/faces/api/worst-input.ts'
import { EVENT_PATH } from '#test/support/full-folder.ts'
import { isOfRoute, readSitePage, type SiteForm, type SitePage } from '#test/support/people/site-forms.ts'
import {
  type Body,
  startWatchedSite,
  sweepForm,
  type WatchedSite,
} from '#test/support/people/watched-site.ts'
import { postsOf, visitorFaces } from '#test/support/visitor-faces.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE
const limit = { timeout: 600_000 }

/** These faces take no input, or have a test of their own. */
const others = ['apiFace', 'dashboardFace', 'assetsFace', 'healthFace', 'trustFace']

/** Orders have a test of their own, with what each of them needs. */
const posts = postsOf('storefrontFace', 'doorFace')

/** No page has a form for these, so they have tests of their own below. */
const withoutForm = [`${DOOR_PATH}/pair`, `${DOOR_PATH}/scans`]

test('every face that is mounted is looked at', () => {
  const text = readFileSync('src/app/faces.ts', 'utf8')
  const mounted = [...text.matchAll(/^import \{ (\w+Faces?) \}/gm)].map(([, name]) => name)
  assert.deepEqual(mounted.sort(), [...Object.keys(visitorFaces), ...others].sort())
  const gets = [...visitorFaces.storefrontFace, ...visitorFaces.orderFaces].flatMap(({ routes }) => routes)
  assert.ok(gets.length > 20 && posts.length > 4)
})

/** Finds the forms of the storefront as a visitor does. */
async function findForms({ origin, orders, types, unsubscribe }: WatchedSite): Promise<SitePage[]> {
  const tickets = `q.${types.Free}=10&q.${types.Standard}=10`
  const found: SitePage[] = []
  const read = async (path: string, post?: URLSearchParams) => {
    const page = await readSitePage(origin, path, {}, post)
    found.push(page)
    return page
  }
  for (const path of [
    '/',
    '/ada/',
    EVENT_PATH,
    `${EVENT_PATH}waitlist?type=${types.Standard}`,
    `${EVENT_PATH}tickets`,
    unsubscribe,
  ])
    await read(path)
  for (const secret of orders)
    for (const part of ['', '/names', '/cancel', '/withdraw', '/invoice'])
      await read(`/orders/${secret}${part}`)
  const { forms } = await read(`${EVENT_PATH}register?${tickets}`)
  const form = forms.find(({ action }) => action === `${EVENT_PATH}register`) as SiteForm
  // Whoever fills it in takes a second for it.
  await pause(1_100)
  const typed = (name: string) => (/email/.test(name) ? 'grace@example.org' : 'Grace')
  const answers = form.fields.filter(({ name }) => name !== 'website')
  await read(form.action, new URLSearchParams(answers.map(({ name, value }) => [name, value || typed(name)])))
  return found
}

test('the worst form of each page of a visitor stops nobody for 50 ms', limit, async t => {
  const watched = await startWatchedSite(t)
  const found = await findForms(watched)
  const forms = found.flatMap(page => page.forms)
  const unread: string[] = []
  for (const path of posts.filter(each => !withoutForm.includes(each))) {
    const routeOf = (action: string) => posts.find(each => isOfRoute(action, each))
    const form = forms.find(({ action }) => routeOf(action) === path) ?? {
      action: fillPath(path, { account: 'ada', event: 'spring-meeting' }),
      fields: [],
    }
    if (form.fields.length === 0) unread.push(path)
    await sweepForm(watched, form, {})
  }
  t.diagnostic(`without a form: ${unread.join(' ')}`)
  for (const needed of [
    'register',
    'register/order',
    'register/change',
    'waitlist',
    'spring-meeting/tickets',
  ])
    assert.ok(!unread.some(path => path.endsWith(needed)), needed)
  watched.report()
})

test('what somebody sends who was signed out meanwhile stops nobody for 50 ms', limit, async t => {
  const watched = await startWatchedSite(t)
  const kept = pages.filter(({ restore, post }) => restore !== undefined && post !== undefined)
  assert.ok(kept.length > 10)
  for (const { path } of kept) {
    const form = { action: DASHBOARD_PATH + fillPath(path, watched.ids), fields: [] }
    await sweepForm(watched, form, {})
  }
  watched.report()
})

test('the worst query of each page stops nobody for 50 ms', limit, async t => {
  const watched = await startWatchedSite(t)
  const { origin, ids, sessions, send, measure } = watched
  const found = await findForms(watched)
  const cookie = (at: number) => ({ cookie: `session=${sessions[at % sessions.length]}` })
  for (const [at, { path, get, level, isFile }] of pages.entries()) {
    if (get === undefined || isFile || level === 'public') continue
    found.push(await readSitePage(origin, DASHBOARD_PATH + fillPath(path, ids), cookie(at)))
  }
  const names = new Map<string, Set<string>>(
    found.map(({ path }) => [path.split('?')[0] as string, new Set(['unknown'])]),
  )
  for (const { queries } of found) {
    for (const { path, names: readNames } of queries) {
      const existing = names.get(path) ?? new Set()
      for (const name of readNames) names.set(path, existing.add(name))
    }
  }
  const line = 12 * KIBIBYTE
  const texts = Object.values(worstTexts).map(([unit]) =>
    encodeURIComponent((JSON.parse(`"${unit}"`) as string).toWellFormed()),
  )
  const values = texts.map(text => text.repeat(Math.floor(line / text.length)))
  for (const [at, [path, existing]] of [...names].entries()) {
    if (/sign-out|backups|\.csv|\.pdf/.test(path)) continue
    const queries = [
      ...[...existing].flatMap(name => values.map(value => `${name}=${value}`)),
      ...Object.values(worstQueries).map(make => make(line)),
    ]
    for (let from = 0; from < queries.length; from += 20) {
      const some = queries.slice(from, from + 20)
      const what = `GET ${path} of ${[...existing].join()} from ${from}`
      await measure(what, async address => {
        for (const query of some)
          await send(`${path}?${query}`, {
            method: 'GET',
            headers: { ...cookie(at), 'x-forwarded-for': address },
          })
      })
    }
  }
  t.diagnostic(`${names.size} pages`)
  watched.report()
})

test('the worst of what scanners and Stripe send stops nobody for 50 ms', limit, async t => {
  const watched = await startWatchedSite(t)
  const { origin, pairing, sendAll, accountId } = watched
  const paired = await fetch(`${origin}${DOOR_PATH}/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: pairing }),
  })
  const { token } = (await paired.json()) as { token: string }
  assert.equal(paired.status, 201)
  const scan = {
    scan_id: 'a',
    kind: 'scan',
    at: new Date().toISOString(),
    offset: 0,
    shown: null,
    reason: null,
  }
  const inScan = (field: string, value: string) =>
    `{"waiting":0,"scans":[${JSON.stringify({ ...scan, code: 'SVC1.A', [field]: 0 }).replace(`"${field}":0`, `"${field}":${value}`)}]}`
  const places: [path: string, where: string, make: (value: string) => string][] = [
    [`${DOOR_PATH}/pair`, 'secret', value => `{"secret":${value}}`],
    [`${DOOR_PATH}/pair`, 'the body', value => value],
    [`${DOOR_PATH}/scans`, 'waiting', value => `{"waiting":${value},"scans":[]}`],
    [`${DOOR_PATH}/scans`, 'scans', value => `{"waiting":0,"scans":${value}}`],
    ...['scan_id', 'kind', 'at', 'offset', 'reason', 'code', 'ticket', 'shown', 'of', '__proto__'].map(
      (field): [string, string, (value: string) => string] => [
        `${DOOR_PATH}/scans`,
        field,
        value => inScan(field, value),
      ],
    ),
  ]
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (const [path, where, make] of places) {
    for (const size of [MEBIBYTE / 16, MEBIBYTE - 500]) {
      const bodies = Object.entries(worstValues).map(([kind, value]) => ({
        what: `${kind}, ${size} bytes, in ${where}`,
        make: () => make(value(size)),
      }))
      await sendAll(`POST ${path} ${where}`, path, bodies, headers)
    }
  }
  const code = `SVC1.${'A'.repeat(136)}`
  const most = (of: object, count: number) => ({
    what: `${count} scans of ${Object.keys(of)}`,
    make: () =>
      JSON.stringify({
        waiting: 0,
        scans: Array.from({ length: count }, (_, at) => ({ ...scan, ...of, scan_id: `a${at}` })),
      }),
  })
  const many = [
    ...[
      { code },
      { code: 'x'.repeat(1000) },
      { ticket: watched.ids.ticket },
      { kind: 'undo', of: 'a0' },
      {},
    ].map(of => most(of, 500)),
    ...Object.entries(worstBodies).map(([what, make]) => ({ what, make: () => make(MEBIBYTE) })),
  ]
  for (const path of [`${DOOR_PATH}/scans`, `${DOOR_PATH}/pair`]) {
    for (const body of many) await sendAll(`POST ${path} ${body.what}`, path, [body], headers)
  }

  const signatures = ['v1=a,', 't=1,', ',', '=', 'v1=', 'a', `t=1,v1=${'a'.repeat(64)},`].map(unit =>
    unit.repeat(12_000 / unit.length),
  )
  const events: Body[] = Object.entries(worstValues).map(([what, make]) => ({
    what,
    make: () => make(256 * KIBIBYTE),
  }))
  for (const signature of [...signatures, `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`])
    await sendAll(`Stripe's ${signature.slice(0, 20)}`, `/orders/stripe/${accountId}`, events, {
      'stripe-signature': signature,
    })
  watched.report()
})
