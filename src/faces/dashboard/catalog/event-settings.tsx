import { movedPage } from '#faces/dashboard/frame/moved-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { eventTopics, paths } from '#faces/dashboard/frame/paths.ts'
import { settingsByTopic } from '#faces/dashboard/frame/settings-parts.tsx'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { flash } from '#machinery/web/flash.ts'
import type { FormState } from '#machinery/web/forms/form.ts'
import { type LaterDate, listLater, updateWithLater } from '#product/catalog/events/later-dates.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventChanges, EventDetails } from '#product/catalog/events/schemas.ts'

import { chosenLater, flashOfSave, NotCarried, type SaveFor } from './later-dates.tsx'

type Topic = (typeof eventTopics)[number]

/** What all settings of an event declare: who may change them, and that other pages link to their fields. */
export const OF_SETTINGS = { permission: 'events.edit', takesWayBack: true, keepsTyped: true } as const

/** The navigation names the settings once. */
const ENTRY = '/e/{event}/settings'

interface Saved {
  changes: EventChanges
  values: { save_for?: SaveFor }
  loaded: LoadedEvent
}

/**
 * Returns the rules by which a form changes fields of an event, and of later dates of its series if a person wants that. It stays
 * where it is unless it was opened from elsewhere.
 */
export function editOf(topic: Topic) {
  return {
    ...OF_SETTINGS,
    act: async (tx: WriteTx, { event }: EventRequest, { changes, values, loaded }: Saved) => {
      const later = chosenLater(loaded.later, values)
      const { here, others } = await updateWithLater(tx, event.id, changes, later)
      return { id: here.id, title: here.title, later: others }
    },
    entry: ({ event }: EventRequest) => ({
      action: 'event.update',
      targetType: 'event',
      targetId: event.id,
      alsoOf: ({ later }: { later: readonly string[] }) => later,
    }),
    next: ({ id, title, later }: { id: string; title: string; later: readonly string[] }) => ({
      path: paths.eventSettings(id, topic),
      flash: flashOfSave(title, later, flash('eventSaved', { title })),
    }),
  }
}

/** An event with the later dates of its series for which its forms can be saved too. */
export interface LoadedEvent {
  event: EventDetails
  later: readonly LaterDate[]
}

/** Reads the event for a form that needs nothing else. */
export async function loadEvent(tx: ReadTx, { event: { id }, member }: EventRequest): Promise<LoadedEvent> {
  const event = await events.getDetails(tx, id)
  return { event, later: await listLater(tx, event, member.event_ids) }
}

/** Returns what the pages of the settings have in common. */
export function settingsParts(topic: Topic, { event, voice: { texts } }: EventRequest, state?: FormState) {
  return {
    ...settingsByTopic({
      ...{ topics: eventTopics, topic, texts, labels: texts.eventSettings },
      pathOf: each => paths.eventSettings(event.id, each),
      leave: paths.event(event.id),
    }),
    above: state && <NotCarried state={state} texts={texts} />,
  }
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
