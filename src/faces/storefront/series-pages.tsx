import { INSTANCE } from '#machinery/db/port.ts'
import type { Context } from '#machinery/http/face.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import type { SeriesPage } from '#product/catalog/event-pages/schemas.ts'
import { findSeries } from '#product/catalog/event-pages/series-pages.ts'
import type { FindPayable } from '#product/catalog/registration-types/sellability.ts'
import { answerKept, answerOnce } from './answer.ts'
import { type Kept, PageCache } from './page-cache.ts'
import { SeriesDocument } from './pages/series-page.tsx'
import { renderedOf } from './rendered.ts'
import type { StorefrontServices } from './storefront-services.ts'
import { speechWithBack } from './voice.ts'

/** Answers visitors of a series, whose page stands where that of an event would. */
export class SeriesPages {
  readonly #services: StorefrontServices
  readonly #findPayable: FindPayable
  readonly #kept: PageCache<SeriesPage | null>

  constructor(services: StorefrontServices, findPayable: FindPayable) {
    const { db, clock } = services
    this.#services = services
    this.#findPayable = findPayable
    this.#kept = new PageCache(clock, db.onCommit.bind(db))
  }

  /** Shows the series that the address names. @returns false if there is none that everybody may see */
  async show(context: Context): Promise<boolean> {
    const kept = await this.find(context)
    if (kept.shown === null) return false
    const { baseUrl } = this.#services
    const { series, organizer } = kept.shown
    if (!context.path.endsWith('/')) {
      redirectTo(context, `${series.slug}/${context.search}`, 302)
      return true
    }
    const speech = speechWithBack(context, organizer)
    const page = <SeriesDocument page={kept.shown} speech={speech} baseUrl={baseUrl} />
    if (speech.back === undefined)
      await answerKept(
        context,
        renderedOf(kept, speech, () => page),
      )
    else answerOnce(context, 200, page)
    return true
  }

  /** Returns the series that the address names. Its content is null if there is none that everybody may see. */
  async find({ captures: [account = '', slug = ''] }: Context): Promise<Kept<SeriesPage | null>> {
    return this.#kept.get(`${account}/${slug}`, async now => {
      const read = this.#services.db.read(INSTANCE, tx =>
        findSeries(tx, account, slug, now, this.#findPayable),
      )
      return (await read) ?? { shown: null, until: Number.POSITIVE_INFINITY }
    })
  }
}
