import { Problem } from '#base/problem.ts'
import type { Context } from '#machinery/http/face.ts'
import { bodyOf } from '#machinery/http/sending.ts'
import { calendarOf } from '#product/catalog/event-pages/calendar-file.ts'
import * as eventPages from '#product/catalog/event-pages/rules.ts'
import { Covers } from './covers.ts'
import type { StorefrontServices } from './storefront-services.ts'
import type { Find } from './view-page.tsx'

/** A picture may do nothing but be shown, whatever a visitor opens it as. */
const PICTURE_POLICY = "default-src 'none'; sandbox"
const FOREVER = 'public, max-age=31536000, immutable'

/** Answers with the files of an event: its calendar file and its picture. */
export class EventFiles {
  readonly #services: StorefrontServices
  readonly #find: Find
  readonly #covers: Covers

  /** @param find returns the event that the address names, for this visitor. @throws Problem route_not_found */
  constructor(services: StorefrontServices, find: Find) {
    this.#services = services
    this.#find = find
    this.#covers = new Covers(services.db)
  }

  async sendCalendar(context: Context): Promise<void> {
    const { page, isOpen } = await this.#find(context)
    const { event, revision, changed_at } = page
    // The address leaves out the code of a private event, because people share calendars.
    const address = eventPages.pageForAll(this.#services.baseUrl, page.organizer.slug, event)
    const file = calendarOf({ ...event, revision, changed_at }, address)
    if (file === undefined) throw this.#unknown(context)
    context.type = 'text/calendar; charset=utf-8'
    context.set('Cache-Control', isOpen ? 'no-cache' : 'no-store')
    context.set('Content-Disposition', `attachment; filename="${event.slug}.ics"`)
    context.body = file
  }

  async sendCover(context: Context): Promise<void> {
    const hash = context.captures[2]
    const { accountId, eventId, page, isOpen } = await this.#find(context)
    const found = [page.picture, ...(page.picture?.sizes ?? [])].find(each => each?.hash === hash)
    if (!found) throw this.#unknown(context)
    context.set('Cache-Control', isOpen ? FOREVER : 'no-store')
    context.set('Content-Security-Policy', PICTURE_POLICY)
    if (isOpen) {
      context.set('ETag', `"${hash}"`)
      context.status = 200
      if (context.fresh) {
        context.status = 304
        return
      }
    }
    const file = await this.#covers.read(accountId, eventId, found.hash)
    if (file === undefined) throw this.#unknown(context)
    context.body = bodyOf(context.res, file)
    context.type = found.type
    context.length = file.length
  }

  /** Counts the request like every address that leads nowhere. @throws Problem rate_limited */
  #unknown(context: Context): Problem {
    this.#services.addresses.apply(context)
    return new Problem('route_not_found')
  }
}
