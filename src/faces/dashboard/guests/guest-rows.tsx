import { TicketState } from '#faces/dashboard/catalog/ticket-state.tsx'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { Money, Time } from '#machinery/web/components/parts.tsx'
import type { List } from '#machinery/web/lists/list.tsx'
import { foundTickets } from '#product/guests/registrations/found-tickets.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import type { Texts } from '#texts/texts.ts'
import { RegistrationState } from './registration-status.tsx'

/** A ticket in the list of guests. */
export interface GuestRow {
  guest: Registration
  ticket: Registration['attendees'][number]
  /** Whether it is the first of its registration on the page. Its box ticks the registration, and it shows what was paid. */
  isFirst: boolean
}

/**
 * Returns the rows of these tickets, each with its registration.
 *
 * @param tickets the ids of a registration and of a ticket of it
 */
export function rowsOf(
  tickets: readonly { id: string; registrationId: string }[],
  registrations: ReadonlyMap<string, Registration>,
): GuestRow[] {
  const seen = new Set<string>()
  return tickets.flatMap(({ id, registrationId }) => {
    const guest = registrations.get(registrationId)
    const ticket = guest?.attendees.find(each => each.id === id)
    if (guest === undefined || ticket === undefined) return []
    const isFirst = !seen.has(registrationId)
    seen.add(registrationId)
    return [{ guest, ticket, isFirst }]
  })
}

/** Returns the rows of the tickets of these registrations, those that a text has found. */
export function rowsOfAll(registrations: readonly Registration[], text: string | undefined): GuestRow[] {
  return registrations.flatMap(guest =>
    foundTickets(guest.attendees, text).map((ticket, at) => ({ guest, ticket, isFirst: at === 0 })),
  )
}

/** Tells which ticket of its registration it is where another one of it has the same name and e-mail. */
function tellTwin({ guest, ticket }: GuestRow, texts: Texts): string | undefined {
  const { attendees } = guest
  const twins = attendees.filter(({ name, email }) => name === ticket.name && email === ticket.email)
  return twins.length > 1 ? texts.guests.ticketOf(attendees.indexOf(ticket) + 1, attendees.length) : undefined
}

const nameOf = ({ guest, ticket }: GuestRow) => ticket.name ?? guest.buyer.name

const columns: List<GuestRow>['columns'] = [
  {
    label: texts => texts.guests.name,
    place: 'name',
    cell: (row, { texts }) => {
      const { guest, ticket } = row
      const twin = tellTwin(row, texts)
      return (
        <>
          <a href={paths.guest(guest.event_id, guest.id)}>
            <bdi>{nameOf(row)}</bdi>
          </a>
          <div class="small quiet">
            <bdi>{ticket.email ?? guest.buyer.email}</bdi>
            {twin !== undefined && <> · {twin}</>}
          </div>
          {guest.buyer.name !== nameOf(row) && (
            <div class="small quiet">
              <bdi>{texts.sending.boughtBy(guest.buyer.name)}</bdi>
            </div>
          )}
        </>
      )
    },
  },
  {
    label: texts => texts.guests.type,
    place: 'line',
    cell: ({ guest }) => <bdi>{guest.registration_type_name}</bdi>,
  },
  {
    label: texts => texts.guests.state,
    place: 'amount',
    cell: ({ guest, ticket }, voice) =>
      guest.status === 'confirmed' ? (
        <TicketState ticket={ticket} voice={voice} />
      ) : (
        <RegistrationState status={guest.status} texts={voice.texts} />
      ),
  },
  {
    label: texts => texts.sending.isPaid,
    place: 'wide',
    isNumber: true,
    cell: ({ guest, isFirst }, { format }) =>
      isFirst &&
      guest.amount_total > 0 &&
      guest.confirmed_at !== null && (
        <Money amount={guest.amount_total} currency={guest.currency} format={format} />
      ),
  },
  {
    label: texts => texts.guests.registered,
    place: 'wide',
    isNumber: true,
    cell: ({ guest }, { format }) => <Time at={guest.created_at as string} format={format} />,
  },
]

export const readOnlyGuests: List<GuestRow> = { caption: texts => texts.sending.listed, columns }

/** Rows are ticked by registration, as that is what is cancelled, and one address gets all its tickets in one mail. */
export const pickedGuests: List<GuestRow> = {
  ...readOnlyGuests,
  pick: {
    id: ({ guest, isFirst }) => (isFirst ? guest.id : undefined),
    label: (row, { texts }) => texts.guests.selectOne(row.guest.buyer.name),
  },
}
