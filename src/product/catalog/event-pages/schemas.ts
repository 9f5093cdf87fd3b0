import type { Seller } from '../accounts/schemas.ts'
import type { Picture } from '../events/pictures.ts'
import type { EventDetails } from '../events/schemas.ts'
import type { SaleState } from '../registration-types/sale.ts'

/** Who gives an event, as everybody may know it. */
export interface Organizer extends Seller {
  name: string
  slug: string
}

/** A ticket as it is offered. */
export interface OfferedType {
  id: string
  name: string
  description: string | null
  /** Minor units. */
  price: number
  state: Exclude<SaleState, 'off'>
  hasTax: boolean
  /** Of one order. */
  min_per_order: number
  max_per_order: number | null
  /** How many are left, where these are the last ones: null while there are more. */
  left: number | null
  sales_start: string | null
  sales_end: string | null
}

/** What an event's page shows, and no more: while this is the same, so is the page. */
export interface EventPage {
  /** Whether what costs something can be paid here. */
  isPayable: boolean
  organizer: Organizer
  event: Omit<EventDetails, 'online_url' | 'created_at'>
  isOnline: boolean
  /** Of the event, for calendars; it grows with each change of the event. */
  revision: number
  /** When the event was changed, in milliseconds. */
  changed_at: number
  /** Whether there are codes that somebody may have. */
  hasCodes: boolean
  picture: Picture | null
  types: OfferedType[]
  isOver: boolean
  /** By which a private event is shown, as it was entered: its links carry it on. Null where nobody needs one. */
  code: string | null
}

/** An event in a list. */
export interface ListedEvent {
  organizer: { name: string; slug: string }
  id: string
  slug: string
  title: string
  starts_at: number | null
  ends_at: number | null
  timezone: string
  venue: string | null
  city: string | null
  picture: Pick<Picture, 'hash' | 'type'> | null
}

/** What a list of events shows. */
export interface Listing {
  /** Null for that of all of them. */
  organizer: { name: string; slug: string } | null
  events: ListedEvent[]
}

/** What was read, and until when it stays as it is if nothing is written: milliseconds. */
export interface AsOf<Shown> {
  shown: Shown
  until: number
}
