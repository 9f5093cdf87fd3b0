import type { NodemailerError } from 'nodemailer'

/** The troubles that keep all mails from a server, for the person who repairs it. Each has another remedy. */
export const troubles = [
  /** The name of the server is unknown. */
  'name',
  /** The server is not there, or nothing lets the connection through. */
  'connection',
  /** The server does not answer, or not soon enough. */
  'silence',
  /** The certificate is not trusted, has expired, or belongs to another server. */
  'certificate',
  /** The server has no STARTTLS. */
  'no_tls',
  /** The server speaks TLS where none is expected, or none where it is. */
  'tls',
  /** The server refuses the user and the password, or demands some. */
  'sign_in',
  /** The server refuses the sender. */
  'sender',
  /** The server says that it takes nothing now, or breaks off. */
  'server',
] as const

export type Trouble = (typeof troubles)[number]

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/
/** The server's codes for a sign-in that is missing or wrong (RFC 4954, section 6). */
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
