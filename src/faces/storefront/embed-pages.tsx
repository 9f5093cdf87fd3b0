import { Problem } from '#base/problem.ts'
import type { Context } from '#machinery/http/face.ts'
import type { Listing } from '#product/catalog/event-pages/schemas.ts'
import { answerFramed } from './answer.ts'
import { DatesFrame, SeriesFrame, TicketsFrame } from './pages/frames.tsx'
import type { Pages } from './view-page.tsx'
import { speechWithBack } from './voice.ts'

/** Answers with pages for frames of the organizer's own site. They have no head and no foot, and need no cookie. */
export class EmbedPages {
  readonly #pages: Pages

  constructor(pages: Pages) {
    this.#pages = pages
  }

  /** Shows the dates of an organizer. @throws Problem route_not_found */
  async showDates(context: Context): Promise<void> {
    const { organizer, events } = (await this.#pages.findListing(context)).shown as Listing
    if (organizer === null) throw new Problem('route_not_found')
    const speech = speechWithBack(context, organizer)
    answerFramed(context, <DatesFrame {...{ organizer, events, speech }} />, organizer.origins)
  }

  /**
   * Shows the tickets of an event that everybody may see, or the dates of a series. Other events have no frame, because a browser
   * sends no cookie with it.
   *
   * @throws Problem route_not_found
   */
  async showTickets(context: Context): Promise<void> {
    const page = await this.#pages.findFramed(context)
    const speech = speechWithBack(context, page.organizer)
    const frame =
      'series' in page ? (
        <SeriesFrame page={page} speech={speech} />
      ) : (
        <TicketsFrame page={page} speech={speech} />
      )
    answerFramed(context, frame, page.organizer.origins)
  }
}
