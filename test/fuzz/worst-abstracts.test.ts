import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { fillPath } from '#machinery/web/link.ts'
import { reviewerUrl } from '#product/programme/reviews/links.ts'
import { listQueue } from '#product/programme/reviews/reading.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import { submissionUrl, submitterUrl } from '#product/programme/submissions/links.ts'
import { openDatabase } from '#test/support/engine.ts'
import { prepareFullFolder } from '#test/support/full-folder.ts'
import { readSitePage, type SiteForm } from '#test/support/people/site-forms.ts'
import { startWatched, sweepForm, sweepForms } from '#test/support/people/watched-site.ts'
import { assignAll, inviteOne, openReview } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'
import { postsOf } from '#test/support/visitor-faces.ts'

const limit = { timeout: 600_000 }
const AUTHORS = 24
const REVIEWERS = 24
const CALL = { account: 'ada', event: 'spring-meeting' }
/** A form with a row for each of so many is as long as a browser sends it. */
const ROWS = 5

/** Makes a folder with a call and its review, and the links of many, as each link is answered so often only. */
async function prepareCall(t: TestContext) {
  const folder = await prepareFullFolder(t)
  const { data, accountId, eventId } = folder
  const db = await openDatabase(data, Date.now)
  try {
    const place = { db, accountId, eventId, clock: Date.now }
    const kinds = [{ name: 'Talk', minutes: 20, poster: false }]
    const call = await openCall(place, {
      topics: ['Rooms', 'Doors'],
      kinds,
      file: 'optional',
      per_person: 50,
    })
    const row = await db.read(INSTANCE, tx =>
      tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
    )
    const server = { baseUrl: '', secret: row?.secret as string }
    const typed = { typed: { title: ['On rooms'] }, authors: ROWS, affiliations: ROWS }
    const drafts: string[] = []
    const submitters: string[] = []
    const chosen = { topic_id: call.topics[0]?.id ?? null, kind_id: call.kinds[0]?.id ?? null }
    for (let n = 0; n < AUTHORS; n++) {
      const one = await begin(place, { email: `author-${n}@authors.example`, draft: typed })
      drafts.push(submissionUrl(server, one.submitter, one.submission))
      submitters.push(submitterUrl(server, one.submitter))
      if (n % 2 === 0) await send(place, one.submission.id, contentOf(chosen))
    }
    await openReview(place, { wanted: 3 })
    for (let n = 0; n < REVIEWERS; n++)
      await inviteOne(place, { email: `r${n}@reviews.example`, name: `Rosa ${n}` })
    await assignAll(place)
    const reviewing: string[] = []
    const given: string[] = []
    for (const reviewer of await db.read(accountId, tx => reviewers.listOfEvent(tx, eventId))) {
      const url = reviewerUrl(server, reviewer)
      reviewing.push(url)
      const [first] = await db.read(accountId, tx => listQueue(tx, reviewer))
      if (first !== undefined) given.push(`${url}/abstracts/${first.code}`)
    }
    return { ...folder, drafts, submitters, reviewing, given }
  } finally {
    await db.close()
  }
}

test('the worst form of whoever submits or reviews abstracts stops nobody for 50 ms', limit, async t => {
  const watched = await startWatched(t, prepareCall)
  const { origin, drafts, submitters, reviewing, given } = watched
  /** Returns the pages that have the form of a route, and where it is sent. */
  const linksOf = (path: string): { page: string; to: string }[] => {
    const [, root] = path.split('/')
    const rest = path.split('/{secret}')[1] ?? ''
    if (root === 'submitters') {
      const page = rest === '/not-mine' ? rest : ''
      return submitters.map(link => ({ page: link + page, to: link + rest }))
    }
    if (root === 'review' && rest === '/profile')
      return reviewing.map(link => ({ page: link + rest, to: link + rest }))
    if (root === 'review') {
      const action = rest.replace('/abstracts/{code}', '')
      return given.map(link => ({ page: link + (action === '/back' ? action : ''), to: link + action }))
    }
    const page = /withdraw/.test(rest) ? rest : rest === '/send' ? '/send' : '/edit'
    return drafts.map(link => ({ page: link + page, to: link + rest }))
  }
  const tried = postsOf('submissionFaces', 'reviewFace').filter(path => !path.endsWith('/file'))
  assert.ok(tried.length >= 11, tried.join(' '))
  const unread: string[] = []
  for (const path of tried) {
    const links = linksOf(path)
    assert.ok(links.length >= 20, path)
    const forms: SiteForm[] = []
    for (const { page, to } of links) {
      const { forms: found } = await readSitePage(origin, page)
      // The script sends the form of the page elsewhere.
      const form =
        found.find(({ action }) => action === to) ?? found.find(({ action }) => action.endsWith('/edit'))
      forms.push({ ...(form ?? { fields: [] }), action: to })
    }
    if (forms.every(({ fields }) => fields.length === 0)) unread.push(path)
    const [first, ...others] = forms as [SiteForm, ...SiteForm[]]
    const isRead = await sweepForms(watched, [first, ...others], {})
    t.diagnostic(`${path}: ${isRead ? 'read' : 'not read'}`)
  }
  t.diagnostic(`without a form: ${unread.join(' ')}`)
  for (const needed of ['/edit', '/edit/save', '/edit/send', '/profile', '/abstracts/{code}', '/done'])
    assert.ok(!unread.some(path => path.endsWith(needed)), needed)
  for (const path of postsOf('storefrontFace').filter(each => each.includes('/abstracts/'))) {
    const action = fillPath(path, CALL)
    const { forms } = await readSitePage(origin, action.replace(/\/send$/, ''))
    const form =
      forms.find(each => each.action === action) ?? assert.fail(`${action} has no form on its page`)
    await sweepForm(watched, form, {})
  }
  watched.report()
})
