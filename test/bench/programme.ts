import { setTimeout as pause } from 'node:timers/promises'
import { HOUR } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as calls from '#product/programme/calls/rules.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'
import { seller } from '#test/support/people/organizer.ts'
import { addMany, openProgrammeCall, publishNow } from '#test/support/published.ts'
import { inviteOne, openReview } from '#test/support/reviews.ts'
import type { LoadProcess } from './child.ts'
import { Contestant } from './contestant.ts'
import type { Filled } from './fill.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { hardlyAnything, type Settings } from './measures.ts'
import { hold } from './order-mails.ts'
import { openSale } from './sale.ts'
import { figure, median, type Row } from './table.ts'

const ABSTRACTS = 1_000
const REVIEWS = 3
const REVIEWERS = 30
/** How long somebody looks at a page, in milliseconds. */
const VIEW_EVERY = 100
/** Somebody else asks so often for nothing, in milliseconds. */
const ASK_EVERY = 2

const MOST_PAGE = 100
const MOST_BOOK = 2_000
const MOST_STOP = 50

interface Page {
  what: string
  /** A page, or the path of a file that is sent as it is made. */
  work: LoadJob['work'] | { kind: 'file'; path: string; cookie: string }
  most: number
}

type Seen = Pick<LoadResult, 'median' | 'unexpected'>

/**
 * Measures the pages of an event with 1,000 abstracts, 3,000 reviews and a published programme, one after the other. Each is held
 * against the page of an event, and somebody who asks for nothing tells how long the server stands still.
 */
export async function measureProgramme(
  load: LoadProcess,
  other: LoadProcess,
  filled: Filled,
  folder: string,
  settings: Settings,
): Promise<Row[]> {
  const turnout = new Contestant('turnout', filled, folder, ['--mail-rate', '1'])
  const db = openDatabaseForCommand(turnout.filled.data, Date.now)
  try {
    await db.write(filled.accountId, tx => accounts.update(tx, seller))
    await hold(db, true)
    const { eventId, path } = await prepare(db, filled.accountId)
    const began = performance.now()
    await turnout.start()
    await untilTold(db)
    const told = (performance.now() - began) / 1000
    const rows: Row[] = [
      {
        what: `${ABSTRACTS.toLocaleString('en')} authors told of their places, from the start of the server, s`,
        turnout: figure(told),
        target: '',
      },
    ]
    let base: number | undefined
    for (const page of pagesOf(filled, eventId, path)) {
      const results: Seen[] = []
      const asked: LoadResult[] = []
      // The first round is not counted: in it the engine still compiles what is hot.
      for (let round = -1; round < settings.rounds; round++) {
        const at = { host: '127.0.0.1', port: turnout.port, key: filled.key, connections: 1 }
        const asking = other.run({
          ...at,
          ...{ seconds: settings.seconds, pause: ASK_EVERY },
          work: hardlyAnything(filled),
        })
        const job = { ...at, seconds: settings.seconds, pause: VIEW_EVERY }
        const { work } = page
        const seen = work.kind === 'file' ? await fetchFile(work, job) : await load.run({ ...job, work })
        const waited = await asking
        if (round < 0) continue
        results.push(seen)
        asked.push(waited)
      }
      const took = median(results.map(result => result.median))
      base ??= took
      rows.push(...toRows(page, { took, base, results, asked }))
    }
    return rows
  } finally {
    await turnout.stop()
    await db.close()
  }
}

/** Asks for a file as long as others look at a page. */
async function fetchFile(
  { path, cookie }: Extract<Page['work'], { kind: 'file' }>,
  { port, seconds }: Pick<LoadJob, 'port' | 'seconds'>,
): Promise<Seen> {
  const times: number[] = []
  const unexpected: Seen['unexpected'] = {}
  const deadline = performance.now() + seconds * 1000
  do {
    const sent = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } })
    await answer.arrayBuffer()
    if (answer.status === 200) times.push(performance.now() - sent)
    else unexpected[answer.status] = (unexpected[answer.status] ?? 0) + 1
    await pause(VIEW_EVERY)
  } while (performance.now() < deadline)
  return { median: median(times), unexpected }
}

/** The page that others are held against comes first. */
function pagesOf({ cookies }: Filled, eventId: string, path: string): Page[] {
  const manage = (what: string, name: string): Page => ({
    ...{ what, most: MOST_PAGE },
    work: { kind: 'page', paths: [`/manage/e/${eventId}${name}`], cookies: cookies.slice(0, 1) },
  })
  const file = (what: string, name: string): Page => ({
    ...{ what, most: MOST_BOOK },
    work: { kind: 'file', path: `/manage/e/${eventId}/programme/${name}`, cookie: cookies[0] as string },
  })
  const visit = (what: string, name: string): Page => ({
    ...{ what, most: MOST_PAGE },
    work: { kind: 'look', paths: [`${path}programme${name}`] },
  })
  return [
    manage('the page of the event', ''),
    manage('the list of abstracts', '/abstracts'),
    manage('the table of decisions', '/decisions'),
    manage('what sending decisions would do', '/decisions/send'),
    manage('the programme as chairs build it', '/programme'),
    manage('what publishing would change', '/programme/publish'),
    file('the programme as CSV', 'programme.csv'),
    file('the book of abstracts', 'book.html'),
    visit('a day of the public programme', ''),
    visit('a search in it', '?q=500th'),
  ]
}

/** Makes an event with all of that, and publishes its programme. */
async function prepare(db: Database, accountId: string): Promise<{ eventId: string; path: string }> {
  const { eventId, path } = await openSale(db, accountId, 'programme', 10)
  const place = { db, accountId, eventId, clock: Date.now }
  const call = await openProgrammeCall(place)
  await addMany(place, ABSTRACTS)
  await openReview(place)
  const { criteria } = await db.read(accountId, tx => rounds.get(tx, eventId))
  const reviewers: string[] = []
  for (let number = 0; number < REVIEWERS; number++)
    reviewers.push((await inviteOne(place, { email: `reviewer-${number}@reviews.example` })).id)
  const [talk] = (await db.read(accountId, tx => calls.get(tx, eventId))).kinds
  await db.write(accountId, async tx => {
    const now = Date.now() - HOUR
    const rows = await tx.all<{ id: string }>(
      'SELECT b.id FROM abstracts b WHERE b.account_id = $1 AND b.event_id = $2 ORDER BY b.code',
      [accountId, eventId],
    )
    for (const [at, { id }] of rows.entries()) {
      for (let number = 0; number < REVIEWS; number++) {
        const scores = Object.fromEntries(criteria.map(each => [each.id, 1 + ((at + number) % 5)]))
        await tx.run(
          `INSERT INTO reviews (abstract_id, reviewer_id, account_id, event_id, returned, scores, recommendation, to_authors,
             to_chairs, done_at, created_at, updated_at) VALUES ($1, $2, $3, $4, NULL, $5, 'accept', 'Well told.', NULL, $6, $6, $6)`,
          [
            id,
            reviewers[(at + number * 7) % REVIEWERS] as string,
            accountId,
            eventId,
            JSON.stringify(scores),
            now,
          ],
        )
      }
      await tx.run(
        `INSERT INTO proposals (abstract_id, account_id, event_id, decision, kind_id, note, proposed_by, job_id, created_at, updated_at)
         VALUES ($1, $2, $3, 'accepted', $4, NULL, 'cli', NULL, $5, $5)`,
        [id, accountId, eventId, (talk ?? call.kinds[0])?.id ?? null, now],
      )
    }
  })
  await publishNow(place)
  return { eventId, path }
}

async function untilTold(db: Database): Promise<void> {
  for (;;) {
    const row = await db.read(INSTANCE, tx => tx.one("SELECT 1 FROM jobs WHERE state <> 'done' LIMIT 1"))
    if (row === undefined) return
    await pause(20)
  }
}

interface Measured {
  took: number
  /** Of the page that others are held against. */
  base: number
  results: readonly Seen[]
  asked: readonly LoadResult[]
}

function toRows({ what, most }: Page, { took, base, results, asked }: Measured): Row[] {
  const wrong = results.flatMap(({ unexpected }) => Object.entries(unexpected).map(one => one.join(': ')))
  const longest = median(asked.map(result => result.longest))
  return [
    {
      what: `${what}, ms`,
      turnout: figure(took),
      compared: wrong.length > 0 ? wrong.join(', ') : `${figure(took / base)} x the page of the event`,
      target: `at most ${most.toLocaleString('en')}`,
      reached: took <= most && wrong.length === 0,
    },
    {
      what: '  the longest wait of somebody who asks for nothing beside it, ms',
      turnout: figure(longest),
      compared: `median ${figure(median(asked.map(result => result.median)))} ms`,
      target: `at most ${MOST_STOP}`,
      reached: longest <= MOST_STOP,
    },
  ]
}
