import { Problem } from '#base/problem.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import type { Context } from '#machinery/http/face.ts'
import type { LegalKind } from '#product/administration/accounts/legal.ts'
import { findLegalText } from '#product/catalog/event-pages/organizers.ts'
import type { LegalText } from '#product/catalog/event-pages/schemas.ts'
import { answerKept } from './answer.ts'
import { PageCache } from './page-cache.ts'
import { LegalDocument } from './pages/legal-page.tsx'
import { renderedOf } from './rendered.ts'
import type { StorefrontServices } from './storefront-services.ts'
import { NOTHING, SLUG } from './view-page.tsx'
import { speechOf } from './voice.ts'

/** The texts that are kept. Each may have fifty thousand characters, so there are fewer than of other pages. */
const KEPT = 100

/** Answers with the legal texts that organizers have written here. */
export class LegalPages {
  readonly #services: StorefrontServices
  readonly #texts: PageCache<LegalText | null>

  constructor(services: StorefrontServices) {
    const { db, clock } = services
    this.#services = services
    this.#texts = new PageCache(clock, db.onCommit.bind(db), KEPT)
  }

  /** @throws Problem route_not_found if the account has no such text, also where a link leads to one elsewhere */
  async show(context: Context, kind: LegalKind): Promise<void> {
    const { db, baseUrl } = this.#services
    const [account = ''] = context.captures
    if (!SLUG.test(account)) throw this.#unknown(context)
    const kept = await this.#texts.get(`${account}/${kind}`, async () => {
      const found = await db.read(INSTANCE, tx => findLegalText(tx, account, kind))
      return found === undefined ? NOTHING : { ...NOTHING, shown: found }
    })
    const { shown: legal } = kept
    if (legal === null) throw this.#unknown(context)
    const speech = speechOf(context)
    const props = { kind, legal, speech, baseUrl }
    await answerKept(
      context,
      renderedOf(kept, speech, () => <LegalDocument {...props} />),
    )
  }

  /** Counts the request like every address that leads nowhere. @throws Problem rate_limited */
  #unknown(context: Context): Problem {
    this.#services.addresses.apply(context)
    return new Problem('route_not_found')
  }
}
