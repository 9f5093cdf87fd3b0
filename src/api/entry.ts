import type { AddressLimit } from '../http/address-limit.ts'
import type { FaceRoute, State } from '../http/face.ts'
import { leadingTo } from '../http/leading.ts'
import { API_PATH } from './route.ts'

/** Leads whoever opens the address of the API to the reference, with a slash at its end or without. */
export function apiEntries(addresses: AddressLimit): FaceRoute<State>[] {
  return [leadingTo('', `${API_PATH.slice(1)}/reference`, addresses), leadingTo('/', 'reference', addresses)]
}
