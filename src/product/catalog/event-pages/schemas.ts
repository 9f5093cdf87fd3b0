import type { LegalPage } from '#product/administration/accounts/legal.ts'
import type { SizedPicture } from '#product/catalog/events/picture-sizes.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { Look } from '#product/catalog/looks/schemas.ts'
import type { TypeKind } from '#product/catalog/registration-types/kinds.ts'
import type { Sellability } from '#product/catalog/registration-types/sellability.ts'

/** This many tickets of a type or of a date, or fewer, count as its last ones, and pages say how many there are. */
export const LAST_ONES = 10

/** The name of an organizer and what the law has them publish, as everybody may see it. */
export interface LegalOrganizer {
  name: string
  slug: string
  legal: readonly LegalPage[]
  look: Look
  /** The origins of their own sites, which may show pages in a frame and be led back to. */
  origins: readonly string[]
}

/** The organizer of an event, as everybody may see them. */
export interface Organizer extends LegalOrganizer {
  legal_name: string | null
  address: string | null
}

/** A ticket type as it is offered. */
export interface OfferedType {
  id: string
  kind: TypeKind
  name: string
  description: string | null
  /** Minor units. */
  price: number
  /** The price is the least, and the buyer may give more. */
  open_price: boolean
  /** A hidden type is offered as any other to whoever has a code for it. */
  state: Exclude<Sellability, 'off' | 'hidden'>
  hasTax: boolean
  /** The limit for one order, as is `max_per_order`. */
  min_per_order: number
  max_per_order: number | null
  /** The number of tickets left, if these are the last ones. It is null while there are more. */
  left: number | null
  sales_start: string | null
  sales_end: string | null
}

/** Everything that the page of an event shows, and no more. As long as this stays the same, so does the page. */
export interface EventPage {
  /** Whether payment is only stopped for now, and works at other times. */
  isPaused: boolean
  organizer: Organizer
  event: Omit<EventDetails, 'online_url'>
  isOnline: boolean
  /** The revision of the event for calendars. It grows with each change of the event. */
  revision: number
  /** When the event was changed, in milliseconds. */
  changed_at: number
  /** Whether the event has codes that visitors may enter. */
  hasCodes: boolean
  picture: SizedPicture | null
  types: OfferedType[]
  isOver: boolean
  /**
   * The code that a private event is shown by, as it was entered. The links of the page carry it on. It is null if none is
   * needed.
   */
  code: string | null
  /** The next dates of its series, if it has any. */
  others: OtherDates | null
}

/** The next dates of a series, beside that of an event. */
export interface OtherDates {
  name: string
  slug: string
  dates: readonly SeriesDate[]
  /** When the first of them is over, or something else that is said of them changes by itself, in milliseconds. */
  until: number
}

/** A date of a series that everybody may see. */
export interface PublicDate {
  id: string
  slug: string
  title: string
  /** Milliseconds. */
  starts_at: number
  ends_at: number | null
  timezone: string
}

/** What the page of a series says of a date. */
export interface SeriesDate extends PublicDate {
  venue: string | null
  city: string | null
  /** The best that can be said of one of its ticket types. */
  state: Sellability
  /** The number of places left, if these are the last ones. It is null while there are more. */
  left: number | null
}

/** The content of the page of a series. */
export interface SeriesPage {
  organizer: LegalOrganizer
  series: { id: string; name: string; slug: string }
  /** The next one comes first. */
  dates: SeriesDate[]
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
  /** It has the sizes for pages alone. */
  picture: SizedPicture | null
  /** The series that it is a date of. */
  series: { name: string; slug: string } | null
}

/** The content of a list of events. */
export interface Listing {
  /** Null for the list of all organizers. */
  organizer: LegalOrganizer | null
  events: ListedEvent[]
}

/** The content of a page with a legal text of an organizer. */
export interface LegalText {
  organizer: LegalOrganizer
  /** Markdown. */
  text: string
}

/** What was read, and until when it stays valid if nothing is written (milliseconds). */
export interface AsOf<Shown> {
  shown: Shown
  until: number
}
