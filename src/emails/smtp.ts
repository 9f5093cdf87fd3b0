import type { NodemailerError, Transporter } from 'nodemailer'
import { Refusal } from '../refusal.ts'
import { MINUTE, SECOND } from '../time.ts'
import type { Letter } from './letter.tsx'

/** Connections to the server, each for one mail at a time. */
export const CONNECTIONS = 2

/** Milliseconds: to connect, to be greeted, and without a word. */
const TIMEOUTS = { connectionTimeout: 30 * SECOND, greetingTimeout: 30 * SECOND, socketTimeout: MINUTE }

/** What is kept of an answer, in characters. */
const MAX_ANSWER = 500

/** How a server took a mail. */
export type SmtpOutcome =
  | { state: 'sent'; answer: string }
  /** This mail alone: for good, or to be tried again. */
  | { state: 'refused'; isFinal: boolean; answer: string }
  /** No mail would fare better now. `mayHaveIt`: the server broke off without a word, and may have taken it. */
  | { state: 'unavailable'; mayHaveIt: boolean; answer: string }

/** A mail with its envelope. */
export interface OutgoingMail extends Letter {
  /** Where the same mail comes again, it has the same (RFC 5322, section 3.6.4). */
  messageId: string
  to: string
  date: Date
}

/** A mailbox that mails come from. */
export interface Sender {
  name: string
  address: string
}

/** Hands mails to a server by SMTP (RFC 5321), over connections that are kept. */
export class Smtp {
  readonly #options: SmtpOptions
  readonly #sender: Sender
  #transport: Promise<Transporter> | undefined

  /** @param sender whose address mails have; the name is that of the organizer */
  constructor(options: SmtpOptions, sender: Sender) {
    this.#options = options
    this.#sender = sender
  }

  /** The domain that mails come from. */
  get domain(): string {
    return this.#sender.address.slice(this.#sender.address.lastIndexOf('@') + 1)
  }

  /** Never throws. */
  async send(mail: OutgoingMail): Promise<SmtpOutcome> {
    const transport = await this.#open()
    try {
      const { response } = await transport.sendMail(this.#toMessage(mail))
      return { state: 'sent', answer: shorten(response ?? '') }
    } catch (error) {
      return outcomeOf(error as NodemailerError)
    }
  }

  /** Ends at once what is under way. */
  async close(): Promise<void> {
    const transport = await this.#transport
    transport?.close({ force: true })
  }

  #toMessage(mail: OutgoingMail) {
    const { unsubscribe } = mail
    return {
      envelope: { from: this.#sender.address, to: [mail.to] },
      from: { name: mail.from === '' ? this.#sender.name : mail.from, address: this.#sender.address },
      to: { name: '', address: mail.to },
      replyTo: mail.replyTo === undefined ? undefined : { name: '', address: mail.replyTo },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      date: mail.date,
      messageId: mail.messageId,
      attachments: mail.attachments.map(each => ({
        ...each,
        contentDisposition: each.cid === undefined ? ('attachment' as const) : ('inline' as const),
      })),
      headers: {
        // RFC 3834: nobody's absence is told to it.
        'Auto-Submitted': 'auto-generated',
        // RFC 8058, section 3.1: a one-click link is an https one.
        ...(!unsubscribe?.startsWith('https:')
          ? {}
          : {
              'List-Unsubscribe': `<${unsubscribe}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
      },
      disableFileAccess: true,
      disableUrlAccess: true,
    }
  }

  #open(): Promise<Transporter> {
    // Most commands send nothing: the first mail loads it.
    this.#transport ??= import('nodemailer').then(({ createTransport }) =>
      createTransport({
        ...this.#options,
        ...TIMEOUTS,
        pool: true,
        maxConnections: CONNECTIONS,
        // Whether a mail comes again is decided by whoever keeps count.
        maxRequeues: 0,
        tls: { minVersion: 'TLSv1.2' },
      }),
    )
    return this.#transport
  }
}

/** What a mail came to that was not taken. Exported for its tests. */
export function outcomeOf({
  code,
  command = '',
  response,
  responseCode,
  message,
}: NodemailerError): SmtpOutcome {
  const answer = shorten(response ?? message ?? '')
  const isOfMail = /^(RCPT TO|DATA)/.test(command) || code === 'EENVELOPE' || code === 'EMESSAGE'
  const isOfServer = responseCode === undefined || responseCode === 421 || command.startsWith('MAIL FROM')
  if (isOfMail && !isOfServer) return { state: 'refused', isFinal: responseCode >= 500, answer }
  // At which of its steps, the library does not say.
  return { state: 'unavailable', mayHaveIt: responseCode === undefined && code === 'ECONNECTION', answer }
}

function shorten(answer: string): string {
  return answer.replace(/\s+/g, ' ').trim().slice(0, MAX_ANSWER)
}

/** A server for mail, as an address names it. */
export interface SmtpOptions {
  host: string
  port: number
  /** TLS from the first byte on. */
  secure: boolean
  /** Nothing is sent before STARTTLS. */
  requireTLS: boolean
  ignoreTLS: boolean
  auth?: { user: string; pass: string }
}

const NAMED = 'smtp://user:password@mail.example.org:587 or smtps://user:password@mail.example.org'

/**
 * Reads the address of a server: `smtp:` is encrypted by STARTTLS, and nothing is sent without it, but for a server on this
 * machine, or with `?tls=none`; `smtps:` is encrypted from the start. Certificates are verified.
 *
 * @throws Refusal which repeats nothing of the address: it may have a password
 */
export function readSmtpUrl(text: string): SmtpOptions {
  if (!URL.canParse(text)) throw new Refusal(`--smtp-url must be an address such as ${NAMED}.`)
  const url = new URL(text)
  const tls = url.searchParams.get('tls')
  const isKnown =
    [...url.searchParams.keys()].every(name => name === 'tls') && (tls === null || tls === 'none')
  const isPlain = !['', '/'].includes(url.pathname) || url.hash !== ''
  if (!/^smtps?:$/.test(url.protocol) || url.hostname === '' || !isKnown || isPlain) {
    throw new Refusal(`--smtp-url must be an address such as ${NAMED}.`)
  }
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
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

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal('--smtp-url has a % in its user or password that must be written as %25.')
  }
}

/**
 * Reads whom mails come from: `Tickets <tickets@example.org>`, or the address alone.
 *
 * @throws Refusal
 */
export function readSender(text: string): Sender {
  const [, name = '', address] = /^(?:([^<>]*?)\s*<)?([^<>\s@"]+@[^<>\s@"]+?)>?$/.exec(text.trim()) ?? []
  if (address === undefined) throw new Refusal('--mail-from must be an address such as tickets@example.org.')
  return { name: name.replace(/^"|"$/g, ''), address }
}
