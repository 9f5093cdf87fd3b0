import type { IncomingMessage } from 'node:http'
import type { Database } from '../db/port.ts'
import { AddressLimit } from '../http/address-limit.ts'
import { isLoopback } from '../http/client-address.ts'
import type { Context, Face, FaceRoute, State } from '../http/face.ts'
import type { Clock } from '../time.ts'
import type { Cookies } from '../web/cookies.ts'
import { answerRefusal } from './pages/refusal.tsx'
import { Pages } from './pages.tsx'

/**
 * Requests a minute of one address: a page is there already when it is asked for, and behind one address may be an office, or the
 * visitors of a whole mobile network.
 */
const VISITS = 6_000

export interface Services {
  db: Database
  clock: Clock
  clientAddress: (request: IncomingMessage) => string
  /** Counts what is asked for and not there. */
  addresses: AddressLimit
  cookies: Cookies
  /** The address of the service as people reach it, without a slash at its end. */
  baseUrl: string
}

/** The pages of visitors: what is on, and each event. It has every path that no other face has. */
export function storefrontFace(services: Services): Face<State> {
  const { clock, clientAddress } = services
  // None for this machine: a proxy on it may not say whom it asks for.
  const visits = new AddressLimit({ clock, clientAddress, most: VISITS, isExempt: isLoopback })
  const pages = new Pages(services)
  const route = (path: string, answer: (context: Context) => Promise<void>): FaceRoute<State> => ({
    method: 'GET',
    path,
    stages: [visits.stage, answer],
  })
  return {
    path: '',
    routes: [
      route('/', context => pages.enter(context)),
      route('/{account}/', context => pages.showListing(context)),
      route('/{account}/{event}/', context => pages.showEvent(context)),
      route('/{account}/{event}/calendar.ics', context => pages.sendCalendar(context)),
      route('/{account}/{event}/cover/{hash}', context => pages.sendCover(context)),
      // People leave out the last slash.
      route('/{account}', context => pages.showListing(context)),
      route('/{account}/{event}', context => pages.showEvent(context)),
    ],
    answerProblem: answerRefusal,
  }
}
