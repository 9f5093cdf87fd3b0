import { withQuery } from '#machinery/web/link.ts'
import { legalPath } from '#product/administration/accounts/legal.ts'
import type { EventPage } from '#product/catalog/event-pages/schemas.ts'
import type { Picture } from '#product/catalog/events/picture-sizes.ts'
import type { Logo } from '#product/catalog/looks/schemas.ts'

/** With `GO_ON`, the page of an order sends the buyer on to the payment. With `PAID`, the buyer comes back from there. */
export const GO_ON = 'go' as const
export const PAID = 'paid'

const within = (account: string, series: string | undefined) =>
  series === undefined ? account : `${account}/${series}`

/** Pages for visitors have these addresses. Slugs need no escape. */
export const paths = {
  account: (account: string) => `/${account}/`,
  legal: legalPath,
  /** The calendar that people subscribe to, and the feed, also of a series. No event has such a path, because a slug has no dot. */
  events: (account: string, series?: string) => `/${within(account, series)}/events.ics`,
  feed: (account: string, series?: string) => `/${within(account, series)}/events.atom`,
  /** What pages show of a logo. */
  logo: (account: string, { hash, page }: Pick<Logo, 'hash' | 'page'>) => `/${account}/logo.${page}/${hash}`,
  /** The same in a square, for the tab of a browser. */
  icon: (account: string, { hash }: Pick<Logo, 'hash'>) => `/${account}/icon.svg/${hash}`,
  /** Pages for frames of the organizer's own site: the dates, and the tickets of an event. */
  embedList: (account: string) => `/${account}/embed.html`,
  embed: (account: string, event: string) => `/${account}/${event}/embed`,
  event: (account: string, event: string) => `/${account}/${event}/`,
  register: (account: string, event: string) => `/${account}/${event}/register`,
  placeOrder: (account: string, event: string) => `/${account}/${event}/register/order`,
  waitlist: (account: string, event: string) => `/${account}/${event}/waitlist`,
  lostTickets: (account: string, event: string) => `/${account}/${event}/tickets`,
  call: (account: string, event: string) => `/${account}/${event}/abstracts`,
  newAbstract: (account: string, event: string) => `/${account}/${event}/abstracts/new`,
  lostAbstracts: (account: string, event: string) => `/${account}/${event}/abstracts/link`,
  /** `what` is a page of the published programme of an event, such as the number of an abstract. */
  programme: (account: string, event: string, what?: string) =>
    `/${account}/${event}/programme${what === undefined ? '' : `/${what}`}`,
  changeOrder: (account: string, event: string) => `/${account}/${event}/register/change`,
  calendar: (account: string, event: string) => `/${account}/${event}/calendar.ics`,
  cover: (account: string, event: string, { hash }: Pick<Picture, 'hash'>) =>
    `/${account}/${event}/cover/${hash}`,
} as const

/** An event with what its addresses are made of. */
interface Named extends Pick<EventPage, 'code'> {
  organizer: Pick<EventPage['organizer'], 'slug'>
  event: Pick<EventPage['event'], 'slug'>
}

/** Returns the address of an event's page for its visitor. For a private event, it has the code. */
export function pathOf({ organizer, event, code }: Named): string {
  return withQuery(paths.event(organizer.slug, event.slug), { code: code ?? undefined })
}

/** Returns the address of a file of the event's picture, with the code in the same way. */
export function coverOf({ organizer, event, code }: Named, file: Pick<Picture, 'hash'>): string {
  return withQuery(paths.cover(organizer.slug, event.slug, file), { code: code ?? undefined })
}
