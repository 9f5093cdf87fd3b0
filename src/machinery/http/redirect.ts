import type { AddressLimit } from './address-limit.ts'
import type { FaceRoute, Stage, State } from './face.ts'

/**
 * A path that leads elsewhere, for now: a browser would remember it for good.
 *
 * @param target relative to the path, as a proxy may put another before it that nobody here knows
 */
export function leadingTo(path: string, target: string, addresses: AddressLimit): FaceRoute<State> {
  const lead: Stage = async context => {
    context.status = 302
    context.set('Location', target)
    context.body = ''
    context.remove('Content-Type')
  }
  return { method: 'GET', path, stages: [addresses.stage, lead] }
}
