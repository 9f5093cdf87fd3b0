import { paths } from '#faces/dashboard/frame/paths.ts'
import { PostButton } from '#machinery/web/components/parts.tsx'
import type { DoorTicket } from '#product/entrance/check-ins/tickets.ts'
import type { Texts } from '#texts/texts.ts'

export type State = keyof Texts['checkIn']['states']

/** Returns the first reason against a ticket, in the order of the check-in rules. */
export function stateOf({ registration_status: status, voided, checked_in_at }: DoorTicket): State {
  if (status !== 'confirmed') return status
  if (voided) return 'void'
  return checked_in_at === null ? 'outside' : 'inside'
}

export function nameOf({ name, buyer_name }: DoorTicket): string {
  return name ?? buyer_name
}

/** Offers what can be done with a ticket at the door. */
export function TicketAction({
  event,
  ticket,
  search: { q, due },
  texts,
}: {
  event: string
  ticket: DoorTicket
  search: { q: string; due: ReadonlyMap<string, unknown> }
  texts: Texts
}) {
  const state = stateOf(ticket)
  if (state === 'inside') return <UndoLink event={event} ticket={ticket} texts={texts} />
  if (due.has(ticket.id)) {
    return (
      <a
        class="button"
        href={paths.doorPayment(event, ticket.id)}
        aria-label={texts.payments.door.paidOf(nameOf(ticket))}
      >
        {texts.payments.door.paid}
      </a>
    )
  }
  if (state !== 'outside') return null
  return (
    <PostButton
      action={paths.checkIn(event)}
      fields={{ ticket: ticket.id, q }}
      label={texts.checkIn.checkInOf(nameOf(ticket))}
    >
      {texts.checkIn.checkIn}
    </PostButton>
  )
}

export function UndoLink({ event, ticket, texts }: { event: string; ticket: DoorTicket; texts: Texts }) {
  return (
    <a
      class="button plain"
      href={paths.undoCheckIn(event, ticket.id)}
      aria-label={texts.checkIn.undoOf(nameOf(ticket))}
    >
      {texts.checkIn.undo}
    </a>
  )
}

/** Prints the badge of a ticket that has one. */
export function BadgeButton({
  event,
  ticket,
  badges,
  texts: { badges: texts },
}: {
  event: string
  ticket: DoorTicket
  /** The tickets that have a badge, and whether it is printed. Undefined for an event without badges. */
  badges: ReadonlyMap<string, boolean> | undefined
  texts: Texts
}) {
  const isPrinted = badges?.get(ticket.id)
  if (isPrinted === undefined) return null
  return (
    <PostButton
      action={paths.printBadge(event, ticket.id)}
      label={(isPrinted ? texts.printAgainFor : texts.printFor)(nameOf(ticket))}
    >
      {isPrinted ? texts.oneAgain : texts.oneBadge}
    </PostButton>
  )
}
