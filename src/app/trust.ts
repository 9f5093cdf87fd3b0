import type { Logger } from 'pino'
import type { Config } from '#base/config.ts'
import type { Clock } from '#base/time.ts'
import { trustEntry, trustFace } from '#faces/trust/face.tsx'
import { AddressLimit } from '#machinery/http/address-limit.ts'
import { clientAddressFinder } from '#machinery/http/client-address.ts'
import { describeUncovered } from '#machinery/http/local-ca/kept.ts'
import { readMachineNames } from '#machinery/http/local-ca/machine-names.ts'
import { buildSite } from '#machinery/http/site.ts'
import { assetsFace } from '#machinery/web/assets/face.ts'
import type { TrustPort } from './ports.ts'

/**
 * Answers without TLS, for phones that do not trust the server yet. It serves only the CA and how to install it.
 *
 * @param siteUrl the address of the server itself
 * @returns a function that looks at the machine's addresses and warns of one that the certificate does not name
 */
export function serveTrust(
  { ca, http }: TrustPort,
  siteUrl: string,
  config: Config,
  { clock, log }: { clock: Clock; log: Logger },
): () => void {
  const addresses = new AddressLimit({ clock, clientAddress: clientAddressFinder(config.trustProxy) })
  const services = { log, addresses, observe: undefined }
  const faces = [trustFace({ ca, baseUrl: siteUrl, addresses }), trustEntry(addresses), assetsFace(addresses)]
  http.serve(buildSite(services, faces))
  const existing = new Set(readMachineNames(config.host, config.baseUrl).addresses)
  return () => {
    for (const address of readMachineNames(config.host, config.baseUrl).addresses) {
      if (existing.has(address)) continue
      existing.add(address)
      if (!ca.covers(address)) log.warn(describeUncovered(address, ca.main))
    }
  }
}
