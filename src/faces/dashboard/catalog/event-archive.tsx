import { button } from '#faces/dashboard/frame/button.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import { setArchived } from '#product/catalog/events/archive.ts'

/** Takes an event off the list of events at once, because that can be undone. */
export const archiveEvent = button('event', {
  path: '/e/{event}/archive',
  permission: 'events.edit',
  act: (tx, { event }) => setArchived(tx, event.id, true),
  entry: ({ event }) => ({
    action: 'event.archive',
    targetType: 'event',
    targetId: event.id,
    hasChanged: ({ hasMoved }) => hasMoved,
  }),
  next: ({ event: { id, title } }) => ({
    path: paths.event(id),
    flash: flash('eventArchived', { title }, { undo: paths.unarchiveEvent(id) }),
  }),
  back: ({ event }) => paths.event(event.id),
})

export const unarchiveEvent = button('event', {
  path: '/e/{event}/unarchive',
  permission: 'events.edit',
  act: (tx, { event }) => setArchived(tx, event.id, false),
  entry: ({ event }) => ({
    action: 'event.unarchive',
    targetType: 'event',
    targetId: event.id,
    hasChanged: ({ hasMoved }) => hasMoved,
  }),
  next: ({ event: { id, title } }) => ({ path: paths.event(id), flash: flash('eventListed', { title }) }),
  back: ({ event }) => paths.event(event.id),
})
