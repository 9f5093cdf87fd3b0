import { get as getByHttp, type IncomingMessage } from 'node:http'
import { get as getByHttps } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { SECOND } from '#base/time.ts'
import { healthRoute } from './health.ts'

/** The server itself answers within 3 seconds, whatever its disk does. */
const PATIENCE = 5 * SECOND
/** More than any answer to this question has, in bytes. */
const MAX_ANSWER = 64 * 1024

export interface HealthAnswer {
  status: number
  /** It is undefined if it is longer than any answer of a server of Turnout. */
  body: string | undefined
  /** Of the certificate: the end in milliseconds, and why no browser would take it. It is undefined without TLS. */
  certificate: { ends: number; distrust: string | undefined } | undefined
}

/**
 * Asks whoever listens at an address for their health, once. It follows nothing, and looks at a certificate without trusting it: the
 * question holds no secret.
 *
 * @param url without a slash at its end
 * @throws Error of the network, or of an address that cannot be asked
 */
export async function askHealth(url: string): Promise<HealthAnswer> {
  const signal = AbortSignal.timeout(PATIENCE)
  const isSecure = url.startsWith('https:')
  const address = url + healthRoute.path
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = isSecure
      ? getByHttps(address, { signal, agent: false, rejectUnauthorized: false }, resolve)
      : getByHttp(address, { signal, agent: false }, resolve)
    request.once('error', reject)
  })
  const certificate = isSecure ? certificateOf(response.socket as TLSSocket) : undefined
  let body = ''
  response.setEncoding('utf8')
  for await (const text of response) {
    body += text
    if (body.length > MAX_ANSWER) break
  }
  const isWhole = body.length <= MAX_ANSWER
  return { status: response.statusCode ?? 0, body: isWhole ? body : undefined, certificate }
}

function certificateOf(socket: TLSSocket): HealthAnswer['certificate'] {
  const { authorized, authorizationError } = socket
  const { valid_to: ends } = socket.getPeerCertificate()
  return { ends: Date.parse(ends), distrust: authorized ? undefined : String(authorizationError) }
}
