import type { AccountRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import { reviewerUrl } from '#product/programme/reviews/links.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'

/** What a member reviews: an event, and the address of their list. */
export interface Reviewing {
  title: string
  href: string
}

/**
 * Lists what a member reviews. The e-mail says who somebody is among the reviewers of an event.
 *
 * @param eventId of this event alone
 */
export async function readReviewing(
  tx: ReadTx,
  { user }: Pick<AccountRequest, 'user'>,
  { secret, clock }: Pick<Services, 'secret' | 'clock'>,
  eventId?: string,
): Promise<Reviewing[]> {
  const found: Reviewing[] = []
  for (const reviewer of await reviewers.listByEmail(tx, user.email)) {
    if (eventId !== undefined && reviewer.event_id !== eventId) continue
    const round = await rounds.find(tx, reviewer.event_id)
    if (round === undefined || rounds.phaseOf(round, clock()) === 'gone') continue
    const { title } = await events.getDetails(tx, reviewer.event_id)
    found.push({ title, href: reviewerUrl({ baseUrl: '', secret }, reviewer) })
  }
  return found
}

/** Leads members to what they review, and tells those who only review what will be shown here. */
export function ReviewNote({
  reviewing,
  request: { member, voice },
}: {
  reviewing: readonly Reviewing[]
  request: AccountRequest
}) {
  const { texts } = voice
  if (reviewing.length === 0)
    return member.role === 'reviewer' ? <p class="card">{texts.abstracts.noneToReview}</p> : null
  return (
    <ul class="card plain">
      {reviewing.map(({ title, href }) => (
        <li key={href}>
          <a href={href}>
            <bdi>{texts.reviewSettings.toReview(title)}</bdi>
          </a>
        </li>
      ))}
    </ul>
  )
}
