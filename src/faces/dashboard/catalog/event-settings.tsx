import { movedPage } from '#faces/dashboard/frame/moved-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { eventTopics, paths } from '#faces/dashboard/frame/paths.ts'
import { settingsByTopic } from '#faces/dashboard/frame/settings-parts.tsx'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { flash } from '#machinery/web/flash.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventChanges, EventDetails } from '#product/catalog/events/schemas.ts'

type Topic = (typeof eventTopics)[number]

/** What all settings of an event declare: who may change them, and that other pages link to their fields. */
export const OF_SETTINGS = { permission: 'events.edit', takesWayBack: true, keepsTyped: true } as const

/** The navigation names the settings once. */
const ENTRY = '/e/{event}/settings'

/** Returns the rules by which a form changes fields of an event, and stays where it is unless it was opened from elsewhere. */
export function editOf(topic: Topic) {
  return {
    ...OF_SETTINGS,
    act: (tx: WriteTx, { event }: EventRequest, { changes }: { changes: EventChanges }) =>
      events.update(tx, event.id, changes),
    entry: ({ event }: EventRequest) => ({
      action: 'event.update',
      targetType: 'event',
      targetId: event.id,
    }),
    next: ({ id, title }: { id: string; title: string }) => ({
      path: paths.eventSettings(id, topic),
      flash: flash('eventSaved', { title }),
    }),
  }
}

/** Reads the event for a form that needs nothing else. */
export async function loadEvent(tx: ReadTx, { event }: EventRequest): Promise<{ event: EventDetails }> {
  return { event: await events.getDetails(tx, event.id) }
}

/** Returns what the pages of the settings have in common. */
export function settingsParts(topic: Topic, { event, voice: { texts } }: EventRequest) {
  return settingsByTopic({
    ...{ topics: eventTopics, topic, texts, labels: texts.eventSettings },
    pathOf: each => paths.eventSettings(event.id, each),
    leave: paths.event(event.id),
  })
}

const moved = (path: string, to: (event: string) => string) =>
  movedPage('event', {
    path,
    permission: OF_SETTINGS.permission,
    belongsTo: ENTRY,
    to: ({ event }) => to(event.id),
  })

const toPage = (event: string) => paths.eventSettings(event, 'page')

/** The addresses that settings had before they were sorted by topic. */
export const oldEventPage = moved('/e/{event}/page', toPage)
export const oldEventPicture = moved('/e/{event}/page/picture', paths.eventPicture)
export const oldPreview = moved('/e/{event}/settings/preview', toPage)
