import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type Certificate, type CertificateFiles, readCertificate } from '../http/certificate.ts'
import { proxyFinder } from '../http/client-address.ts'
import { listen } from '../http/listening.ts'
import { HttpServer } from '../http/server.ts'
import { type MetricsPort, openMetricsPort } from '../ops/metrics-port.ts'

export interface Ports {
  http: HttpServer
  /** Undefined without TLS. */
  secure: { files: CertificateFiles; certificate: Certificate } | undefined
  monitor: MetricsPort | undefined
  /** `http://127.0.0.1:8080` */
  url: string
}

/**
 * Opens the ports, and answers nobody yet.
 *
 * @param running gets each as soon as it is open, so that it is closed where another cannot be
 * @throws Refusal
 */
export async function openPorts(
  config: Config,
  log: Logger,
  running: { http?: HttpServer; monitor?: MetricsPort },
): Promise<Ports> {
  const { host, port, tlsCert, tlsKey, metricsHost, metricsPort } = config
  const files = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey }
  const secure = files && { files, certificate: await readCertificate(files) }
  const connections = { isProxy: proxyFinder(config.trustProxy) }
  const http = new HttpServer(log, { certificate: secure?.certificate, connections })
  running.http = http
  const address = await listen(http.server, { host, port, hostFlag: '--host', portFlag: '--port' })
  const url = `${secure === undefined ? 'http' : 'https'}://${address}`
  if (metricsPort === undefined) return { http, secure, monitor: undefined, url }
  const monitor = await openMetricsPort(metricsHost, metricsPort, log)
  running.monitor = monitor
  return { http, secure, monitor, url }
}
