import type { Logger } from 'pino'
import { listen } from '#machinery/http/listening.ts'
import { HttpServer } from '#machinery/http/server.ts'
import type { HealthService } from './health.ts'
import { type MeteredParts, Metrics } from './metrics.ts'
import { metricsListener } from './metrics-listener.ts'

export interface MetricsPort {
  metrics: Metrics
  /** The address of the metrics: `http://127.0.0.1:9464/metrics`. */
  url: string
  /** Begins to answer. */
  serve(parts: MeteredParts, health: HealthService): void
  close(): Promise<void>
}

/**
 * Listens for readers of the metrics, without a key and without TLS.
 *
 * @throws Refusal
 */
export async function openMetricsPort(
  host: string | undefined,
  port: number,
  log: Logger,
): Promise<MetricsPort> {
  const metrics = new Metrics()
  const http = new HttpServer(log)
  const place = { host: host ?? '127.0.0.1', port, hostFlag: '--metrics-host', portFlag: '--metrics-port' }
  const address = await listen(http.server, place)
  const { contentType } = metrics
  const collect = () => metrics.collect()
  return {
    metrics,
    url: `http://${address}/metrics`,
    serve(parts, health) {
      metrics.meter(parts)
      http.serve({ listener: metricsListener({ contentType, collect, log, ...health }) })
    },
    close: () => http.close(),
  }
}
