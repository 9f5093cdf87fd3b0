import type { EventPage } from '../event-pages/schemas.ts'
import type { Picture } from '../events/pictures.ts'
import { withQuery } from '../web/link.ts'

/** Of the page of an order, by which it goes on to where it is paid; and by which a buyer comes back from there. */
export const GO_ON = 'go' as const
export const PAID = 'paid'

/** The addresses of pages for visitors. Slugs need no escape. */
export const paths = {
  account: (account: string) => `/${account}/`,
  event: (account: string, event: string) => `/${account}/${event}/`,
  register: (account: string, event: string) => `/${account}/${event}/register`,
  placeOrder: (account: string, event: string) => `/${account}/${event}/register/order`,
  waitlist: (account: string, event: string) => `/${account}/${event}/waitlist`,
  changeOrder: (account: string, event: string) => `/${account}/${event}/register/change`,
  calendar: (account: string, event: string) => `/${account}/${event}/calendar.ics`,
  cover: (account: string, event: string, { hash }: Pick<Picture, 'hash'>) =>
    `/${account}/${event}/cover/${hash}`,
} as const

type Named = Pick<EventPage, 'organizer' | 'event' | 'code'>

/** Where an event's page is, for whoever is shown it: of a private one with the code. */
export function pathOf({ organizer, event, code }: Named): string {
  return withQuery(paths.event(organizer.slug, event.slug), { code: code ?? undefined })
}

/** Where its picture is, likewise. */
export function coverOf({ organizer, event, code, picture }: Named & Pick<EventPage, 'picture'>) {
  if (picture === null) return undefined
  return withQuery(paths.cover(organizer.slug, event.slug, picture), { code: code ?? undefined })
}
