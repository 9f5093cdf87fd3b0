import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { NamedLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { choicesField, tickField } from '#machinery/web/forms/field.ts'
import { withQuery } from '#machinery/web/link.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Kind, Topic } from '#product/programme/calls/schemas.ts'
import { listPlaceable, type Placeable, presetMinutes } from '#product/programme/timetable/placeable.ts'
import type { Session } from '#product/programme/timetable/schemas.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import * as slots from '#product/programme/timetable/slots.ts'
import { minutesField, textOfSlot } from './session-fields.ts'
import { describe, Filters, fits, readFilter } from './unplaced.tsx'

interface Loaded {
  session: Session
  choices: readonly Placeable[]
  topics: readonly Topic[]
  kinds: readonly Kind[]
}

/** In the query of the address: abstracts that have a place are shown too. */
const PLACED = 'placed'

/** Puts accepted abstracts into a session, in the order in which they are listed. */
export const addAbstracts = formPage('event', {
  path: '/e/{event}/programme/sessions/{programmeSession}/add',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  load: async (tx, request): Promise<Loaded> => {
    const { event, params, query } = request
    const filter = readFilter(request)
    const call = await calls.find(tx, event.id)
    const all = await listPlaceable(tx, event.id, call)
    return {
      session: await sessions.get(tx, event.id, params.programmeSession ?? ''),
      choices: all.filter(each => (!each.isPlaced || query.has(PLACED)) && fits(each, filter)),
      ...{ topics: call?.topics ?? [], kinds: call?.kinds ?? [] },
    }
  },
  fields: ({ choices, topics, kinds }, request) => ({
    every: tickField({ label: texts => texts.timetable.every(choices.length) }),
    abstracts: choicesField(
      choices.map(({ id }) => id),
      texts =>
        choices.map(each => ({
          value: each.id,
          label: `${each.code} ${each.title} – ${describe(each, { topics: [], kinds }, request)}`,
          group: topics.find(({ id }) => id === each.topic_id)?.name ?? texts.timetable.noTopic,
        })),
      { label: texts => texts.timetable.toAdd },
    ),
  }),
  parts: ({ session, choices, topics, kinds }, request) => {
    const { event, voice, query } = request
    const { timetable: texts } = voice.texts
    const leave = paths.programmeSession(event.id, session.id)
    const own = paths.programmeSession(event.id, session.id, 'add')
    const isAll = query.has(PLACED)
    const filter = readFilter(request)
    const { topic, kind } = filter
    const placed = isAll ? 'yes' : undefined
    const none = topic === undefined && kind === undefined ? texts.addNone : texts.unplacedNoneHere
    return {
      ...{ title: texts.addAbstracts, crumbs: <NamedLink href={leave} name={session.title} />, leave },
      ...{ about: texts.addAbstractsAbout, submit: texts.addSubmit },
      action: withQuery(own, { topic, kind, [PLACED]: placed }),
      first: <Filters {...{ topics, kinds, filter, request }} action={own} kept={{ [PLACED]: placed }} />,
      ...(choices.length === 0 ? { instead: <p>{none}</p> } : {}),
      rest: (
        <p>
          <a href={withQuery(own, { topic, kind, [PLACED]: isAll ? undefined : 'yes' })}>
            {isAll ? texts.notPlacedOnly : texts.placedToo}
          </a>
        </p>
      ),
    }
  },
  act: async (tx, { event }, { values, loaded: { session, choices, kinds } }) => {
    let count = 0
    const chosen = values.every ? choices : choices.filter(({ id }) => values.abstracts.includes(id))
    for (const each of chosen) {
      const slot = { abstract_id: each.id, minutes: presetMinutes(each, kinds) }
      if ((await slots.add(tx, event.id, { session_id: session.id, before: null }, slot)).isNew) count++
    }
    return count
  },
  entry: ({ params }) => ({
    ...{ action: 'slot.add', targetType: 'programme_session', targetId: params.programmeSession },
    hasChanged: count => count > 0,
    details: (_, count) => ({ count }),
  }),
  next: (n, request) => ({ path: toSession(request), flash: flash('slotsAdded', { n }) }),
})

function toSession({ event, params }: EventRequest): string {
  return paths.programmeSession(event.id, params.programmeSession ?? '')
}

/** How long a new text is, until somebody says otherwise. */
const USUAL_MINUTES = 15

/** Puts a text into a session, such as a welcome. */
export const addText = formPage('event', {
  path: '/e/{event}/programme/sessions/{programmeSession}/text',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  keepsTyped: true,
  load: (tx, { event, params }) => sessions.get(tx, event.id, params.programmeSession ?? ''),
  fields: () => ({ title: textOfSlot, minutes: minutesField }),
  initial: () => ({ minutes: USUAL_MINUTES }),
  parts: (session, request) => {
    const { timetable: texts } = request.voice.texts
    const leave = toSession(request)
    return {
      ...{ title: texts.addText, crumbs: <NamedLink href={leave} name={session.title} />, leave },
      submit: texts.addTextSubmit,
    }
  },
  act: (tx, { event }, { values, loaded }) =>
    slots.add(tx, event.id, { session_id: loaded.id, before: null }, values),
  entry: ({ params }) => ({
    ...{ action: 'slot.add', targetType: 'programme_session', targetId: params.programmeSession },
    details: () => ({ count: 1 }),
  }),
  next: (_, request) => ({ path: toSession(request), flash: flash('slotsAdded', { n: 1 }) }),
})
