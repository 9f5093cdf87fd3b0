import { button } from '#faces/dashboard/frame/button.ts'
import type { Destination } from '#faces/dashboard/frame/destination.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { flash } from '#machinery/web/flash.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { hinderingOf, readSellable, type TypeState } from '#product/selling/sellability/rules.ts'

/** Returns the types that people could not buy if the event were published now. */
async function findHindering(
  tx: ReadTx,
  { event }: EventRequest,
  { payments, clock }: Services,
): Promise<TypeState[]> {
  const current = await events.getDetails(tx, event.id)
  return hinderingOf(await readSellable(tx, current, payments.processors, clock()))
}

const entry = ({ event }: EventRequest) => ({
  action: 'event.publish',
  targetType: 'event',
  targetId: event.id,
})

/** Leads to the overview, with the way back for what was a draft. */
function published({ id, title, status }: EventDetails, { event }: EventRequest): Destination {
  const undo = event.status === 'draft' ? { undo: paths.unpublishEvent(event.id) } : {}
  return { path: paths.event(id), flash: flash('eventMoved', { title, status }, undo) }
}

/** Publishes an event at once, because that can be undone. It asks first about a draft with types that people could not buy. */
export const publishEvent = button('event', {
  path: '/e/{event}/publish',
  permission: 'events.edit',
  act: async (tx, request, _, services) => {
    const { event } = request
    const { status } = await events.get(tx, event.id)
    // What a draft lacks is refused first.
    const isComplete = (await events.findMissing(tx, event.id)).length === 0
    if (status === 'draft' && isComplete && (await findHindering(tx, request, services)).length > 0)
      return undefined
    return events.setStatus(tx, event.id, 'published')
  },
  entry: request => ({ ...entry(request), hasChanged: event => event !== undefined }),
  next: (event, request) =>
    event === undefined ? { path: paths.publishAnyway(request.event.id) } : published(event, request),
  back: ({ event }) => paths.event(event.id),
})

/** Names the types that people could not buy, and asks whether to publish the event all the same. */
export const publishAnyway = formPage('event', {
  path: '/e/{event}/publish/anyway',
  belongsTo: '/e/{event}',
  permission: 'events.edit',
  load: (tx, request, services) => findHindering(tx, request, services),
  fields: () => ({}),
  preview: types => types.map(({ id, state }) => `${id} ${state}`).join(),
  parts: (types, { event, voice }) => {
    const { overview: texts, tickets, page } = voice.texts
    return {
      ...{ title: texts.publishTitle(event.title), isOfPeople: true },
      ...{ submit: texts.publishAnyway, leave: paths.event(event.id), leaveText: page.back },
      will: [
        ...types.map(({ id, name, state }) => (
          <span key={id}>
            <bdi>{name}</bdi>: {tickets.states[state]}
          </span>
        )),
        texts.publishShown,
      ],
    }
  },
  act: (tx, { event }) => events.setStatus(tx, event.id, 'published'),
  entry,
  next: published,
})

/** Sets how an event is paid, by the buttons that stand where nobody can pay it. */
export const payEvent = button('event', {
  path: '/e/{event}/pay',
  permission: 'events.edit',
  act: (tx, { event }, body) => events.update(tx, event.id, { payment_ways: wayOf(body) }),
  entry: ({ event }) => ({
    action: 'event.update',
    targetType: 'event',
    targetId: event.id,
    details: () => ({ changed: ['payment_ways'] }),
  }),
  next: ({ id, title }) => ({ path: paths.event(id), flash: flash('eventSaved', { title }) }),
  back: ({ event }) => paths.event(event.id),
})

function wayOf(body: URLSearchParams): 'door' | 'set_up' {
  return body.get('by') === 'set_up' ? 'set_up' : 'door'
}
