import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, type TestContext, test } from 'node:test'
import { HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import type { Author } from '#product/programme/submissions/content.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { startSale } from '#test/support/people/sale.ts'
import { acceptOne, addSession, publishNow, talkAndPoster } from '#test/support/published.ts'
import { assignAll, inviteOne, openReview, proposeFor, review } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

// `PICTURES=1 npm test -- docs/abstracts-pictures` makes the pictures of the page about abstracts anew.

after(closeBrowser)

const TEXT = 'We measured how halls fill and empty over a day, in twelve cities and two seasons. '.repeat(6)

const people = [
  ['Marta', 'Sánchez Roca', 'University of Valencia'],
  ['Jonas', 'Lindqvist', 'Uppsala University'],
  ['Chiara', 'Bianchi', 'Politecnico di Milano'],
  ['Amina', 'Diallo', 'Université Cheikh Anta Diop'],
  ['Kenji', 'Watanabe', 'Kyoto University'],
  ['Sofía', 'Herrera', 'Universidad de Chile'],
] as const
const titles = [
  'How halls fill: twelve cities in two seasons',
  'Queues that nobody sees',
  'Doors, stairs and the five minutes before',
  'A model of leaving',
  'Light and the length of talks',
  'What visitors remember of a room',
] as const

const by = (at: number): Partial<Author>[] => {
  const [given, family] = people[at] as (typeof people)[number]
  return [{ given, family, email: null, orcid: null, affiliations: [0], presenting: true }]
}
const contentBy = (at: number, more = {}) => ({
  title: titles[at] as string,
  sections: [{ heading: '', text: TEXT }],
  keywords: ['halls', 'crowds'],
  authors: by(at) as Author[],
  affiliations: [people[at]?.[2] as string],
  ...more,
})

/** A call that is open, with abstracts that were reviewed, and some that have a place in a programme. */
async function prepare(t: TestContext) {
  const sale = await startSale(t, {}, { takes_abstracts: true })
  const call = await openCall(sale, { per_person: 50, kinds: talkAndPoster, topics: ['Flow', 'Rooms'] })
  const [talk, poster] = call.kinds.map(({ id }) => id)
  const { round, reviewers } = {
    round: await openReview(sale),
    reviewers: [] as Awaited<ReturnType<typeof inviteOne>>[],
  }
  assert.ok(round)
  for (const name of ['Rosa Ruiz', 'Tom Archer', 'Yuki Mori'])
    reviewers.push(
      await inviteOne(sale, { name, email: `${name.split(' ')[0]?.toLowerCase()}@reviews.example` }),
    )
  const sent = []
  for (let at = 0; at < 4; at++) {
    const { submission } = await begin(sale, { email: `author${at}@writers.example` })
    const kind_id = (at === 3 ? poster : talk) ?? null
    const chosen = { kind_id, topic_id: call.topics[at % 2]?.id ?? null }
    sent.push(await send(sale, submission.id, contentOf(contentBy(at, chosen))))
  }
  await assignAll(sale)
  const scores = [
    [5, 4, 5],
    [3, 5, 2],
    [4, 4, 3],
    [2, 2, 3],
  ]
  const [criterion] = round.criteria
  for (const [at, { code }] of sent.entries())
    for (const [who, reviewer] of reviewers.entries()) {
      const score = scores[at]?.[who] ?? 3
      const recommendation = score > 3 ? 'accept' : score < 3 ? 'reject' : 'unsure'
      await review(sale, reviewer, code, { scores: { [criterion?.id as string]: score }, recommendation })
    }
  const owner = await sale.member('owner')
  const found = await sale.db.read(INSTANCE, tx => tx.one<{ id: string }>('SELECT max(id) AS id FROM users'))
  const proposed_by = `user:${found?.id}`
  const [first, , third] = sent
  await proposeFor(sale, first?.id as string, { kind_id: talk ?? null, proposed_by })
  await proposeFor(sale, third?.id as string, { kind_id: talk ?? null, proposed_by })
  const placed = []
  const topic_id = call.topics[0]?.id ?? null
  for (const at of [4, 5]) placed.push(await acceptOne(sale, contentBy(at, { topic_id })))
  const from = Math.ceil(sale.clock() / HOUR) * HOUR + 24 * HOUR
  await addSession(sale, { title: 'Opening', room: 'Main hall', from }, ['Welcome', ...placed])
  await addSession(sale, { title: 'Light', room: 'Room 2', from, chairs: ['Paola Neri'] }, ['Round table'])
  return { ...sale, owner }
}

test('each picture of the page about abstracts is of a page that is there', { timeout: 180_000 }, async t => {
  const sale = await prepare(t)
  const { app, eventId, path, owner } = sale
  const cookie = {
    name: 'session',
    value: owner.cookies.get('session') as string,
    domain: '127.0.0.1',
    path: '/',
  }
  const cookies = [{ ...cookie, expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const }]
  const { page, messages } = await openPage(t, app.siteUrl, {
    locale: 'en-GB',
    storageState: { cookies, origins: [] },
  })
  const event = `${app.siteUrl}/manage/e/${eventId}`
  const made: string[] = []
  const picture = async (name: string, address: string, heading: RegExp, height = 820) => {
    await page.setViewportSize({ width: 1280, height })
    const answer = await page.goto(address)
    assert.equal(answer?.status(), 200, name)
    assert.match(await page.locator('h1').first().innerText(), heading)
    made.push(`pictures/${name}.png`)
    if (process.env.PICTURES === '1') await page.screenshot({ path: `docs/pictures/${name}.png` })
  }
  await picture('call', `${event}/abstracts`, /Abstracts/)
  await picture('submitting', `${app.siteUrl}${path}abstracts/new`, /./, 900)
  await picture('decisions', `${event}/decisions`, /Decisions/, 690)
  await picture('send-decisions', `${event}/decisions/send`, /Send/, 900)
  await picture('programme', `${event}/programme`, /Programme/)
  await picture('publish', `${event}/programme/publish`, /Publish/)
  await publishNow(sale)
  await picture('public-programme', `${app.siteUrl}${path}programme`, /Programme/)
  assert.deepEqual(messages, [])
  const shown = [...readFileSync('docs/abstracts.md', 'utf8').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)]
  assert.deepEqual(
    shown.map(([, at]) => at),
    made,
  )
  for (const at of made) assert.ok(existsSync(`docs/${at}`), at)
})
