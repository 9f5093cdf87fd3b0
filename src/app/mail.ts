import type { Logger } from 'pino'
import type { Config } from '#base/config.ts'
import type { Clock } from '#base/time.ts'
import type { MailService } from '#faces/dashboard/system/mail-service.ts'
import type { Database } from '#machinery/db/port.ts'
import { recordName } from '#machinery/mail/dkim.ts'
import { readSigner } from '#machinery/mail/dkim-file.ts'
import { DomainWatch, type TextLookup } from '#machinery/mail/domain-watch.ts'
import { MailLoop } from '#machinery/mail/loop.ts'
import { showing } from '#machinery/mail/shown.ts'
import { Smtp } from '#machinery/mail/smtp.ts'
import { domainOf, readSmtpUrl, type Sender, type SmtpOptions } from '#machinery/mail/smtp-settings.ts'
import { mailKinds } from './mail-kinds.ts'

interface MailingOptions {
  config: Config
  clock: Clock
  log: Logger
  /** For tests. */
  textLookup?: TextLookup | undefined
}

/** The mails of a server. It sends them, shows them in a sandbox, or keeps them until it has a mail server. */
export class Mailing {
  readonly #options: MailingOptions
  readonly #settings: { options: SmtpOptions; sender: Sender } | undefined
  #loop: MailLoop | undefined

  /** Reads the settings of mail. @throws Refusal */
  constructor(options: MailingOptions) {
    const { smtpUrl, mailFrom } = options.config
    this.#options = options
    if (smtpUrl !== undefined && mailFrom !== undefined) {
      this.#settings = { options: readSmtpUrl(smtpUrl), sender: readSigner(mailFrom, options.config) }
    }
  }

  /**
   * Begins to send the mails of the outbox.
   *
   * @param url the address that the server listens on @param secret of the instance
   * @returns the loop that sends them, or undefined if the outbox keeps them
   */
  start(db: Database, { url, secret }: { url: string; secret: string }): MailLoop | undefined {
    const { config, clock, log } = this.#options
    const { showMail, mailRate: rate, baseUrl = url } = config
    const settings = this.#settings
    if (settings === undefined && !showMail) return undefined
    const smtp = settings === undefined ? showing : new Smtp(settings.options, settings.sender)
    this.#loop = new MailLoop({ db, clock, log, smtp, kinds: mailKinds, server: { baseUrl, secret }, rate })
    this.#loop.start()
    return this.#loop
  }

  async stop(): Promise<void> {
    await this.#loop?.stop()
  }

  /** Returns what the pages need to know about mail. @param baseUrl the address where people reach the server */
  describe(baseUrl: string, secret: string): MailService {
    const { config, clock, textLookup: lookup } = this.#options
    const letters = { kinds: mailKinds, server: { baseUrl, secret } }
    const settings = this.#settings
    const state = () => this.#loop?.state
    if (settings === undefined) {
      return { letters, isSetUp: config.showMail, through: undefined, state, domain: () => undefined }
    }
    const { host, port } = settings.options
    const { address: sender, dkim } = settings.sender
    const domain = new DomainWatch({ domain: domainOf(settings.sender), dkim, clock, lookup })
    return {
      letters,
      isSetUp: true,
      through: { host, port, sender, dkim: dkim && recordName(dkim) },
      state,
      domain: () => domain.state,
    }
  }
}
