import { DAY, toLocalTime } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import { openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as series from '#product/catalog/events/series.ts'
import type { Series } from '#product/catalog/events/series-schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as questions from '#product/guests/questions/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { seller } from '#test/support/people/organizer.ts'
import type { LoadProcess } from './child.ts'
import { type Answered, Connection, toText } from './connection.ts'
import { Contestant } from './contestant.ts'
import type { Filled } from './fill.ts'
import { hiddenOf } from './form.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { hardlyAnything, type Settings } from './measures.ts'
import { openSale } from './sale.ts'
import { figure, median, type Row } from './table.ts'

/** As many as are made at once. */
const DATES = 200
const TYPES = 4
const QUESTIONS = 3
/** So many have each date before it is published. */
const GUESTS = 10
/** Somebody else asks so often for nothing, in milliseconds. */
const ASK_EVERY = 2
/** How long a page is looked at, in milliseconds. */
const VIEW_EVERY = 100
/** Somebody asks for nothing so long before a form is sent and after it, in seconds. */
const AROUND = 1

const MOST_PAGE = 100
const MOST_STOP = 50

/** A form that is sent once in the life of a series. */
interface Step {
  what: string
  took: number
  wait: LoadResult
}

/**
 * Measures a series of 200 dates: how it is made and published, and then its pages, one after the other. Somebody who asks for nothing
 * tells how long the server stands still. Each round makes a series of its own.
 */
export async function measureSeries(
  load: LoadProcess,
  other: LoadProcess,
  filled: Filled,
  folder: string,
  settings: Settings,
): Promise<Row[]> {
  const turnout = new Contestant('turnout', filled, folder)
  const db = openDatabaseForCommand(turnout.filled.data, Date.now)
  try {
    await db.write(filled.accountId, tx => accounts.update(tx, seller))
    await turnout.start()
    const job = { host: '127.0.0.1', port: turnout.port, key: filled.key, connections: 1 }
    const beside = async <T>(seconds: number, work: () => Promise<T>) => {
      const asking = other.run({ ...job, seconds, pause: ASK_EVERY, work: hardlyAnything(filled) })
      const result = await work()
      return { result, wait: await asking }
    }
    const steps: Step[] = []
    let made: Series | undefined
    // The first round is not counted: in it the engine still compiles what is hot.
    for (let round = -1; round < settings.rounds; round++) {
      const slug = `repeated-${round + 1}`
      const eventId = await prepare(db, filled.accountId, slug)
      const person = new Person(turnout.port, filled.cookies[0] as string)
      const take = async (what: string, send: () => Promise<Answered>) => {
        const { result, wait } = await beside(AROUND, async () => {
          const sent = performance.now()
          const answer = await send()
          return { answer, took: answer.at - sent }
        })
        if (round >= 0) steps.push({ what, took: result.took, wait })
        return result.answer
      }
      made = await makeSeries(person, { db, accountId: filled.accountId, eventId, slug }, take)
    }
    const rows = ofSteps(steps)
    for (const { what, work } of pagesOf(filled, made as Series)) {
      const seen: LoadResult[] = []
      const waits: LoadResult[] = []
      for (let round = -1; round < settings.rounds; round++) {
        const { seconds } = settings
        const { result, wait } = await beside(seconds, () =>
          load.run({ ...job, seconds, pause: VIEW_EVERY, work }),
        )
        if (round < 0) continue
        seen.push(result)
        waits.push(wait)
      }
      rows.push(...toRows(what, median(seen.map(result => result.median)), waits, MOST_PAGE))
    }
    return rows
  } finally {
    await turnout.stop()
    await db.close()
  }
}

/** Makes an event that is worth repeating: with types, codes and questions. */
async function prepare(db: Database, accountId: string, slug: string): Promise<string> {
  const { eventId } = await openSale(db, accountId, slug, 100)
  await db.write(accountId, async tx => {
    const dates = { sales_start: null, sales_end: null, valid_from: null, valid_until: null }
    for (let number = 1; number < TYPES; number++)
      await registrationTypes.create(tx, eventId, {
        ...{ name: `Type ${number}`, description: null, price: 0, capacity: 100, active: true, ...dates },
      })
    for (let number = 0; number < QUESTIONS; number++)
      await questions.create(tx, eventId, {
        ...{ label: `Question ${number}`, help: null, kind: 'text', choices: [], required: false },
        ...{ asked_for: 'order', registration_type_ids: null },
      })
    await codes.create(tx, eventId, {
      ...{ code: 'FRIENDS', note: null, percent: 10, amount: null, registration_type_ids: null },
      ...{ valid_from: null, valid_until: null, max_tickets: null, active: true },
    })
  })
  return eventId
}

interface Making {
  db: Database
  accountId: string
  eventId: string
  slug: string
}

type Take = (what: string, send: () => Promise<Answered>) => Promise<Answered>

/** Goes the way of a person, from the event to its published dates. */
async function makeSeries(
  person: Person,
  { db, accountId, eventId, slug }: Making,
  take: Take,
): Promise<Series> {
  const repeat = `/manage/e/${eventId}/repeat`
  const asked = hiddenOf((await person.open(repeat)).body)
  const first = Date.now() + 10 * DAY
  const days = Array.from({ length: DATES }, (_, at) => toLocalTime(first + at * DAY, 'UTC').slice(0, 10))
  for (const [name, value] of Object.entries({ times: '10:00', every: '1', pasted: days.join('\n') }))
    asked.set(name, value)
  const shown = await take(`${DATES} dates shown before they are made`, () => person.send(repeat, asked))
  const chosen = hiddenOf(shown.body)
  chosen.set('name', `Dates of ${slug}`)
  chosen.set('slug', '')
  for (const day of days) chosen.append('dates', `${day}T10:00`)
  await take(`${DATES} drafts made of them`, () => person.send(`${repeat}/dates`, chosen))
  const made = await db.read(accountId, tx => series.findOfEvent(tx, eventId))
  if (made === undefined) throw new Error('No series was made.')
  await addGuests(db, accountId, made)
  const path = `/manage/a/${accountId}/series/${made.id}`
  const all = hiddenOf((await person.open(`${path}/publish`)).body)
  await take(`${DATES} drafts published`, () => person.send(`${path}/publish`, all))
  const dates = await db.read(accountId, tx => series.listDates(tx, made.id))
  if (dates.some(({ status }) => status !== 'published')) throw new Error('Not all dates were published.')
  return made
}

/** Brings guests to each of the dates, as an import does. */
async function addGuests(db: Database, accountId: string, { id }: Series): Promise<void> {
  for (const date of await db.read(accountId, tx => series.listDates(tx, id)))
    await db.write(accountId, async tx => {
      const [type] = await registrationTypes.listByEvent(tx, date.id)
      for (let number = 0; number < GUESTS; number++)
        await registrations.create(tx, {
          event_id: date.id,
          registration_type_id: type?.id as string,
          buyer: { name: `Guest ${number}`, email: `guest-${number}@example.org` },
          quantity: 1,
          answers: {},
          language: 'en',
        })
    })
}

function pagesOf(
  { accountId, cookies }: Filled,
  { id, slug }: Series,
): { what: string; work: LoadJob['work'] }[] {
  const manage = (what: string, path: string) => {
    const work = {
      kind: 'page',
      paths: [`/manage/a/${accountId}${path}`],
      cookies: cookies.slice(0, 1),
    } as const
    return { what, work }
  }
  return [
    manage('the list of events', ''),
    manage('the page of a series', `/series/${id}`),
    { what: 'the public page of a series', work: { kind: 'look', paths: [`/${seller.slug}/${slug}/`] } },
  ]
}

function ofSteps(steps: readonly Step[]): Row[] {
  return [...Map.groupBy(steps, ({ what }) => what)].flatMap(([what, rounds]) =>
    toRows(
      what,
      median(rounds.map(({ took }) => took)),
      rounds.map(({ wait }) => wait),
    ),
  )
}

function toRows(what: string, took: number, waits: readonly LoadResult[], most?: number): Row[] {
  const longest = median(waits.map(result => result.longest))
  return [
    {
      what: `${what}, ms`,
      turnout: figure(took),
      target: most === undefined ? '' : `at most ${most}`,
      ...(most === undefined ? {} : { reached: took <= most }),
    },
    {
      what: '  the longest wait of somebody who asks for nothing beside it, ms',
      turnout: figure(longest),
      compared: `median ${figure(median(waits.map(result => result.median)))} ms`,
      target: `at most ${MOST_STOP}`,
      reached: longest <= MOST_STOP,
    },
  ]
}

/** Somebody who is signed in. */
class Person {
  readonly #port: number
  readonly #cookie: string

  constructor(port: number, cookie: string) {
    this.#port = port
    this.#cookie = cookie
  }

  open(path: string): Promise<Answered> {
    return this.#ask({ method: 'GET', path })
  }

  send(path: string, form: URLSearchParams): Promise<Answered> {
    return this.#ask({ method: 'POST', path, form: form.toString() })
  }

  async #ask(request: { method: 'GET' | 'POST'; path: string; form?: string }): Promise<Answered> {
    const connection = await Connection.open('127.0.0.1', this.#port)
    try {
      return await connection.send(toText({ ...request, cookie: this.#cookie }))
    } finally {
      connection.close()
    }
  }
}
