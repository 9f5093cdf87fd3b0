import * as events from '../../events/rules.ts'
import type { Event } from '../../events/schemas.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { may } from '../../users/roles.ts'
import { ButtonLink, Head, PostButton } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { Form } from '../../web/forms/form-view.tsx'
import type { OfEvent } from '../asked.ts'
import { button } from '../button.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'

/** What may be done with the event as it stands. */
export function StatusButtons({ asked }: { asked: OfEvent }) {
  const { event, member, voice } = asked
  if (!may(member.role, 'events.edit')) return null
  const { overview: texts } = voice.texts
  return (
    <>
      {member.event_ids === null && (
        <ButtonLink href={paths.duplicateEvent(event.id)}>{texts.duplicate}</ButtonLink>
      )}
      {event.status === 'published' && (
        <ButtonLink href={paths.cancelEvent(event.id)}>{texts.cancel}</ButtonLink>
      )}
      {event.status === 'published' && (
        <PostButton action={paths.completeEvent(event.id)}>{texts.complete}</PostButton>
      )}
      {event.status === 'draft' && (
        <PostButton action={paths.publishEvent(event.id)} tone="main">
          {texts.publish}
        </PostButton>
      )}
      {(event.status === 'cancelled' || event.status === 'completed') && (
        <PostButton action={paths.publishEvent(event.id)}>{texts.reopen}</PostButton>
      )}
    </>
  )
}

type Move = 'publish' | 'unpublish' | 'complete'

const movesTo: Readonly<Record<Move, Event['status']>> = {
  publish: 'published',
  unpublish: 'draft',
  complete: 'completed',
}

/** A change of the status that is done at once, as it can be undone. */
function moveButton(move: Move, undo: (asked: OfEvent) => string | undefined) {
  return button('event', {
    path: `/e/{event}/${move}`,
    permission: 'events.edit',
    act: (tx, { account, event }) => events.setStatus(tx, account.id, event.id, movesTo[move]),
    entry: ({ event }) => ({ action: `event.${move}`, targetType: 'event', targetId: event.id }),
    next: ({ id, title, status }, asked) => {
      const back = undo(asked)
      return {
        path: paths.event(id),
        flash: flash('eventMoved', { title, status }, back === undefined ? {} : { undo: back }),
      }
    },
    back: ({ event }) => paths.event(event.id),
  })
}

export const publishEvent = moveButton('publish', ({ event }) =>
  event.status === 'draft' ? paths.unpublishEvent(event.id) : undefined,
)
export const unpublishEvent = moveButton('unpublish', () => undefined)
export const completeEvent = moveButton('complete', ({ event }) => paths.publishEvent(event.id))

/** A page that asks first: everybody who looks for the event sees that it is cancelled. */
export const cancelEvent = formPage('event', {
  path: '/e/{event}/cancel',
  permission: 'events.edit',
  load: async (tx, { account, event }) => {
    const types = await registrationTypes.listDetails(tx, account.id, event.id)
    return { sold: types.reduce((sum, type) => sum + type.sold, 0) }
  },
  fields: () => ({}),
  seen: ({ sold }) => String(sold),
  view: ({ sold }, asked, state) => {
    const { event, voice } = asked
    const { overview: texts } = voice.texts
    const title = texts.cancelTitle(event.title)
    return {
      title,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} />
          <div class="card">
            <Form
              state={state}
              texts={voice.texts}
              action={paths.cancelEvent(event.id)}
              submit={texts.cancelSubmit}
              leave={paths.event(event.id)}
              isDanger
            >
              <ul class="will">
                <li>{texts.cancelShown}</li>
                <li>{texts.cancelKeeps(sold)}</li>
              </ul>
            </Form>
          </div>
        </>
      ),
    }
  },
  act: (tx, { account, event }) => events.setStatus(tx, account.id, event.id, 'cancelled'),
  entry: ({ event }) => ({ action: 'event.cancel', targetType: 'event', targetId: event.id }),
  next: ({ id, title, status }) => ({ path: paths.event(id), flash: flash('eventMoved', { title, status }) }),
})
