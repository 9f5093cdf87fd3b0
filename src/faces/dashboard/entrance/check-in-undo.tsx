import { Problem } from '#base/problem.ts'
import type { Written } from '#base/resource.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import type { Destination } from '#faces/dashboard/frame/destination.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import { textField } from '#machinery/web/forms/field.ts'
import type { WriteEntry } from '#product/administration/access-log/recorded-write.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { type CheckIn, undoReason } from '#product/entrance/check-ins/schemas.ts'
import { type DoorTicket, getTicket } from '#product/entrance/check-ins/tickets.ts'

interface Undone {
  ticket: DoorTicket
  reason: string
  /** It is undefined if there was nothing left to undo. */
  undone: Written<CheckIn> | undefined
}

function entryOf({ params }: EventRequest): WriteEntry<Undone> {
  return {
    action: 'check_in.undo',
    targetType: 'attendee',
    targetId: params.ticket,
    hasChanged: ({ undone }) => undone !== undefined,
    details: (_, result) => ({ check_in: result?.undone?.resource.id, reason: result?.reason }),
  }
}

function goBack({ ticket, undone }: Undone, { event }: EventRequest): Destination {
  const path = paths.checkIn(event.id)
  if (undone === undefined) return { path }
  return { path, flash: flash('notInside', { name: ticket.name ?? ticket.buyer_name }) }
}

/** Takes any check-in back, with a reason. */
export const undoCheckIn = formPage('event', {
  path: '/e/{event}/check-in/{ticket}/undo',
  permission: 'checkins',
  load: (tx, { event, params }) => getTicket(tx, event.id, params.ticket ?? ''),
  fields: () => ({
    reason: textField(undoReason, {
      label: texts => texts.checkIn.reason,
      help: texts => texts.checkIn.reasonHelp,
    }),
  }),
  // The form takes back only the check-in that the page was about, and no later one.
  preview: ({ checked_in_at }) => checked_in_at ?? '',
  parts: ({ name, buyer_name, checked_in_at: at, registration_type_name: type }, { event, voice }) => {
    const { texts, format } = voice
    const { undoTitle, notInside, undoSubmit: submit, since, undoThen } = texts.checkIn
    const title = (at === null ? notInside : undoTitle)(name ?? buyer_name)
    const back = { crumbs: texts.navigation.checkIn, leave: paths.checkIn(event.id) }
    const shown = { title, isOfPeople: true, submit, isGuarded: false, ...back }
    if (at === null) return { ...shown, instead: null }
    const lead = (
      <p>
        <bdi>{type}</bdi> · {since(format.dateTime(at))} {undoThen}
      </p>
    )
    return { ...shown, lead }
  },
  act: async (tx, { event }, { values: { reason }, loaded: ticket }) => {
    const undone = await checkIns.undo(tx, ticket.id, { event_id: event.id }, reason)
    return { ticket, reason, undone }
  },
  entry: entryOf,
  next: goBack,
})

/** Takes back the check-in that was just made, and no later one of the same ticket. */
export const undoThisCheckIn = button('event', {
  path: '/e/{event}/check-in/{ticket}/undo/{checkIn}',
  permission: 'checkins',
  act: async (tx, { event, params, voice }): Promise<Undone> => {
    const ticket = await getTicket(tx, event.id, params.ticket ?? '')
    const reason = voice.texts.checkIn.undoneAtOnce
    try {
      const checkIn = { event_id: event.id, id: params.checkIn ?? '' }
      return { ticket, reason, undone: await checkIns.undo(tx, ticket.id, checkIn, reason) }
    } catch (error) {
      // The button was pressed twice, or somebody else was first.
      if (error instanceof Problem && error.code === 'not_found') return { ticket, reason, undone: undefined }
      throw error
    }
  },
  entry: entryOf,
  next: goBack,
  back: ({ event }) => paths.checkIn(event.id),
})
