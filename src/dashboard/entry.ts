import type { AddressLimit } from '../http/address-limit.ts'
import type { Face, State } from '../http/face.ts'
import { leadingTo } from '../http/leading.ts'
import { DASHBOARD_PATH } from './paths.ts'

/** Leads whoever opens the address of the server to the pages of organizers: there are none for others yet. */
export function entryFace(addresses: AddressLimit): Face<State> {
  return { path: '', routes: [leadingTo('/', DASHBOARD_PATH.slice(1), addresses)] }
}
