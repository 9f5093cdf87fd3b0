import type { AddressLimit } from '../http/address-limit.ts'
import type { Face, FaceRoute, Stage, State } from '../http/face.ts'
import { API_PATH } from './route.ts'

/** Leads whoever opens the address of the server to the reference: it has no page of its own. */
export function entryFace(addresses: AddressLimit): Face<State> {
  return { path: '', routes: [leadingToReference('/', `${API_PATH.slice(1)}/reference`, addresses)] }
}

/** The same for the address of the API, with a slash at its end or without. */
export function apiEntries(addresses: AddressLimit): FaceRoute<State>[] {
  return [
    leadingToReference('', `${API_PATH.slice(1)}/reference`, addresses),
    leadingToReference('/', 'reference', addresses),
  ]
}

/** @param reference relative to the path, as a proxy may put another before it that nobody here knows */
function leadingToReference(path: string, reference: string, addresses: AddressLimit): FaceRoute<State> {
  const lead: Stage = async context => {
    // Not for good: a browser would remember it.
    context.status = 302
    context.set('Location', reference)
    context.body = ''
    context.remove('Content-Type')
  }
  return { method: 'GET', path, stages: [addresses.stage, lead] }
}
