import type { Logger } from 'pino'
import type { Config } from '#base/config.ts'
import type { Clock } from '#base/time.ts'
import { type Certificate, type CertificateFiles, readCertificate } from '#machinery/http/certificate.ts'
import { proxyFinder } from '#machinery/http/client-address.ts'
import { listen } from '#machinery/http/listening.ts'
import { type LocalCa, openLocalCa } from '#machinery/http/local-ca/kept.ts'
import { readMachineNames } from '#machinery/http/local-ca/machine-names.ts'
import { HttpServer } from '#machinery/http/server.ts'
import { type MetricsPort, openMetricsPort } from '#machinery/ops/metrics-port.ts'

export interface Ports {
  http: HttpServer
  /** Undefined without TLS. */
  secure: { files: CertificateFiles; certificate: Certificate } | undefined
  /** The port where phones get the server's own CA. */
  trust: TrustPort | undefined
  monitor: MetricsPort | undefined
  /** For example `http://127.0.0.1:8080`. */
  url: string
}

export interface TrustPort {
  ca: LocalCa
  http: HttpServer
  /** For example `http://192.168.8.10:8080`. */
  url: string
}

interface Running {
  http?: HttpServer
  trust?: HttpServer
  monitor?: MetricsPort
}

/**
 * Opens the ports, and answers nobody yet.
 *
 * @param running gets each port as soon as it is open, so that the caller can close it if another cannot be opened
 * @throws Refusal
 */
export async function openPorts(config: Config, clock: Clock, log: Logger, running: Running): Promise<Ports> {
  const { host, port, tlsCert, tlsKey, metricsHost, metricsPort } = config
  const ca = config.localCa
    ? openLocalCa(config.data, readMachineNames(host, config.baseUrl), clock())
    : undefined
  const files = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey }
  const secure = ca ?? (files && { files, certificate: await readCertificate(files) })
  const connections = { isProxy: proxyFinder(config.trustProxy) }
  const http = new HttpServer(log, { certificate: secure?.certificate, connections })
  running.http = http
  const address = await listen(http.server, { host, port, hostFlag: '--host', portFlag: '--port' })
  const url = `${secure === undefined ? 'http' : 'https'}://${ca === undefined ? address : reachable(address, ca.main)}`
  const trust = ca && (await openTrustPort(config, ca, log, running))
  if (metricsPort === undefined) return { http, secure, trust, monitor: undefined, url }
  const monitor = await openMetricsPort(metricsHost, metricsPort, log)
  running.monitor = monitor
  return { http, secure, trust, monitor, url }
}

/** Opens the port where phones get the CA, without TLS. @throws Refusal */
async function openTrustPort(
  { host, trustPort = 0, trustProxy }: Config,
  ca: LocalCa,
  log: Logger,
  running: Running,
): Promise<TrustPort> {
  const http = new HttpServer(log, { connections: { isProxy: proxyFinder(trustProxy) } })
  running.trust = http
  const place = { host, port: trustPort, hostFlag: '--host', portFlag: '--trust-port' }
  return { ca, http, url: `http://${reachable(await listen(http.server, place), ca.plain)}` }
}

/** Returns the address to tell people, if the server listens on all its addresses. */
function reachable(address: string, main: string): string {
  return address.replace(/^(0\.0\.0\.0|\[::\])(?=:)/, main)
}
