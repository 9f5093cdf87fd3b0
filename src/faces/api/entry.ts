import type { AddressLimit } from '#machinery/http/address-limit.ts'
import type { FaceRoute, State } from '#machinery/http/face.ts'
import { redirectRoute } from '#machinery/http/redirect.ts'
import { API_PATH } from './route.ts'

/** Redirects a request for the address of the API, with or without a slash at its end, to the reference. */
export function apiEntries(addresses: AddressLimit): FaceRoute<State>[] {
  return [
    redirectRoute('', `${API_PATH.slice(1)}/reference`, addresses),
    redirectRoute('/', 'reference', addresses),
  ]
}
