import type { AddressLimit } from './address-limit.ts'
import type { FaceRoute, Stage, State } from './face.ts'

/**
 * Returns a route that redirects for now. A browser would remember a permanent redirect for good.
 *
 * @param target relative to the path, because a proxy may add a prefix that the server does not know
 */
export function redirectRoute(path: string, target: string, addresses: AddressLimit): FaceRoute<State> {
  const redirect: Stage = async context => {
    context.status = 302
    context.set('Location', target)
    context.body = ''
    context.remove('Content-Type')
  }
  return { method: 'GET', path, stages: [addresses.stage, redirect] }
}
