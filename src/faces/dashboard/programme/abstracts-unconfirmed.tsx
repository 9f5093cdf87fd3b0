import { button } from '#faces/dashboard/frame/button.ts'
import { actorOf, type EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { withQuery } from '#machinery/web/link.ts'
import { remindUnconfirmed } from '#product/programme/decisions/remind-unconfirmed.ts'

/** The list of those that are not confirmed. */
const listOf = ({ event }: EventRequest) => withQuery(paths.abstracts(event.id), { status: 'unconfirmed' })

/** Stands above the list of those that are not confirmed. */
export function RemindCard({ request }: { request: EventRequest }) {
  const { afterDecision: texts } = request.voice.texts
  const action = paths.remindUnconfirmed(request.event.id)
  if (!request.offers(action)) return null
  return (
    <div class="card row">
      <PostButton action={action}>{texts.remind}</PostButton>
      <span class="quiet">{texts.remindAbout}</span>
    </div>
  )
}

/** Reminds all who were asked to confirm, and have not. */
export const remindUnconfirmedOnes = button('event', {
  path: '/e/{event}/abstracts/remind',
  permission: 'abstracts',
  act: (tx, request) => remindUnconfirmed(tx, request.event.id, actorOf(request).who),
  entry: ({ event }) => ({
    ...{ action: 'abstract.remind', targetType: 'event', targetId: event.id },
    hasChanged: count => count > 0,
    details: (_, count) => ({ count }),
  }),
  next: (n, request) => ({ path: listOf(request), flash: flash('unconfirmedReminded', { n }) }),
  back: listOf,
})
