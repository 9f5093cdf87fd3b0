import type { Context, FaceRoute, State } from '#machinery/http/face.ts'
import { EmbedPages } from './embed-pages.tsx'
import { Feeds } from './feeds.ts'
import { Logos } from './logos.ts'
import { paths } from './paths.ts'
import type { StorefrontServices } from './storefront-services.ts'
import type { Pages } from './view-page.tsx'

/** Returns what an organizer shows elsewhere: calendars and feeds, frames of its own site, and its logo. */
export function reachRoutes(
  services: StorefrontServices,
  pages: Pages,
  route: (path: string, answer: (context: Context) => Promise<void>) => FaceRoute<State>,
): FaceRoute<State>[] {
  const feeds = new Feeds(services)
  const logos = new Logos(services)
  const embed = new EmbedPages(pages)
  const hash = { hash: '{hash}' }
  return [
    route(paths.events('{account}'), context => feeds.sendCalendar(context)),
    route(paths.feed('{account}'), context => feeds.sendAtom(context)),
    route(paths.events('{account}', '{event}'), context => feeds.sendCalendar(context)),
    route(paths.feed('{account}', '{event}'), context => feeds.sendAtom(context)),
    route(paths.logo('{account}', { ...hash, page: 'png' }), context => logos.sendLogo(context, 'png')),
    route(paths.logo('{account}', { ...hash, page: 'webp' }), context => logos.sendLogo(context, 'webp')),
    route(paths.icon('{account}', hash), context => logos.sendIcon(context)),
    route(paths.embedList('{account}'), context => embed.showDates(context)),
    route(paths.embed('{account}', '{event}'), context => embed.showTickets(context)),
  ]
}
