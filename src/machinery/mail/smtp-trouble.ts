import type { NodemailerError } from 'nodemailer'

/** What keeps all mails from a server, as whoever mends it has to know: each has another remedy. */
export const troubles = [
  /** Its name is not known. */
  'name',
  /** It is not there, or nothing lets through to it. */
  'connection',
  /** It says nothing, or not soon enough. */
  'silence',
  /** Its certificate is not trusted, has expired, or is that of another. */
  'certificate',
  /** It has no STARTTLS. */
  'no_tls',
  /** It speaks TLS where none was expected, or none where it was. */
  'tls',
  /** It does not take the user and the password, or wants some. */
  'sign_in',
  /** It does not take the sender. */
  'sender',
  /** It says that it takes nothing now, or breaks off. */
  'server',
] as const

export type Trouble = (typeof troubles)[number]

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/
/** Its own words on who has to sign in (RFC 4954, section 6). */
const SIGN_IN = /^(530|534|535|538)/

export function troubleOf({
  code,
  command = '',
  originalCode,
  response,
  timeoutType,
}: NodemailerError): Trouble {
  const system = originalCode ?? ''
  if (code === 'EDNS') return 'name'
  if (CERTIFICATE.test(system)) return 'certificate'
  if (code === 'EAUTH' || code === 'ENOAUTH' || SIGN_IN.test(response ?? '')) return 'sign_in'
  // A server that refuses EHLO has no STARTTLS either.
  if (command === 'STARTTLS' || (code === 'ECONNECTION' && command === 'EHLO')) {
    return response === undefined || response.startsWith('421') ? 'server' : 'no_tls'
  }
  if (code === 'ETLS' || /SSL|TLS|EPROTO/.test(system)) return 'tls'
  if (command.startsWith('MAIL FROM')) return 'sender'
  if (code === 'ETIMEDOUT') return timeoutType === 'CONNECT_TIMEOUT' ? 'connection' : 'silence'
  if (code === 'EABORT') return 'silence'
  if (/^E(CONNREFUSED|HOSTUNREACH|NETUNREACH|HOSTDOWN|TIMEDOUT|ADDRNOTAVAIL)$/.test(system))
    return 'connection'
  return 'server'
}
