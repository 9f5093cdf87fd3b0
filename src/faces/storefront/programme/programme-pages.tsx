import { Problem } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { AddressLimit } from '#machinery/http/address-limit.ts'
import { isLoopback } from '#machinery/http/client-address.ts'
import type { Context } from '#machinery/http/face.ts'
import { readerFor } from '#machinery/http/streamed.ts'
import { placesOf } from '#product/catalog/event-pages/calendar-file.ts'
import { pageForAll } from '#product/catalog/event-pages/rules.ts'
import type { AsOf } from '#product/catalog/event-pages/schemas.ts'
import { makeBook } from '#product/programme/book/book.tsx'
import { bookPolicy } from '#product/programme/book/style.ts'
import { type Around, calendarOfAbstract, calendarOfSessions } from '#product/programme/published/calendar.ts'
import { PublicProgramme } from '#product/programme/published/reading.ts'
import type {
  PublicAbstract,
  PublicFrame,
  PublicPlace,
  PublicSession,
  PublicText,
} from '#product/programme/published/schemas.ts'
import { MAX_SEARCH, search } from '#product/programme/published/searching.ts'
import * as versions from '#product/programme/versions/rules.ts'
import { answerKept, answerOnce } from '../answer.ts'
import { PageCache } from '../page-cache.ts'
import { paths } from '../paths.ts'
import { renderedOf } from '../rendered.ts'
import type { StorefrontServices } from '../storefront-services.ts'
import { type Find, NOTHING, type PublicEvent } from '../view-page.tsx'
import { speakOf } from '../voice.ts'
import { AbstractDocument } from './abstract-page.tsx'
import { BookShelf } from './book-shelf.ts'
import { DayDocument } from './day-page.tsx'
import { type Host, hostOf } from './programme-frame.tsx'
import { GoneDocument, SearchDocument } from './search-page.tsx'

/** One address may search this often in a minute. A search of a large programme reads all of it. */
const SEARCHES = 120
/** The pages that are kept of all programmes. One of a day with hundreds of posters has some 200 kB. */
const KEPT = 200

const NUMBER = /^[OP]-\d{2,5}$/i
const DAY = /^\d{4}-\d{2}-\d{2}$/

interface ShownDay {
  host: Host
  frame: PublicFrame
  day: string | undefined
  sessions: readonly PublicSession[]
}

interface ShownAbstract {
  id: string
  host: Host
  frame: PublicFrame
  abstract: PublicAbstract & { text: PublicText | null }
  places: readonly PublicPlace[]
}

/** Shows the public programme of an event. */
export class ProgrammePages {
  readonly #services: StorefrontServices
  readonly #find: Find
  readonly #searches: AddressLimit
  readonly #books: BookShelf
  readonly #days: PageCache<ShownDay | null>
  readonly #abstracts: PageCache<ShownAbstract | null>

  /** @param find returns the event that the address names, for this visitor. @throws Problem route_not_found */
  constructor(services: StorefrontServices, find: Find) {
    const { db, clock, clientAddress } = services
    const onCommit = db.onCommit.bind(db)
    this.#services = services
    this.#find = find
    this.#searches = new AddressLimit({ clock, clientAddress, most: SEARCHES, isExempt: isLoopback })
    this.#books = new BookShelf(clock)
    this.#days = new PageCache(clock, onCommit, KEPT)
    this.#abstracts = new PageCache(clock, onCommit, KEPT)
  }

  /** Shows a day, the first if the address names none, or what a search finds. */
  async show(context: Context): Promise<void> {
    const found = await this.#find(context)
    const query = new URLSearchParams(context.querystring)
    if (query.get('q')?.trim()) return this.#search(context, found, query.get('q') as string)
    const named = query.get('day')
    const day = named !== null && DAY.test(named) ? named : ''
    const of = { found, cache: this.#days, key: day }
    await this.#answer(
      context,
      of,
      (tx, programme, host) => readDay(tx, programme, host, day),
      props => <DayDocument {...props} />,
    )
  }

  async showAbstract(context: Context): Promise<void> {
    const [, , number = ''] = context.captures
    const found = await this.#find(context)
    if (!NUMBER.test(number)) throw this.#unknown(context)
    const of = { found, cache: this.#abstracts, key: number.toUpperCase() }
    await this.#answer(
      context,
      of,
      (tx, programme, host) => readOne(tx, programme, host, number),
      props => <AbstractDocument {...props} />,
    )
  }

  /** Answers with a page, which is kept where everybody may see it. A programme that was taken back has a page that says so. */
  async #answer<Shown extends { host: Host; frame: PublicFrame }>(
    context: Context,
    { found, cache, key }: { found: PublicEvent; cache: PageCache<Shown | null>; key: string },
    read: (tx: ReadTx, programme: PublicProgramme, host: Host) => Promise<Shown | undefined>,
    make: (props: Shown & Spoken) => Parameters<typeof answerOnce>[2],
  ): Promise<void> {
    const { accountId, eventId, page, isOpen } = found
    const host = hostOf(page)
    const readAs = (now: number) =>
      this.#services.db.read(accountId, async (tx): Promise<AsOf<Shown | null>> => {
        const programme = await PublicProgramme.open(tx, { eventId, timezone: page.event.timezone, now })
        const shown = programme && (await read(tx, programme, host))
        if (shown === undefined) return NOTHING
        return { shown, until: programme?.frame.textsFrom ?? Number.POSITIVE_INFINITY }
      })
    // The code of a private event stands in the links of the page, which nobody keeps.
    const kept = isOpen
      ? await cache.get(`${eventId} ${key}`, readAs)
      : { shown: (await readAs(this.#services.clock())).shown, rendered: new Map() }
    const { shown } = kept
    if (shown === null) return this.#answerGone(context, found)
    const spoken = { ...speakOf(context, page), baseUrl: this.#services.baseUrl }
    const document = () => make({ ...shown, ...spoken })
    if (!isOpen) return answerOnce(context, 200, document())
    await answerKept(context, renderedOf(kept, spoken.speech, document))
  }

  /** @throws Problem route_not_found unless a programme was public and is no more */
  async #answerGone(
    context: Context,
    { accountId, eventId, page, hasProgramme }: PublicEvent,
  ): Promise<void> {
    const { db } = this.#services
    const newest = hasProgramme ? undefined : await db.read(accountId, tx => versions.findNewest(tx, eventId))
    if (newest === undefined) throw this.#unknown(context)
    answerOnce(context, 404, <GoneDocument host={hostOf(page)} {...speakOf(context, page)} />)
  }

  async #search(context: Context, found: PublicEvent, text: string): Promise<void> {
    this.#searches.apply(context)
    const { db, clock, baseUrl } = this.#services
    const { accountId, eventId, page } = found
    const of = { eventId, timezone: page.event.timezone, now: clock() }
    const findings = await search(readerFor(db, context.res), accountId, of, text)
    if (findings === undefined) return this.#answerGone(context, found)
    const props = { ...findings, host: hostOf(page), baseUrl, ...speakOf(context, page) }
    answerOnce(context, 200, <SearchDocument {...props} search={text.slice(0, MAX_SEARCH)} />)
    context.set('Cache-Control', 'no-store')
  }

  /** Shows the book of abstracts. Its texts are in it once they are public. */
  async showBook(context: Context): Promise<void> {
    const found = await this.#find(context)
    const { accountId, eventId, page, isOpen } = found
    const { db, clock } = this.#services
    const { event, organizer } = page
    const of = { eventId, timezone: event.timezone, now: clock() }
    const programme = await db.read(accountId, tx => PublicProgramme.open(tx, of))
    if (programme === undefined) return this.#answerGone(context, found)
    const { voice } = speakOf(context, page)
    const { version, textsFrom } = programme.frame
    const name = [eventId, version, textsFrom, voice.format.language].join(' ')
    const book = await this.#books.get(name, () =>
      makeBook(db, { programme, accountId, event, organizer: organizer.name, voice }),
    )
    await answerKept(context, book)
    context.set('Content-Security-Policy', bookPolicy)
    if (!isOpen) context.set('Cache-Control', 'no-store')
  }

  async sendCalendar(context: Context): Promise<void> {
    await this.#sendCalendar(context, 'programme', async (tx, programme, around) =>
      calendarOfSessions(await programme.readAll(tx), around),
    )
  }

  async sendSession(context: Context): Promise<void> {
    const [, , id = ''] = context.captures
    await this.#sendCalendar(context, 'session', async (tx, programme, around) => {
      const session = await programme.readSession(tx, id)
      return session && calendarOfSessions([session], around)
    })
  }

  async sendAbstract(context: Context): Promise<void> {
    const [, , number = ''] = context.captures
    await this.#sendCalendar(context, number.toUpperCase(), async (tx, programme, around) => {
      const id = NUMBER.test(number) ? programme.findId(number) : undefined
      const abstract = id === undefined ? undefined : (await programme.readAbstracts(tx, [id])).get(id)
      if (id === undefined || abstract === undefined) return undefined
      return calendarOfAbstract(id, abstract, programme.placesOf(id), around)
    })
  }

  /** Answers with a file that is shared, and so has no secret: not even the code of a private event. */
  async #sendCalendar(
    context: Context,
    name: string,
    make: (tx: ReadTx, programme: PublicProgramme, around: Around) => Promise<string | undefined>,
  ): Promise<void> {
    const found = await this.#find(context)
    const { accountId, eventId, page, isOpen } = found
    const { db, clock, baseUrl } = this.#services
    const { texts } = speakOf(context, page).voice
    const open = pageForAll(baseUrl, page.organizer.slug, page.event)
    const file = await db.read(accountId, async tx => {
      const of = { eventId, timezone: page.event.timezone, now: clock() }
      const programme = await PublicProgramme.open(tx, of)
      if (programme === undefined) return undefined
      const { frame } = programme
      const url = baseUrl + paths.programme(page.organizer.slug, page.event.slug)
      return make(tx, programme, {
        ...{ frame, venue: placesOf(page.event), untitled: texts.agenda.session },
        pageOf: path => (open === undefined ? null : url + path),
      })
    })
    if (file === undefined) throw this.#unknown(context)
    context.type = 'text/calendar; charset=utf-8'
    context.set('Cache-Control', isOpen ? 'no-cache' : 'no-store')
    context.set('Content-Disposition', `attachment; filename="${page.event.slug}-${name}.ics"`)
    context.body = file
  }

  /** Counts a request for a page that does not exist. */
  #unknown(context: Context): Problem {
    this.#services.addresses.apply(context)
    return new Problem('route_not_found')
  }
}

type Spoken = ReturnType<typeof speakOf> & { baseUrl: string }

/** @param day the first day of the programme if it is empty. @returns undefined for a day that it has not */
async function readDay(
  tx: ReadTx,
  programme: PublicProgramme,
  host: Host,
  day: string,
): Promise<ShownDay | undefined> {
  const { frame } = programme
  const shown = day === '' ? frame.days[0] : day
  if (shown === undefined) return { host, frame, day: shown, sessions: [] }
  if (!frame.days.includes(shown)) return undefined
  return { host, frame, day: shown, sessions: await programme.readDay(tx, shown) }
}

/** @returns undefined for a number that stands nowhere in it */
async function readOne(
  tx: ReadTx,
  programme: PublicProgramme,
  host: Host,
  number: string,
): Promise<ShownAbstract | undefined> {
  const id = programme.findId(number)
  const abstract = id === undefined ? undefined : (await programme.readAbstracts(tx, [id])).get(id)
  if (id === undefined || abstract === undefined) return undefined
  return { id, host, frame: programme.frame, abstract, places: programme.placesOf(id) }
}
