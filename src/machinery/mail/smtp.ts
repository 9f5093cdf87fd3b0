import type { NodemailerError, Transporter } from 'nodemailer'
import { MINUTE, SECOND } from '#base/time.ts'
import type { DkimKey } from './dkim.ts'
import type { Letter } from './letter.tsx'
import { domainOf, type Sender, type SmtpOptions } from './smtp-settings.ts'
import { type Trouble, troubleOf } from './smtp-trouble.ts'

/** The connections to the server. Each carries one mail at a time. */
export const CONNECTIONS = 2

/** The limits of time, in milliseconds. */
const TIMES = {
  /** To connect and, from then on, to be greeted. */
  connecting: 30 * SECOND,
  /** Without a word from the server. */
  silent: MINUTE,
  /** For the whole mail, however many words the server says. */
  total: 5 * MINUTE,
}
/** The most bytes of one answer. */
const MAX_RESPONSE = 64 * 1024

/** The characters that are kept of an answer. */
const MAX_ANSWER = 500

const PLAIN_ADDRESS = /^[^\s\p{Cc}<>@"(),:;[\\\]]+@[^\s\p{Cc}<>@"(),:;[\\\]]+$/u

/** The result of sending a mail. */
export type SmtpOutcome =
  | { state: 'sent'; answer: string }
  /** The server refuses this mail alone, for good or until another try. */
  | { state: 'refused'; isFinal: boolean; answer: string }
  /** No mail would fare better now. `mayHaveIt` is true if the server got all of the mail and did not answer. */
  | { state: 'unavailable'; mayHaveIt: boolean; trouble: Trouble; answer: string }

/** A mail with its envelope. */
export interface OutgoingMail extends Omit<Letter, 'attach'> {
  /** It stays the same if the same mail is sent again (RFC 5322, section 3.6.4). */
  messageId: string
  to: string
  date: Date
}

/** For tests: other times, and certificates that are trusted. */
export interface SmtpTuning extends Partial<typeof TIMES> {
  ca?: string
}

/**
 * The headers that a signature covers, as far as a mail has them. Those that lead out of a list belong to them (RFC 8058, section
 * 4), and the library leaves one of the two out by default.
 */
const SIGNED = [
  ...['From', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'MIME-Version', 'Content-Type'],
  ...['Content-Transfer-Encoding', 'Auto-Submitted', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
]

/** Returns how the library signs by a key. */
function signerOf({ domain, selector, privateKey }: DkimKey) {
  return { domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED.join(':') }
}

/** The progress of a mail. */
interface Course {
  isComplete: boolean
}

/** Hands mails to a server by SMTP (RFC 5321), over connections that are kept. */
export class Smtp {
  readonly #options: SmtpOptions
  readonly #sender: Sender
  readonly #tuning: typeof TIMES & Pick<SmtpTuning, 'ca'>
  #transport: Promise<Transporter> | undefined

  /** Makes the client. @param sender the address that mails come from. Their name is that of the organizer */
  constructor(options: SmtpOptions, sender: Sender, tuning: SmtpTuning = {}) {
    this.#options = options
    this.#sender = sender
    this.#tuning = { ...TIMES, ...tuning }
  }

  /** Returns the mailbox that mails come from. */
  get sender(): string {
    return this.#sender.address
  }

  /** Returns the domain that mails come from. */
  get domain(): string {
    return domainOf(this.#sender)
  }

  /** Sends a mail. It never throws. */
  async send(mail: OutgoingMail): Promise<SmtpOutcome> {
    // The library would take the first address that it finds in such a text.
    if (!PLAIN_ADDRESS.test(mail.to)) return { state: 'refused', isFinal: true, answer: 'It is no address.' }
    const course: Course = { isComplete: false }
    try {
      const transport = await this.#open()
      const signal = AbortSignal.timeout(this.#tuning.total)
      const message = { ...this.#toMessage(mail), signal, course }
      const { response } = await transport.sendMail(message)
      return { state: 'sent', answer: shorten(response ?? '') }
    } catch (error) {
      const outcome = outcomeOf(error as NodemailerError, course)
      return { ...outcome, answer: shorten(withoutPassword(outcome.answer, this.#options.auth)) }
    }
  }

  /**
   * Connects and signs in, and sends nothing. It never throws.
   *
   * @returns what is wrong with the server, or undefined if it would take mails
   */
  async greet(): Promise<{ trouble: Trouble; answer: string } | undefined> {
    try {
      await (await this.#open()).verify()
      return undefined
    } catch (error) {
      const { response, message } = error as NodemailerError
      const answer = shorten(withoutPassword(response ?? message ?? '', this.#options.auth))
      return { trouble: troubleOf(error as NodemailerError), answer }
    }
  }

  /** Ends at once whatever is under way. */
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
        // RFC 3834: automatic answers, such as those about an absence, do not go to such a mail.
        'Auto-Submitted': 'auto-generated',
        // RFC 8058, section 3.1: a one-click link must use https.
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
    const { connecting, silent, ca } = this.#tuning
    // Most commands send nothing, so the first mail loads the library.
    this.#transport ??= import('nodemailer').then(({ createTransport }) => {
      const transport = createTransport({
        ...this.#options,
        connectionTimeout: connecting,
        greetingTimeout: connecting,
        socketTimeout: silent,
        maxResponseSize: MAX_RESPONSE,
        pool: true,
        maxConnections: CONNECTIONS,
        // The library tries again once if a kept connection had ended before the first byte of a mail. All other tries are for
        // the caller, who keeps count.
        maxRequeues: 1,
        tls: { minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
        ...(this.#sender.dkim && { dkim: signerOf(this.#sender.dkim) }),
      })
      transport.use('stream', ({ message, data }, done) => {
        if (message !== undefined) {
          // What is read here is what the server gets. The library signs a mail after its plugins have had the stream.
          const read = message.createReadStream.bind(message)
          message.createReadStream = options =>
            read(options).once('end', () => {
              ;(data as { course: Course }).course.isComplete = true
            })
        }
        done()
      })
      return transport
    })
    return this.#transport
  }
}

/** Returns the outcome of a mail that was not taken. */
function outcomeOf(error: NodemailerError, { isComplete }: Course): SmtpOutcome {
  const { code, command = '', response, responseCode, message } = error
  const answer = response ?? message ?? ''
  const isOfMail = /^(RCPT TO|DATA)/.test(command) || code === 'EENVELOPE' || code === 'EMESSAGE'
  if (isOfMail && responseCode !== 421 && !command.startsWith('MAIL FROM')) {
    // Without an answer, no server was asked. The mail cannot be sent as it is.
    return { state: 'refused', isFinal: responseCode === undefined || error.permanent === true, answer }
  }
  const mayHaveIt = isComplete && responseCode === undefined
  return { state: 'unavailable', mayHaveIt, trouble: troubleOf(error), answer }
}

/** Hides the password in an answer, because some servers repeat what they do not understand. */
function withoutPassword(answer: string, auth: SmtpOptions['auth']): string {
  if (auth === undefined || auth.pass === '') return answer
  const { user, pass } = auth
  const forms = [`\0${user}\0${pass}`, pass].map(text => Buffer.from(text).toString('base64'))
  return [...forms, pass].reduce((hidden, form) => hidden.replaceAll(form, '…'), answer)
}

function shorten(answer: string): string {
  return answer
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_ANSWER)
    .toWellFormed()
}
