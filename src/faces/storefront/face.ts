import { AddressLimit } from '../http/address-limit.ts'
import { isLoopback } from '../http/client-address.ts'
import type { Context, Face, FaceRoute, State } from '../http/face.ts'
import { refuseOtherSites } from '../web/same-origin.ts'
import { answerRefusal } from './pages/refusal.tsx'
import { type Find, Pages } from './pages.tsx'
import { Register } from './register.tsx'
import type { Visited } from './visited.ts'
import { Waiting } from './waiting.tsx'

/**
 * Requests a minute of one address: a page is there already when it is asked for, and behind one address may be an office, or the
 * visitors of a whole mobile network.
 */
const VISITS = 6_000

/** The pages of visitors: what is on, and each event. It has every path that no other face has. */
export function storefrontFace(services: Visited): Face<State> {
  const { clock, clientAddress } = services
  // None for this machine: a proxy on it may not say whom it asks for.
  const visits = new AddressLimit({ clock, clientAddress, most: VISITS, isExempt: isLoopback })
  const pages = new Pages(services)
  const find: Find = (context, sent) => pages.find(context, sent)
  const register = new Register(services, find)
  const waiting = new Waiting(services, find)
  const route = (path: string, answer: (context: Context) => Promise<void>): FaceRoute<State> => ({
    method: 'GET',
    path,
    stages: [visits.stage, answer],
  })
  const post = (path: string, answer: (context: Context) => Promise<void>): FaceRoute<State> => ({
    method: 'POST',
    path,
    stages: [refuseOtherSites, visits.stage, answer],
  })
  return {
    path: '',
    routes: [
      route('/', context => pages.enter(context)),
      route('/{account}/', context => pages.showListing(context)),
      route('/{account}/{event}/', context => pages.showEvent(context)),
      route('/{account}/{event}/calendar.ics', context => pages.sendCalendar(context)),
      route('/{account}/{event}/cover/{hash}', context => pages.sendCover(context)),
      route('/{account}/{event}/register', context => register.show(context)),
      post('/{account}/{event}/register', context => register.review(context)),
      post('/{account}/{event}/register/change', context => register.change(context)),
      post('/{account}/{event}/register/order', context => register.order(context)),
      route('/{account}/{event}/waitlist', context => waiting.show(context)),
      post('/{account}/{event}/waitlist', context => waiting.join(context)),
      // People leave out the last slash.
      route('/{account}', context => pages.showListing(context)),
      route('/{account}/{event}', context => pages.showEvent(context)),
    ],
    answerProblem: answerRefusal,
  }
}
