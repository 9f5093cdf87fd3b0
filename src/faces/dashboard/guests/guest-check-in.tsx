import { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import { textField } from '#machinery/web/forms/field.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { undoReason } from '#product/entrance/check-ins/schemas.ts'
import { readGuestTicket, type Ticket } from './guest.tsx'

const TICKET = '/e/{event}/guests/{registration}/tickets/{ticket}'

const back = ({ event, params }: EventRequest) => paths.guest(event.id, params.registration as string)
const at = ({ params }: EventRequest) => ({
  registration: params.registration as string,
  ticket: params.ticket as string,
})

/** Admits a ticket at once, by the rules of the API. */
export const checkInGuest = button('event', {
  path: `${TICKET}/check-in`,
  permission: 'checkins',
  act: async (tx, request) => {
    const { guest, ticket } = await readGuestTicket(tx, request)
    const extras = await registrationTypes.listExtras(tx, request.event.id)
    const input = { attendee_id: ticket.id, event_id: request.event.id }
    const { resource } = await checkIns.create(tx, input, 'scanner')
    return { resource, isExtra: extras.has(guest.registration_type_id ?? '') }
  },
  entry: ({ params }) => ({ action: 'check_in.create', targetType: 'attendee', targetId: params.ticket }),
  next: ({ resource: { id, attendee }, isExtra }, request) => {
    const also = { undo: paths.undoGuestCheckIn(request.event.id, at(request), id) }
    const name = attendee.name ?? request.voice.texts.guests.noName
    return {
      path: back(request),
      flash: isExtra ? flash('handedOut', {}, also) : flash('checkedIn', { name }, also),
    }
  },
  back,
})

/** Takes back the check-in that was just made, and no later one of the same ticket. */
export const undoGuestAtOnce = button('event', {
  path: `${TICKET}/undo-at-once/{checkIn}`,
  permission: 'checkins',
  act: async (tx, request) => {
    const { ticket } = await readGuestTicket(tx, request)
    try {
      const checkIn = { id: request.params.checkIn ?? '' }
      const reason = request.voice.texts.guests.undoneAtOnce
      return await checkIns.undo(tx, ticket.id, checkIn, reason)
    } catch (error) {
      // The button was pressed twice, or somebody else was first.
      if (error instanceof Problem && error.code === 'not_found') return undefined
      throw error
    }
  },
  entry: ({ params, voice }) => checkIns.undoEntry(params.ticket as string, voice.texts.guests.undoneAtOnce),
  next: (undone, request) => {
    if (undone === undefined) return { path: back(request) }
    const name = undone.resource.attendee.name ?? request.voice.texts.guests.noName
    return { path: back(request), flash: flash('checkInUndone', { name }) }
  },
  back,
})

const fields = {
  reason: textField(undoReason, {
    label: texts => texts.guests.reason,
    help: texts => texts.guests.reasonHelp,
  }),
}

/** Takes a check-in back, with its reason. */
export const undoGuest = formPage('event', {
  path: `${TICKET}/undo`,
  permission: 'checkins',
  load: async (tx, request): Promise<Ticket> => {
    const { ticket } = await readGuestTicket(tx, request)
    if (!ticket.checked_in) throw new Problem('not_found')
    return ticket
  },
  fields: () => fields,
  // The form takes back only the check-in that the page was about, and no later one.
  preview: ({ checked_in_at }) => checked_in_at ?? '',
  parts: ({ name }, request) => {
    const { undoTitle, noName, undoAbout: about, registration, undoSubmit } = request.voice.texts.guests
    return {
      ...{ title: undoTitle(name ?? noName), isOfPeople: true, about },
      ...{ crumbs: registration, leave: back(request) },
      ...{ submit: undoSubmit, isGuarded: false, isOnCard: true },
    }
  },
  act: async (tx, _, { values, loaded }) => ({
    undone: await checkIns.undo(tx, loaded.id, {}, values.reason),
    reason: values.reason,
  }),
  entry: ({ params }) => ({
    action: 'check_in.undo',
    targetType: 'attendee',
    targetId: params.ticket,
    details: (_, done) => ({ check_in: done?.undone.resource.id, reason: done?.reason }),
  }),
  next: ({ undone: { resource } }, request) => ({
    path: back(request),
    flash: flash('checkInUndone', { name: resource.attendee.name ?? request.voice.texts.guests.noName }),
  }),
})
