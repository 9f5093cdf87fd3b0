import * as checkIns from '../../checkins/rules.ts'
import { undoReason } from '../../checkins/schemas.ts'
import { Problem } from '../../problem.ts'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { textField } from '../../web/forms/field.ts'
import { Form } from '../../web/forms/form-view.tsx'
import type { OfEvent } from '../asked.ts'
import { button } from '../button.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { readGuestTicket, type Ticket } from './guest.tsx'

const TICKET = '/e/{event}/guests/{registration}/tickets/{ticket}'

const back = ({ event, params }: OfEvent) => paths.guest(event.id, params.registration as string)
const at = ({ params }: OfEvent) => ({
  registration: params.registration as string,
  ticket: params.ticket as string,
})

/** Admits a ticket at once, as the API does. */
export const checkInGuest = button('event', {
  path: `${TICKET}/check-in`,
  permission: 'checkins',
  act: async (tx, asked) => {
    const { ticket } = await readGuestTicket(tx, asked)
    const input = { attendee_id: ticket.id, event_id: asked.event.id }
    return (await checkIns.create(tx, asked.account.id, input)).resource
  },
  entry: ({ params }) => ({ action: 'check_in.create', targetType: 'attendee', targetId: params.ticket }),
  next: ({ id, attendee }, asked) => ({
    path: back(asked),
    flash: flash(
      'checkedIn',
      { name: attendee.name ?? asked.voice.texts.guests.noName },
      { undo: paths.undoGuestCheckIn(asked.event.id, at(asked), id) },
    ),
  }),
  back,
})

/** Takes back the check-in that was just made, and no later one of the same ticket. */
export const undoGuestAtOnce = button('event', {
  path: `${TICKET}/undo-at-once/{checkIn}`,
  permission: 'checkins',
  act: async (tx, asked) => {
    const { ticket } = await readGuestTicket(tx, asked)
    try {
      const known = { id: asked.params.checkIn ?? '' }
      const reason = asked.voice.texts.guests.undoneAtOnce
      return await checkIns.undo(tx, asked.account.id, ticket.id, known, reason)
    } catch (error) {
      // Pressed twice, or somebody else was first.
      if (error instanceof Problem && error.code === 'not_found') return undefined
      throw error
    }
  },
  entry: ({ params, voice }) => checkIns.undoEntry(params.ticket as string, voice.texts.guests.undoneAtOnce),
  next: (undone, asked) => {
    if (undone === undefined) return { path: back(asked) }
    const name = undone.resource.attendee.name ?? asked.voice.texts.guests.noName
    return { path: back(asked), flash: flash('checkInUndone', { name }) }
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
  load: async (tx, asked): Promise<Ticket> => {
    const { ticket } = await readGuestTicket(tx, asked)
    if (!ticket.checked_in) throw new Problem('not_found')
    return ticket
  },
  fields: () => fields,
  // Another check-in than the one that the page was about is not taken back by it.
  seen: ({ checked_in_at }) => checked_in_at ?? '',
  view: (ticket, asked, state) => {
    const { event, voice } = asked
    const { texts } = voice
    const title = texts.guests.undoTitle(ticket.name ?? texts.guests.noName)
    return {
      title,
      body: (
        <>
          <Head
            title={<bdi>{title}</bdi>}
            about={texts.guests.undoAbout}
            crumbs={<a href={back(asked)}>{texts.guests.registration}</a>}
          />
          <div class="card">
            <Form
              state={state}
              texts={texts}
              action={paths.guestTicket(event.id, at(asked), 'undo')}
              submit={texts.guests.undoSubmit}
              leave={back(asked)}
              isGuarded={false}
            />
          </div>
        </>
      ),
    }
  },
  act: async (tx, { account }, { values, loaded }) => ({
    undone: await checkIns.undo(tx, account.id, loaded.id, {}, values.reason),
    reason: values.reason,
  }),
  entry: ({ params }) => ({
    action: 'check_in.undo',
    targetType: 'attendee',
    targetId: params.ticket,
    details: (_, done) => ({ check_in: done?.undone.resource.id, reason: done?.reason }),
  }),
  next: ({ undone: { resource } }, asked) => ({
    path: back(asked),
    flash: flash('checkInUndone', { name: resource.attendee.name ?? asked.voice.texts.guests.noName }),
  }),
})
