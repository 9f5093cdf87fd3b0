import { domainToASCII } from 'node:url'
import { Refusal } from '#base/refusal.ts'
import { withoutBrackets } from '#base/url-host.ts'
import type { DkimKey } from './dkim.ts'

/** A mailbox from which mails come. */
export interface Sender {
  name: string
  address: string
  /** The key that its mails are signed by. Without it, they are not signed here. */
  dkim?: DkimKey | undefined
}

/** Returns the domain of a mailbox, as its DNS records name it. */
export function domainOf({ address }: Pick<Sender, 'address'>): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/** A mail server, as an address names it. */
export interface SmtpOptions {
  host: string
  port: number
  /** True for TLS from the first byte on. */
  secure: boolean
  /** True if nothing is sent before STARTTLS. */
  requireTLS: boolean
  ignoreTLS: boolean
  auth?: { user: string; pass: string }
}

const NAMED = 'smtp://user:password@mail.example.org:587 or smtps://user:password@mail.example.org'

/**
 * Reads the address of a server. `smtp:` is encrypted by STARTTLS, and nothing is sent without it, except to a server on this
 * machine or with `?tls=none`. `smtps:` is encrypted from the start. Certificates are verified.
 *
 * @throws Refusal which repeats nothing of the address, as it may have a password
 */
export function readSmtpUrl(text: string): SmtpOptions {
  if (!URL.canParse(text)) throw new Refusal(`--smtp-url must be an address such as ${NAMED}.`)
  const url = new URL(text)
  const tls = url.searchParams.get('tls')
  const hasOnlyTls =
    [...url.searchParams.keys()].every(name => name === 'tls') && (tls === null || tls === 'none')
  const hasMore = !['', '/'].includes(url.pathname) || url.hash !== ''
  if (!/^smtps?:$/.test(url.protocol) || readHost(url.hostname) === '' || !hasOnlyTls || hasMore) {
    throw new Refusal(`--smtp-url must be an address such as ${NAMED}.`)
  }
  const secure = url.protocol === 'smtps:'
  const host = readHost(url.hostname)
  const isOpen = tls === 'none' || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
  const user = decode(url.username)
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !isOpen,
    ignoreTLS: !secure && isOpen,
    ...(user === '' ? {} : { auth: { user, pass: decode(url.password) } }),
  }
}

/** Returns the host in ASCII. The URL rules read names of other scripts only for web addresses. */
function readHost(hostname: string): string {
  const host = withoutBrackets(hostname)
  return hostname.startsWith('[') ? host : domainToASCII(decode(host))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal('--smtp-url has a % that must be written as %25.')
  }
}

/**
 * Reads the sender of mails: `Tickets <tickets@example.org>`, or the address alone.
 *
 * @throws Refusal
 */
export function readSender(text: string): Sender {
  const [, name = '', named, bare] =
    /^(?:([^<>]*?)\s*<([^<>\s@"]+@[^<>\s@",]+)>|([^<>\s@"]+@[^<>\s@",]+))$/.exec(text.trim()) ?? []
  const address = named ?? bare
  if (address === undefined || /\p{Cc}/u.test(name))
    throw new Refusal('--mail-from must be an address such as tickets@example.org.')
  return { name: name.replace(/^"|"$/g, ''), address }
}
