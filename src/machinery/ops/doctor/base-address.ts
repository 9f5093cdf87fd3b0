import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress } from '#base/public-address.ts'
import { type Clock, SECOND } from '#base/time.ts'
import { withoutBrackets } from '#base/url-host.ts'
import { isLoopback } from '#machinery/http/client-address.ts'
import { askHealth, type HealthAnswer } from '../ask-health.ts'
import { lookAtEnd } from './certificate.ts'
import { type Finding, finding } from './finding.ts'

/** The time for the look-up of the name, in milliseconds. */
const DEADLINE = 5 * SECOND

export interface AddressPatient {
  /** The address that people use, without a slash at its end. It is undefined if none was set. */
  baseUrl: string | undefined
  /** Whether other machines are meant to reach the server. */
  isForOthers: boolean
  /** Whether a server runs, which should answer there. */
  isServed: boolean
  /** Whether its certificate is one that no browser knows before it was told. */
  isOwnCertificate: boolean
  clock: Clock
}

/**
 * Goes to the address that people use, and looks who answers, by which certificate, and whether the name leads to the public
 * internet. It says what this machine sees: whether others get through a firewall only they can say.
 */
export async function lookAtAddress(patient: AddressPatient): Promise<Finding[]> {
  const { baseUrl, isForOthers, isServed } = patient
  if (baseUrl === undefined) {
    return isForOthers
      ? [finding('warning', 'base_url_missing', ({ texts }) => texts.doctor.baseUrlMissing)]
      : [finding('info', 'base_url_local', ({ texts }) => texts.doctor.baseUrlLocal)]
  }
  const where = await lookAtName(new URL(baseUrl))
  if (!isServed) {
    return [...where, finding('info', 'server_off', ({ texts }) => texts.doctor.serverOff(baseUrl))]
  }
  return [...where, ...(await lookAtAnswer(patient, baseUrl))]
}

async function lookAtName({ hostname, protocol }: URL): Promise<Finding[]> {
  const host = withoutBrackets(hostname)
  const addresses = isIP(host) > 0 ? [host] : await addressesOf(host)
  if (addresses.length === 0)
    return [finding('error', 'base_url_unknown', ({ texts }) => texts.doctor.baseUrlUnknown(host))]
  const found: Finding[] = []
  if (!addresses.some(isPublicAddress))
    found.push(finding('info', 'base_url_private', ({ texts }) => texts.doctor.baseUrlPrivate(host)))
  if (protocol === 'http:' && !addresses.every(isLoopback))
    found.push(finding('warning', 'base_url_plain', ({ texts }) => texts.doctor.baseUrlPlain))
  return found
}

async function addressesOf(host: string): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string[]>(resolve => {
    timer = setTimeout(resolve, DEADLINE, [])
  })
  const found = lookup(host, { all: true }).then(
    all => all.map(({ address }) => address),
    () => [],
  )
  return Promise.race([found, late]).finally(() => clearTimeout(timer))
}

async function lookAtAnswer(
  { clock, isOwnCertificate }: AddressPatient,
  baseUrl: string,
): Promise<Finding[]> {
  let answer: HealthAnswer
  try {
    answer = await askHealth(baseUrl)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code ?? message
    return [
      finding('error', 'base_url_unreachable', ({ texts }) =>
        texts.doctor.baseUrlUnreachable(baseUrl, reason),
      ),
    ]
  }
  const { certificate } = answer
  return [
    lookAtWho(answer, baseUrl),
    ...(certificate === undefined || isOwnCertificate ? [] : lookAtCertificate(certificate, baseUrl, clock)),
  ]
}

function lookAtWho({ status, body }: HealthAnswer, baseUrl: string): Finding {
  const said = readStatus(body)
  if (said === undefined) {
    return finding('error', 'base_url_other', ({ texts }) => texts.doctor.baseUrlOther(baseUrl, status))
  }
  return said === 'ok'
    ? finding('ok', 'base_url_answers', ({ texts }) => texts.doctor.baseUrlAnswers(baseUrl))
    : finding('error', 'server_unhealthy', ({ texts }) => texts.doctor.serverUnhealthy(baseUrl))
}

function lookAtCertificate(
  { ends, distrust }: NonNullable<HealthAnswer['certificate']>,
  baseUrl: string,
  clock: Clock,
): Finding[] {
  const end = lookAtEnd(ends, clock)
  // A certificate that has ended is distrusted for that too.
  if (distrust === undefined || end.level === 'error') return [end]
  return [
    finding('error', 'certificate_untrusted', ({ texts }) =>
      texts.doctor.certificateUntrusted(new URL(baseUrl).hostname, distrust),
    ),
  ]
}

/** @returns what a server of Turnout says of itself, or undefined if somebody else answered */
function readStatus(body: string | undefined): string | undefined {
  try {
    const { status } = JSON.parse(body ?? '') as { status?: unknown }
    return status === 'ok' || status === 'unavailable' ? status : undefined
  } catch {
    return undefined
  }
}
