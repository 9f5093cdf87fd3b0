import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DASHBOARD_PATH } from '#faces/dashboard/frame/paths.ts'
import { pages } from '#faces/dashboard/routes.ts'
import { fillPath } from '#machinery/web/link.ts'
import { isOfRoute, readSitePage, type SitePage } from '#test/support/people/site-forms.ts'
import { startWatchedSite, sweepForm } from '#test/support/people/watched-site.ts'

const limit = { timeout: 600_000 }

/** Forms that take a thing away, or end what others need, come last. */
const ENDS = /remove|cancel|complete|erase|revoke|delete|sign-out|sessions|decline|duplicate|unpublish|off$/

test('the worst form of each page of the dashboard stops nobody for 50 ms', limit, async t => {
  const watched = await startWatchedSite(t)
  const { origin, ids, sessions, tokens } = watched
  const found: SitePage[] = []
  for (const { path, get, isFile } of pages) {
    if (get === undefined || isFile) continue
    const token = tokens[path.split('/')[1] as keyof typeof tokens] ?? ids.token
    const cookie = token === ids.token ? `session=${sessions[0]}` : ''
    found.push(
      await readSitePage(origin, DASHBOARD_PATH + fillPath(path, { ...ids, token: token as string }), {
        cookie,
      }),
    )
  }
  const forms = found.flatMap(page => page.forms)
  const posts = pages.filter(({ post }) => post !== undefined)
  const ofPage = (path: string) =>
    forms.find(
      ({ action }) => posts.find(post => isOfRoute(action, DASHBOARD_PATH + post.path))?.path === path,
    )
  const unseen = posts.filter(({ path }) => ofPage(path) === undefined).map(({ path }) => path)
  assert.ok(forms.length > 100, `${forms.length} forms`)
  t.diagnostic(`${forms.length} forms; without one: ${unseen.join(' ')}`)
  const unread: string[] = []
  for (const [at, { path }] of posts
    .toSorted((one, other) => Number(ENDS.test(one.path)) - Number(ENDS.test(other.path)))
    .entries()) {
    const token = tokens[path.split('/')[1] as keyof typeof tokens] ?? ids.token
    const form = ofPage(path) ?? {
      action: DASHBOARD_PATH + fillPath(path, { ...ids, token: token as string }),
      fields: [],
    }
    if (form.file !== undefined) continue
    if (!(await sweepForm(watched, form, { cookie: `session=${sessions[at + 1]}` }))) unread.push(path)
  }
  assert.deepEqual(unread, [])
  watched.report()
})
