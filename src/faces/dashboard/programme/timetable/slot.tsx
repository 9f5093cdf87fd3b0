import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { backFrom } from '#faces/dashboard/frame/way-back.ts'
import { PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { hiddenField } from '#machinery/web/forms/field.ts'
import { getBriefly } from '#product/programme/abstracts/of-event.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { findPlaceable, presetMinutes } from '#product/programme/timetable/placeable.ts'
import * as rooms from '#product/programme/timetable/rooms.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import * as slots from '#product/programme/timetable/slots.ts'
import { sessionChoice } from './session-choice.ts'
import { minutesField, textOfSlot } from './session-fields.ts'

/** Changes the minutes of a slot, the text of one that has no abstract, and the session that it stands in. */
export const changeSlot = formPage('event', {
  path: '/e/{event}/programme/slots/{slot}',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  load: async (tx, { event, params }) => ({
    slot: await slots.get(tx, event.id, params.slot ?? ''),
    rooms: await rooms.list(tx, event.id),
    sessions: await sessions.list(tx, event.id),
  }),
  fields: (loaded, request) => ({
    title: loaded.slot.title === null ? hiddenField(200) : textOfSlot,
    minutes: minutesField,
    session: sessionChoice(loaded, request, {
      label: texts => texts.timetable.session,
      help: texts => texts.timetable.sessionHelp,
    }),
  }),
  current: ({ slot: { title, minutes, session_id: session } }) => ({
    ...{ title: title ?? '', minutes, session },
  }),
  parts: ({ slot }, { event, voice: { texts } }) => {
    const leave = paths.programmeSession(event.id, slot.session_id)
    return {
      ...{ title: slot.name, isOfPeople: true, windowTitle: texts.timetable.changeTitle },
      crumbs: <a href={leave}>{texts.timetable.session}</a>,
      ...{ leave, submit: texts.page.save },
      actions: (
        <PostButton
          action={paths.slot(event.id, slot.id, 'remove')}
          label={texts.timetable.removeName(slot.name)}
        >
          {texts.timetable.remove}
        </PostButton>
      ),
    }
  },
  act: async (tx, { event }, { loaded: { slot }, changes: { session: session_id, ...changes } }) => {
    await slots.change(tx, event.id, slot.id, {
      ...changes,
      ...(session_id === undefined ? {} : { session_id }),
    })
    return slots.get(tx, event.id, slot.id)
  },
  entry: ({ params }) => ({ action: 'slot.change', targetType: 'slot', targetId: params.slot }),
  next: ({ session_id, name }, { event }) => ({
    path: paths.programmeSession(event.id, session_id),
    flash: flash('slotSaved', { name }),
  }),
})

/** Moves a slot before another, or to the end of a session. It says where it has stood, and is refused if that is over. */
export const moveSlot = button('event', {
  path: '/e/{event}/programme/slots/{slot}/move',
  permission: 'abstracts',
  act: async (tx, { event, params }, body) => {
    const id = params.slot ?? ''
    const was = await slots.get(tx, event.id, id)
    if (was.session_id !== body.get('from')) throw new Problem('seen_changed')
    const place = { session_id: body.get('session') ?? '', before: body.get('before') || null }
    await slots.move(tx, event.id, id, place)
    return { ...was, session_id: place.session_id }
  },
  entry: ({ params }) => ({ action: 'slot.move', targetType: 'slot', targetId: params.slot }),
  next: ({ session_id, name }, request) =>
    backFrom(
      {
        path: paths.programmeSession(request.event.id, session_id),
        flash: flash('slotMoved', { name }),
      },
      request,
    ),
  back: (request, body) => backFrom({ path: toSession(request, body.get('from')) }, request).path,
})

/** Returns the page of a session that a form names, or that of the programme. */
function toSession({ event }: EventRequest, session: string | null): string {
  return session !== null && isUuid(session)
    ? paths.programmeSession(event.id, session)
    : paths.programme(event.id)
}

/** Takes a slot out of its session. What stood in it can be placed again. */
export const removeSlot = button('event', {
  path: '/e/{event}/programme/slots/{slot}/remove',
  permission: 'abstracts',
  act: (tx, { event, params }) => slots.remove(tx, event.id, params.slot ?? ''),
  entry: ({ params }) => ({
    ...{ action: 'slot.remove', targetType: 'slot', targetId: params.slot },
    details: (_, removed) => (removed === undefined ? {} : { name: removed.name }),
  }),
  next: ({ session_id, name }, { event }) => ({
    path: paths.programmeSession(event.id, session_id),
    flash: flash('slotRemoved', { name }),
  }),
  back: ({ event }) => paths.programme(event.id),
})

/** Puts an abstract into a session that a chair chooses. What is dragged comes here too, and says before what it stands. */
export const placeAbstract = formPage('event', {
  path: '/e/{event}/programme/abstracts/{abstract}',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  takesWayBack: true,
  load: async (tx, { event, params }) => ({
    abstract: await getBriefly(tx, event.id, params.abstract ?? ''),
    placeable: await findPlaceable(tx, event.id, params.abstract ?? ''),
    rooms: await rooms.list(tx, event.id),
    sessions: await sessions.list(tx, event.id),
    call: await calls.find(tx, event.id),
  }),
  fields: (loaded, request) => ({
    session: sessionChoice(loaded, request, { label: texts => texts.timetable.placeInto }),
    before: hiddenField(36),
  }),
  parts: ({ abstract, ...loaded }, { event, voice: { texts } }) => ({
    ...{ title: abstract.title, isOfPeople: true, windowTitle: texts.timetable.placeTitle },
    ...{ crumbs: texts.timetable.title, leave: paths.programme(event.id) },
    submit: texts.timetable.placeSubmit,
    isRepeatable: true,
    ...(loaded.sessions.length === 0 ? { instead: <p>{texts.timetable.noSessions}</p> } : {}),
    ...(loaded.placeable === undefined ? { instead: <p>{texts.timetable.notAccepted}</p> } : {}),
  }),
  act: async (tx, { event }, { values, loaded: { placeable, call } }) => {
    if (placeable === undefined) throw new Problem('seen_changed')
    const place = { session_id: values.session, before: values.before || null }
    const slot = { abstract_id: placeable.id, minutes: presetMinutes(placeable, call?.kinds ?? []) }
    return slots.add(tx, event.id, place, slot)
  },
  entry: ({ params }) => ({
    ...{ action: 'slot.add', targetType: 'abstract', targetId: params.abstract },
    hasChanged: ({ isNew }) => isNew,
    details: () => ({ count: 1 }),
  }),
  next: ({ isNew }, { event }) => ({
    path: paths.programme(event.id),
    flash: flash('slotsAdded', { n: Number(isNew) }),
  }),
})
