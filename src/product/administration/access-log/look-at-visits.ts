import { isIP } from 'node:net'
import type { Config } from '#base/config.ts'
import { isPublicAddress } from '#base/public-address.ts'
import { withoutBrackets } from '#base/url-host.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { type Finding, finding } from '#machinery/ops/doctor/finding.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { list } from './rules.ts'

/** How many entries of each organization are looked at, the newest first. */
const LOOKED_AT = 200

export interface VisitsPatient {
  reader: Reader
  config: Pick<Config, 'baseUrl' | 'doorOnly'>
}

/**
 * Tells whether others get through to the server: no machine can say that of itself, but the access log has from where people and
 * programs came. Where no address is set, or it is one of this network or a box's at a
 * door, nobody has to come from outside.
 */
export async function lookAtVisits({ reader, config }: VisitsPatient): Promise<Finding[]> {
  const { baseUrl, doorOnly } = config
  if (baseUrl === undefined || doorOnly || isOfThisNetwork(baseUrl)) return []
  let latest: string | undefined
  for (const { id } of await reader.read(INSTANCE, accounts.list)) {
    const entries = await reader.read(id, tx => list(tx, LOOKED_AT))
    const from = entries.find(({ address }) => address !== null && isPublicAddress(address))
    if (from !== undefined && (latest === undefined || from.at > latest)) latest = from.at
  }
  if (latest === undefined) {
    return [finding('info', 'base_url_unproven', ({ texts }) => texts.doctor.baseUrlUnproven(baseUrl))]
  }
  const at = latest
  return [
    finding('ok', 'base_url_reached', ({ texts, format }) =>
      texts.doctor.baseUrlReached(format.dateTime(at)),
    ),
  ]
}

function isOfThisNetwork(baseUrl: string): boolean {
  const host = withoutBrackets(new URL(baseUrl).hostname)
  return host === 'localhost' || (isIP(host) > 0 && !isPublicAddress(host))
}
