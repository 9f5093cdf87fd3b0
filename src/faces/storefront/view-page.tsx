import { Problem } from '#base/problem.ts'
import { INSTANCE, type InstanceReadTx } from '#machinery/db/port.ts'
import type { Context } from '#machinery/http/face.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { DASHBOARD_PATH } from '#product/administration/users/links.ts'
import * as eventPages from '#product/catalog/event-pages/rules.ts'
import type { EventPage, Listing, SeriesPage } from '#product/catalog/event-pages/schemas.ts'
import type { FindPayable } from '#product/catalog/registration-types/sellability.ts'
import { type CallState, stateOf } from '#product/programme/calls/deadline.ts'
import * as calls from '#product/programme/calls/rules.ts'
import * as versions from '#product/programme/versions/rules.ts'
import { readOffers } from '#product/selling/orders/basket.ts'
import { payableWith } from '#product/selling/payments/methods.ts'
import { answerKept, answerOnce } from './answer.ts'
import { FormGuard } from './form-guard.ts'
import { readCode } from './order-form.ts'
import { type Kept, PageCache } from './page-cache.ts'
import { EventDocument } from './pages/event-page.tsx'
import { ListingDocument } from './pages/listing.tsx'
import { renderedOf } from './rendered.ts'
import { SeriesPages } from './series-pages.tsx'
import { SiteMaps } from './site-map.ts'
import type { StorefrontServices } from './storefront-services.ts'
import { Visitors } from './visitors.ts'
import { speechOf, speechWithBack } from './voice.ts'

/** An address names this event, for its visitor. */
export interface PublicEvent {
  accountId: string
  eventId: string
  page: EventPage
  /** Its call for abstracts, which its page leads to. */
  callState: CallState | undefined
  /** Whether its programme is public, which its page leads to. */
  hasProgramme: boolean
  /** Everybody may see it, so that its pages can be kept. */
  isOpen: boolean
}

/**
 * Finds the event that the address names, for this visitor.
 *
 * @param sent is a form, which carries the code of a private event on; otherwise the address has the code
 * @throws Problem route_not_found
 */
export type Find = (context: Context, sent?: URLSearchParams) => Promise<PublicEvent>

/** A slug of an account or an event, as an address names it. */
export const SLUG = /^[a-z0-9-]{1,80}$/

/** Answers visitors. Everybody sees the same open pages, and members also see their own account's other pages. */
export class Pages {
  readonly #services: StorefrontServices
  readonly #visitors: Visitors
  readonly #guard: FormGuard
  readonly #siteMaps: SiteMaps
  readonly #series: SeriesPages
  readonly #findPayable: FindPayable
  /** Each value is null if not everybody may see the page. */
  readonly #events: PageCache<PublicEvent | null>
  readonly #listings: PageCache<Listing | null>
  readonly #entrances: PageCache<eventPages.Entrance>

  constructor(services: StorefrontServices) {
    const { db, clock } = services
    const onCommit = db.onCommit.bind(db)
    this.#services = services
    this.#visitors = new Visitors(services)
    this.#guard = new FormGuard(services)
    this.#siteMaps = new SiteMaps(services)
    this.#findPayable = payableWith(services.payments.processors)
    this.#series = new SeriesPages(services, this.#findPayable)
    this.#events = new PageCache(clock, onCommit)
    this.#listings = new PageCache(clock, onCommit)
    this.#entrances = new PageCache(clock, onCommit)
  }

  /** Redirects the address of the service to the list of events, or to the dashboard if there are no events yet. */
  async enter(context: Context): Promise<void> {
    const { db } = this.#services
    const { shown } = await this.#entrances.get('', async () => ({
      shown: await db.read(INSTANCE, eventPages.findEntrance),
      until: Number.POSITIVE_INFINITY,
    }))
    // The address is relative, because a proxy may put a path before it.
    if (shown.to === 'dashboard') return redirectTo(context, DASHBOARD_PATH.slice(1), 302)
    if (shown.to === 'account') return redirectTo(context, `${shown.slug}/${context.search}`, 302)
    const kept = await this.#listings.get('', now => db.read(INSTANCE, tx => eventPages.listOfAll(tx, now)))
    await this.#answerListing(context, kept)
  }

  async showListing(context: Context): Promise<void> {
    const [account = ''] = context.captures
    const kept = await this.findListing(context)
    if (!context.path.endsWith('/')) return redirectTo(context, `${account}/${context.search}`, 302)
    await this.#answerListing(context, kept)
  }

  /** Returns the list of the organizer that the address names. @throws Problem route_not_found */
  async findListing(context: Context): Promise<Kept<Listing | null>> {
    const [account = ''] = context.captures
    if (!SLUG.test(account)) throw this.#unknown(context)
    const kept = await this.#listings.get(account, async now => {
      const found = await this.#services.db.read(INSTANCE, tx => eventPages.listOfAccount(tx, account, now))
      return found ?? NOTHING
    })
    if (kept.shown === null) throw this.#unknown(context)
    return kept
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
    if (kept.shown === null && (await this.#series.show(context))) return
    const { page, callState, hasProgramme } = kept?.shown ?? (await this.#findClosed(context))
    if (!context.path.endsWith('/')) return redirectTo(context, `${page.event.slug}/${context.search}`, 302)
    const speech = speechWithBack(context, page.organizer)
    const props = { page, callState, hasProgramme, speech, baseUrl }
    if (kept?.shown && speech.back === undefined)
      return answerKept(
        context,
        renderedOf(kept, speech, () => <EventDocument {...props} />),
      )
    if (kept?.shown || page.code !== null) return answerOnce(context, 200, <EventDocument {...props} />)
    const preview = {
      kind: page.event.status === 'draft' ? 'draft' : 'private',
      manage: `${DASHBOARD_PATH}/e/${page.event.id}`,
    } as const
    answerOnce(context, 200, <EventDocument {...props} preview={preview} />)
  }

  /** Returns what a frame at this address shows: an event that everybody may see, or a series. @throws Problem route_not_found */
  async findFramed(context: Context): Promise<EventPage | SeriesPage> {
    const { shown } = await this.#findOpen(context)
    const found = shown?.page ?? (await this.#series.find(context)).shown
    if (found === null) throw this.#unknown(context)
    return found
  }

  readonly find: Find = async (context, sent) =>
    (await this.#findOpen(context)).shown ?? (await this.#findClosed(context, sent))

  async sendSiteMap(context: Context): Promise<void> {
    if (!(await this.#siteMaps.send(context))) throw this.#unknown(context)
  }

  sendRobots(context: Context): Promise<void> {
    return this.#siteMaps.sendRobots(context)
  }

  /**
   * Returns the event of the address, with the pages that are made of it. Its content is null if not everybody may see the event.
   */
  async #findOpen(context: Context): Promise<Kept<PublicEvent | null>> {
    const [account = '', event = ''] = context.captures
    if (!SLUG.test(account) || !SLUG.test(event)) throw this.#unknown(context)
    return this.#events.get(`${account}/${event}`, async now => {
      return this.#services.db.read(INSTANCE, async tx => {
        const found = await eventPages.findOpen(tx, account, event, now, this.#findPayable)
        if (found === undefined) return NOTHING
        const { accountId, eventId, page } = found
        const has = await findParts(tx, found, now)
        const shown = { accountId, eventId, page: page.shown, ...has, isOpen: true }
        return { shown, until: Math.min(page.until, has.callState?.until ?? Number.POSITIVE_INFINITY) }
      })
    })
  }

  /**
   * Returns an event that not everybody may see. Neither the server nor any cache on the way keeps it.
   *
   * @throws Problem route_not_found
   */
  async #findClosed(context: Context, sent?: URLSearchParams): Promise<PublicEvent> {
    const found = (await this.#findByCode(context, sent)) ?? (await this.#findOwn(context))
    context.set('X-Robots-Tag', 'noindex')
    return found
  }

  async #findByCode(context: Context, sent?: URLSearchParams): Promise<PublicEvent | undefined> {
    const entered = readCode(sent ?? new URLSearchParams(context.querystring))
    if (entered === undefined) return undefined
    const [account = '', slug = ''] = context.captures
    const { db, clock } = this.#services
    const hasShown = (eventId: string) => sent !== undefined && this.#guard.hasShown(eventId, sent)
    return db.read(INSTANCE, async tx => {
      const now = clock()
      const findPayable = this.#findPayable
      const found = await eventPages.findByCode(tx, { account, slug, entered }, now, hasShown, findPayable)
      if (found === undefined) return undefined
      const { accountId, eventId, page, isValid } = found
      const types = isValid
        ? await readOffers(tx.of(accountId), eventId, entered, now, findPayable)
        : page.shown.types
      // A mail to a person on the waitlist would have no code, so the page offers no waitlist.
      const event = { ...page.shown.event, waitlist_mode: 'off' } as const
      const has = await findParts(tx, found, now)
      return { accountId, eventId, page: { ...page.shown, event, types }, ...has, isOpen: false }
    })
  }

  /**
   * Returns an event that only members may see. For others, it is as unknown as an event that does not exist.
   *
   * @throws Problem route_not_found
   */
  async #findOwn(context: Context): Promise<PublicEvent> {
    const [account = '', event = ''] = context.captures
    const { db, clock } = this.#services
    if (!this.#visitors.maySign(context.req)) throw this.#unknown(context)
    const found = await db.read(INSTANCE, async tx => {
      const now = clock()
      const of = await eventPages.find(tx, account, event, now, this.#findPayable)
      return of && { ...of, has: await findParts(tx, of, now) }
    })
    const { accountId, eventId } = found ?? { accountId: '', eventId: '' }
    const isMember = await this.#visitors.isMember(context.req, accountId, eventId)
    if (found === undefined || !isMember) throw this.#unknown(context)
    return { accountId, eventId, page: found.page.shown, ...found.has, isOpen: false }
  }

  /** Counts the request like every address that leads nowhere. @throws Problem rate_limited */
  #unknown(context: Context): Problem {
    this.#services.addresses.apply(context)
    return new Problem('route_not_found')
  }
}

/** Returns what an event has beside its tickets. */
async function findParts(
  tx: InstanceReadTx,
  { accountId, eventId, page }: { accountId: string; eventId: string; page: { shown: EventPage } },
  now: number,
): Promise<Pick<PublicEvent, 'callState' | 'hasProgramme'>> {
  const of = tx.of(accountId)
  const call = page.shown.event.takes_abstracts ? await calls.find(of, eventId) : undefined
  return {
    callState: call && stateOf(call, now),
    hasProgramme: (await versions.getState(of, eventId)).published !== null,
  }
}

/** This value holds until something is written. */
export const NOTHING = { shown: null, until: Number.POSITIVE_INFINITY } as const

/** Returns the time zone and the currency that the fields of a form use, for its event. */
export function scaleOf({ page: { event } }: PublicEvent) {
  return { timezone: event.timezone, currency: event.currency }
}
