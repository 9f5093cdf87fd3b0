import type { VNode } from 'preact'
import type { ReadTx } from '../db/port.ts'
import { calendarOf } from '../event-pages/calendar-file.ts'
import * as eventPages from '../event-pages/rules.ts'
import type { EventPage, Listing } from '../event-pages/schemas.ts'
import type { Context } from '../http/face.ts'
import { bodyOf } from '../http/sending.ts'
import { readOffers } from '../orders/basket.ts'
import { waysFor } from '../payments/ways.ts'
import { Problem } from '../problem.ts'
import { DASHBOARD_PATH } from '../users/links.ts'
import { answerKept, answerOnce, render } from './answer.ts'
import { Covers } from './covers.ts'
import { FormGuard } from './form-guard.ts'
import { readCode } from './order-form.ts'
import { type Kept, PageCache } from './page-cache.ts'
import { EventDocument } from './pages/event-page.tsx'
import { ListingDocument } from './pages/listing.tsx'
import { pathOf } from './paths.ts'
import type { Visited } from './visited.ts'
import { Visitors } from './visitors.ts'
import { type Speech, speechOf } from './voice.ts'

/** An event that an address names, for who asks. */
export interface Seen {
  accountId: string
  eventId: string
  page: EventPage
}

/**
 * The event that an address names, for who asks.
 *
 * @param sent a form, which carries the code of a private event on; else the address does
 * @throws Problem route_not_found
 */
export type Find = (context: Context, sent?: URLSearchParams) => Promise<Seen>

const SLUG = /^[a-z0-9-]{1,80}$/
/** Pictures are what they are, whatever somebody opens them as. */
const PICTURE_POLICY = "default-src 'none'; sandbox"
const FOREVER = 'public, max-age=31536000, immutable'

/** Answers visitors: everybody alike with what is open to all, and members with what is theirs. */
export class Pages {
  readonly #services: Visited
  readonly #visitors: Visitors
  readonly #covers: Covers
  readonly #guard: FormGuard
  /** Each null where everybody sees nothing. */
  readonly #events: PageCache<Seen | null>
  readonly #listings: PageCache<Listing | null>
  readonly #entrances: PageCache<eventPages.Entrance>

  constructor(services: Visited) {
    const { db, clock } = services
    const onCommit = db.onCommit.bind(db)
    this.#services = services
    this.#visitors = new Visitors(services)
    this.#covers = new Covers(db)
    this.#guard = new FormGuard(services)
    this.#events = new PageCache(clock, onCommit)
    this.#listings = new PageCache(clock, onCommit)
    this.#entrances = new PageCache(clock, onCommit)
  }

  /** Leads whoever opens the address of the service to what is on; to the dashboard, where there is nothing yet. */
  async enter(context: Context): Promise<void> {
    const { db } = this.#services
    const { shown } = await this.#entrances.get('', async () => ({
      shown: await db.read(eventPages.findEntrance),
      until: Number.POSITIVE_INFINITY,
    }))
    // Relative, as a proxy may put a path before ours.
    if (shown.to === 'dashboard') return lead(context, DASHBOARD_PATH.slice(1))
    if (shown.to === 'account') return lead(context, `${shown.slug}/${context.search}`)
    const kept = await this.#listings.get('', now => db.read(tx => eventPages.listOfAll(tx, now)))
    await this.#answerListing(context, kept)
  }

  async showListing(context: Context): Promise<void> {
    const [account = ''] = context.captures
    if (!SLUG.test(account)) throw this.#unknown(context)
    const kept = await this.#listings.get(account, async now => {
      const found = await this.#services.db.read(tx => eventPages.listOfAccount(tx, account, now))
      return found ?? NOTHING
    })
    if (kept.shown === null) throw this.#unknown(context)
    if (!context.path.endsWith('/')) return lead(context, `${account}/${context.search}`)
    await this.#answerListing(context, kept)
  }

  async #answerListing(context: Context, kept: Kept<Listing | null>): Promise<void> {
    const { baseUrl } = this.#services
    const speech = speechOf(context)
    const listing = kept.shown as Listing
    const make = () => <ListingDocument listing={listing} speech={speech} baseUrl={baseUrl} />
    await answerKept(context, renderedOf(kept, speech, make))
  }

  async showEvent(context: Context): Promise<void> {
    const { baseUrl } = this.#services
    const kept = await this.#findOpen(context)
    const { page } = kept?.shown ?? (await this.#findClosed(context))
    if (!context.path.endsWith('/')) return lead(context, `${page.event.slug}/${context.search}`)
    const speech = speechOf(context)
    const props = { page, speech, baseUrl }
    if (kept?.shown)
      return answerKept(
        context,
        renderedOf(kept, speech, () => <EventDocument {...props} />),
      )
    if (page.code !== null) return answerOnce(context, 200, <EventDocument {...props} />)
    const preview = {
      kind: page.event.status === 'draft' ? 'draft' : 'private',
      manage: `${DASHBOARD_PATH}/e/${page.event.id}`,
    } as const
    answerOnce(context, 200, <EventDocument {...props} preview={preview} />)
  }

  readonly find: Find = async (context, sent) =>
    (await this.#findOpen(context)).shown ?? (await this.#findClosed(context, sent))

  async sendCalendar(context: Context): Promise<void> {
    const open = (await this.#findOpen(context)).shown
    const { page } = open ?? (await this.#findClosed(context))
    const { event, revision, changed_at } = page
    const url = this.#services.baseUrl + pathOf(page)
    const file = calendarOf({ ...event, revision, changed_at }, url)
    if (file === undefined) throw this.#unknown(context)
    context.type = 'text/calendar; charset=utf-8'
    context.set('Cache-Control', open === null ? 'no-store' : 'no-cache')
    context.set('Content-Disposition', `attachment; filename="${event.slug}.ics"`)
    context.body = file
  }

  async sendCover(context: Context): Promise<void> {
    const hash = context.captures[2]
    const open = (await this.#findOpen(context)).shown
    const { accountId, eventId, page } = open ?? (await this.#findClosed(context))
    const { picture } = page
    if (picture === null || picture.hash !== hash) throw this.#unknown(context)
    const file = await this.#covers.read(accountId, eventId, hash)
    if (file === undefined) throw this.#unknown(context)
    context.set('Cache-Control', open === null ? 'no-store' : FOREVER)
    context.set('Content-Security-Policy', PICTURE_POLICY)
    context.body = bodyOf(context.res, file)
    context.type = picture.type
    context.length = file.length
  }

  /** The event of the address, with the pages that are made of it: null in it, where not everybody sees it. */
  async #findOpen(context: Context): Promise<Kept<Seen | null>> {
    const [account = '', event = ''] = context.captures
    if (!SLUG.test(account) || !SLUG.test(event)) throw this.#unknown(context)
    return this.#events.get(`${account}/${event}`, async now => {
      return this.#services.db.read(async tx => {
        const found = await eventPages.findOpen(tx, account, event, now)
        if (found === undefined) return NOTHING
        const { accountId, eventId, page } = found
        const shown = await this.#withWays(tx, accountId, page.shown, now)
        return { shown: { accountId, eventId, page: shown }, until: page.until }
      })
    })
  }

  /** What not everybody sees. Nothing of it is kept here, nor by anybody on the way. @throws Problem route_not_found */
  async #findClosed(context: Context, sent?: URLSearchParams): Promise<Seen> {
    const seen = (await this.#findByCode(context, sent)) ?? (await this.#findOwn(context))
    context.set('X-Robots-Tag', 'noindex')
    return seen
  }

  async #findByCode(context: Context, sent?: URLSearchParams): Promise<Seen | undefined> {
    const entered = readCode(sent ?? new URLSearchParams(context.querystring))
    if (entered === undefined) return undefined
    const [account = '', slug = ''] = context.captures
    const { db, clock } = this.#services
    const isKnown = (eventId: string) => sent !== undefined && this.#guard.hasShown(eventId, sent)
    return db.read(async tx => {
      const now = clock()
      const found = await eventPages.findByCode(tx, { account, slug, entered }, now, isKnown)
      if (found === undefined) return undefined
      const { accountId, eventId, page, isValid } = found
      const types = isValid ? await readOffers(tx, accountId, eventId, entered, now) : page.shown.types
      // Whoever waits would be told of a place without the code.
      const event = { ...page.shown.event, waitlist_mode: 'off' } as const
      const shown = await this.#withWays(tx, accountId, page.shown, now)
      return { accountId, eventId, page: { ...shown, event, types } }
    })
  }

  /** With whether what costs something can be paid. */
  async #withWays(tx: ReadTx, accountId: string, page: EventPage, now: number): Promise<EventPage> {
    if (page.isOver || page.types.every(({ price }) => price === 0)) return page
    const { processors } = this.#services.payments
    const ways = await waysFor(tx, accountId, page.event, undefined, processors, now)
    return { ...page, isPayable: ways.length > 0 }
  }

  /** What members alone see. What others may not see is as unknown to them as what there is not. @throws Problem route_not_found */
  async #findOwn(context: Context): Promise<Seen> {
    const [account = '', event = ''] = context.captures
    const { db, clock } = this.#services
    if (!this.#visitors.maySign(context.req)) throw this.#unknown(context)
    const found = await db.read(async tx => {
      const own = await eventPages.find(tx, account, event, clock())
      return own && { ...own, shown: await this.#withWays(tx, own.accountId, own.page.shown, clock()) }
    })
    const { accountId, eventId } = found ?? { accountId: '', eventId: '' }
    const isMember = await this.#visitors.isMember(context.req, accountId, eventId)
    if (found === undefined || !isMember) throw this.#unknown(context)
    return { accountId, eventId, page: found.shown }
  }

  /** Counts as every address that leads nowhere. @throws Problem rate_limited */
  #unknown(context: Context): Problem {
    this.#services.addresses.apply(context)
    return new Problem('route_not_found')
  }
}

/** Until something is written. */
const NOTHING = { shown: null, until: Number.POSITIVE_INFINITY } as const

function renderedOf(kept: Kept<unknown>, { language, isChosen }: Speech, make: () => VNode) {
  const name = `${language} ${isChosen}`
  let rendered = kept.rendered.get(name)
  if (rendered === undefined) {
    rendered = render(make())
    kept.rendered.set(name, rendered)
  }
  return rendered
}

function lead(context: Context, location: string): void {
  context.status = 302
  context.set('Location', location)
  context.body = ''
  context.remove('Content-Type')
}
