import { AddressLimit } from '#machinery/http/address-limit.ts'
import { isLoopback } from '#machinery/http/client-address.ts'
import type { Context, Face, FaceRoute, State } from '#machinery/http/face.ts'
import { answerFavicon, FAVICON_PATH } from '#machinery/web/assets/face.ts'
import { refuseOtherSites } from '#machinery/web/same-origin.ts'
import { legalKinds } from '#product/administration/accounts/legal.ts'
import { EventFiles } from './event-files.ts'
import { LegalPages } from './legal-pages.tsx'
import { LostTickets } from './lost-tickets.tsx'
import { answerRefusal } from './pages/refusal.tsx'
import { paths } from './paths.ts'
import { ProgrammePages } from './programme/programme-pages.tsx'
import { programmeRoutes } from './programme/programme-routes.ts'
import { reachRoutes } from './reach-routes.ts'
import { Register } from './register.tsx'
import { ROBOTS_PATH, SITE_MAP_PATH } from './site-map.ts'
import type { StorefrontServices } from './storefront-services.ts'
import { CallPages } from './submitting/call-pages.tsx'
import { type Find, Pages } from './view-page.tsx'
import { Waiting } from './waiting.tsx'

/**
 * One address may send this many requests a minute. A page is usually there already when a visitor asks for it, and one address
 * may stand for an office, or for the visitors of a whole mobile network.
 */
const VISITS = 6_000
/**
 * This many of them may ask for forms of registrations and waitlists. Each form is made anew, and an address places far fewer
 * orders.
 */
const FORMS = 1_200

/** Serves the pages of visitors: the list of events, and each event. It has every path that no other face has. */
export function storefrontFace(services: StorefrontServices): Face<State> {
  const { clock, clientAddress } = services
  // This machine has no limit, because a proxy on it may not say which client it asks for.
  const of = { clock, clientAddress, isExempt: isLoopback }
  const visits = new AddressLimit({ ...of, most: VISITS })
  const forms = new AddressLimit({ ...of, most: FORMS })
  const pages = new Pages(services)
  const legal = new LegalPages(services)
  const find: Find = (context, sent) => pages.find(context, sent)
  const files = new EventFiles(services, find)
  const register = new Register(services, find)
  const waiting = new Waiting(services, find)
  const lost = new LostTickets(services, find)
  const call = new CallPages(services, find)
  const route = (path: string, answer: (context: Context) => Promise<void>): FaceRoute<State> => ({
    method: 'GET',
    path,
    stages: [visits.stage, answer],
  })
  const form = (
    method: 'GET' | 'POST',
    path: string,
    answer: (context: Context) => Promise<void>,
  ): FaceRoute<State> => ({ method, path, stages: [refuseOtherSites, visits.stage, forms.stage, answer] })
  return {
    path: '',
    isForPeople: true,
    routes: [
      route(FAVICON_PATH, answerFavicon),
      route(ROBOTS_PATH, context => pages.sendRobots(context)),
      route(SITE_MAP_PATH, context => pages.sendSiteMap(context)),
      route('/', context => pages.enter(context)),
      route('/{account}/', context => pages.showListing(context)),
      ...reachRoutes(services, pages, route),
      ...legalKinds.map(kind => route(paths.legal('{account}', kind), context => legal.show(context, kind))),
      route('/{account}/{event}/', context => pages.showEvent(context)),
      route('/{account}/{event}/calendar.ics', context => files.sendCalendar(context)),
      route('/{account}/{event}/cover/{hash}', context => files.sendCover(context)),
      form('GET', '/{account}/{event}/register', context => register.show(context)),
      form('POST', '/{account}/{event}/register', context => register.review(context)),
      form('POST', '/{account}/{event}/register/change', context => register.change(context)),
      form('POST', '/{account}/{event}/register/order', context => register.order(context)),
      form('GET', '/{account}/{event}/waitlist', context => waiting.show(context)),
      form('POST', '/{account}/{event}/waitlist', context => waiting.join(context)),
      form('GET', '/{account}/{event}/tickets', context => lost.show(context)),
      form('POST', '/{account}/{event}/tickets', context => lost.send(context)),
      route('/{account}/{event}/abstracts', context => call.show(context)),
      form('GET', '/{account}/{event}/abstracts/new', context => call.showNew(context)),
      form('POST', '/{account}/{event}/abstracts/new', context => call.begin(context, 'edit')),
      form('POST', '/{account}/{event}/abstracts/new/send', context => call.begin(context, 'send')),
      form('GET', '/{account}/{event}/abstracts/link', context => call.showLost(context)),
      form('POST', '/{account}/{event}/abstracts/link', context => call.sendLost(context)),
      ...programmeRoutes(new ProgrammePages(services, find), route),
      // Visitors leave out the last slash.
      route('/{account}', context => pages.showListing(context)),
      route('/{account}/{event}', context => pages.showEvent(context)),
    ],
    answerProblem: answerRefusal,
  }
}
