import { AddressLimit, type AddressLimitOptions } from '../http/address-limit.ts'
import { isLoopback } from '../http/client-address.ts'
import type { Face, State } from '../http/face.ts'
import { answerJson } from '../http/sending.ts'
import { type HealthService, healthBody, healthRoute } from './health.ts'

export interface HealthFaceServices
  extends HealthService,
    Pick<AddressLimitOptions, 'clock' | 'clientAddress'> {}

/** For whoever watches over the service. */
export function healthFace({
  clock,
  clientAddress,
  isHealthy,
  healthDetails,
}: HealthFaceServices): Face<State> {
  /**
   * Its own count, so that nobody uses it up by asking for something else; and none for this machine, where the proxy that
   * watches over the service may pass on what others ask without saying who they are.
   */
  const limit = new AddressLimit({ clock, clientAddress, isExempt: isLoopback })
  return {
    path: healthRoute.path,
    routes: [
      {
        method: 'GET',
        path: '',
        logLevel: 'debug',
        stages: [
          limit.stage,
          async context => {
            const healthy = await isHealthy()
            answerJson(context, healthy ? 200 : 503, healthBody(healthy, healthDetails()))
          },
        ],
      },
    ],
  }
}
