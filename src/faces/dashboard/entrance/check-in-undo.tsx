import type { WriteEntry } from '../../access-log/recorded-write.ts'
import * as checkIns from '../../checkins/rules.ts'
import { type CheckIn, undoReason } from '../../checkins/schemas.ts'
import { type DoorTicket, getTicket } from '../../checkins/tickets.ts'
import { Problem } from '../../problem.ts'
import type { Written } from '../../resource.ts'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { textField } from '../../web/forms/field.ts'
import { Form } from '../../web/forms/form-view.tsx'
import type { OfEvent } from '../asked.ts'
import { button } from '../button.ts'
import type { Destination } from '../destination.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'

interface Undone {
  ticket: DoorTicket
  reason: string
  /** Undefined where there was nothing to undo any more. */
  undone: Written<CheckIn> | undefined
}

function entryOf({ params }: OfEvent): WriteEntry<Undone> {
  return {
    action: 'check_in.undo',
    targetType: 'attendee',
    targetId: params.ticket,
    hasChanged: ({ undone }) => undone !== undefined,
    details: (_, result) => ({ check_in: result?.undone?.resource.id, reason: result?.reason }),
  }
}

function goBack({ ticket, undone }: Undone, { event }: OfEvent): Destination {
  const path = paths.checkIn(event.id)
  if (undone === undefined) return { path }
  return { path, flash: flash('notInside', { name: ticket.name ?? ticket.buyer_name }) }
}

/** Takes any check-in back, with a reason. */
export const undoCheckIn = formPage('event', {
  path: '/e/{event}/check-in/{ticket}/undo',
  permission: 'checkins',
  load: (tx, { account, event, params }) => getTicket(tx, account.id, event.id, params.ticket ?? ''),
  fields: () => ({
    reason: textField(undoReason, {
      label: texts => texts.checkIn.reason,
      help: texts => texts.checkIn.reasonHelp,
    }),
  }),
  // Another check-in than the one that the page was about is not taken back by it.
  seen: ({ checked_in_at }) => checked_in_at ?? '',
  view: (ticket, { event, voice }, state) => {
    const { texts, format } = voice
    const name = ticket.name ?? ticket.buyer_name
    const isInside = ticket.checked_in_at !== null
    const title = isInside ? texts.checkIn.undoTitle(name) : texts.checkIn.notInside(name)
    const back = paths.checkIn(event.id)
    return {
      title,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} crumbs={<a href={back}>{texts.navigation.checkIn}</a>} />
          {isInside && (
            <div class="card stack">
              <p>
                <bdi>{ticket.registration_type_name}</bdi> ·{' '}
                {texts.checkIn.since(format.dateTime(ticket.checked_in_at as string))}{' '}
                {texts.checkIn.undoThen}
              </p>
              <Form
                state={state}
                texts={texts}
                action={paths.undoCheckIn(event.id, ticket.id)}
                submit={texts.checkIn.undoSubmit}
                leave={back}
                isGuarded={false}
              />
            </div>
          )}
        </>
      ),
    }
  },
  act: async (tx, { account, event }, { values: { reason }, loaded: ticket }) => {
    const undone = await checkIns.undo(tx, account.id, ticket.id, { event_id: event.id }, reason)
    return { ticket, reason, undone }
  },
  entry: entryOf,
  next: goBack,
})

/** Takes back the check-in that was just made, and no later one of the same ticket. */
export const undoThisCheckIn = button('event', {
  path: '/e/{event}/check-in/{ticket}/undo/{checkIn}',
  permission: 'checkins',
  act: async (tx, { account, event, params, voice }): Promise<Undone> => {
    const ticket = await getTicket(tx, account.id, event.id, params.ticket ?? '')
    const reason = voice.texts.checkIn.undoneAtOnce
    try {
      const known = { event_id: event.id, id: params.checkIn ?? '' }
      return { ticket, reason, undone: await checkIns.undo(tx, account.id, ticket.id, known, reason) }
    } catch (error) {
      // Pressed twice, or somebody else was first.
      if (error instanceof Problem && error.code === 'not_found') return { ticket, reason, undone: undefined }
      throw error
    }
  },
  entry: entryOf,
  next: goBack,
  back: ({ event }) => paths.checkIn(event.id),
})
