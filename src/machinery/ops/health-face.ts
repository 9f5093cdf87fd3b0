import { AddressLimit, type AddressLimitOptions } from '#machinery/http/address-limit.ts'
import { isLoopback } from '#machinery/http/client-address.ts'
import type { Face, State } from '#machinery/http/face.ts'
import { answerJson } from '#machinery/http/sending.ts'
import { type HealthService, healthBody, healthRoute } from './health.ts'

export interface HealthFaceServices
  extends HealthService,
    Pick<AddressLimitOptions, 'clock' | 'clientAddress'> {}

/** Returns the face for whoever monitors the service. */
export function healthFace({
  clock,
  clientAddress,
  isHealthy,
  healthDetails,
}: HealthFaceServices): Face<State> {
  /**
   * The health check has a count of its own, so nobody can use it up by asking for something else. This machine has no limit: a
   * proxy here that monitors the service may pass on the requests of others without saying who they are.
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
