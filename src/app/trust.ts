import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { AddressLimit } from '../http/address-limit.ts'
import { clientAddressFinder } from '../http/client-address.ts'
import { tellUncovered } from '../http/local-ca/kept.ts'
import { readMachineNames } from '../http/local-ca/machine-names.ts'
import { buildSite } from '../http/site.ts'
import { type Clock, MINUTE } from '../time.ts'
import { trustEntry, trustFace } from '../trust/face.tsx'
import { assetsFace } from '../web/assets/face.ts'
import type { TrustPort } from './ports.ts'

/**
 * Answers without TLS, where phones come that do not trust the server yet: with its CA and how to install it, and nothing else.
 *
 * @param siteUrl where the server itself is
 * @returns ends what watches over the machine's addresses
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
  const known = new Set(readMachineNames(config.host, config.baseUrl).addresses)
  const watch = setInterval(() => {
    for (const address of readMachineNames(config.host, config.baseUrl).addresses) {
      if (known.has(address)) continue
      known.add(address)
      if (!ca.covers(address)) log.warn(tellUncovered(address, ca.main))
    }
  }, MINUTE).unref()
  return () => clearInterval(watch)
}
