import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { parseTarget } from '#machinery/http/target.ts'
import { type HealthService, healthBody, healthRoute } from './health.ts'

export interface MetricsService extends HealthService {
  contentType: string
  /** Returns the text of all metrics. */
  collect: () => Promise<string>
  log: Logger
}

/** Returns the listener for the port of the metrics, for a Prometheus server and for whoever monitors this one. */
export function metricsListener(service: MetricsService): RequestListener {
  const { contentType, collect, isHealthy, healthDetails, log } = service
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const path = parseTarget(method, url)?.path
    if (path === undefined) return end(response, 400, PLAIN, 'Bad request\n')
    if (path !== '/metrics' && path !== healthRoute.path) return end(response, 404, PLAIN, 'Not found\n')
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD')
      return end(response, 405, PLAIN, 'Method not allowed\n')
    }
    if (path === '/metrics') return end(response, 200, contentType, await collect())
    const healthy = await isHealthy()
    end(
      response,
      healthy ? 200 : 503,
      'application/json; charset=utf-8',
      healthBody(healthy, healthDetails()),
    )
  }

  return (request, response) => {
    answer(request, response).catch(error => {
      log.error({ err: error }, 'the metrics could not be collected')
      end(response, 500, PLAIN, 'Internal error\n')
    })
  }
}

const PLAIN = 'text/plain; charset=utf-8'

function end(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(body)
}
