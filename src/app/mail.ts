import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { MailService } from '../dashboard/mail-service.ts'
import type { Database } from '../db/port.ts'
import { DomainWatch, type TextLookup } from '../emails/domain-watch.ts'
import { MailLoop } from '../emails/loop.ts'
import { showing } from '../emails/shown.ts'
import { readSender, readSmtpUrl, type Sender, Smtp, type SmtpOptions } from '../emails/smtp.ts'
import type { Clock } from '../time.ts'
import { mailKinds } from './mail-kinds.ts'

interface MailingOptions {
  config: Config
  clock: Clock
  log: Logger
  /** For tests. */
  textLookup?: TextLookup | undefined
}

/** The mails of a server: sent, shown in a sandbox, or kept until there is a server for mail. */
export class Mailing {
  readonly #options: MailingOptions
  readonly #settings: { options: SmtpOptions; sender: Sender } | undefined
  #loop: MailLoop | undefined

  /** @throws Refusal */
  constructor(options: MailingOptions) {
    const { smtpUrl, mailFrom } = options.config
    this.#options = options
    if (smtpUrl !== undefined && mailFrom !== undefined) {
      this.#settings = { options: readSmtpUrl(smtpUrl), sender: readSender(mailFrom) }
    }
  }

  /** Begins to send the mails of the outbox. @param url the address that the server listens on @param secret of the instance */
  start(db: Database, { url, secret }: { url: string; secret: string }): void {
    const { config, clock, log } = this.#options
    const { showMail, mailRate: rate, baseUrl = url } = config
    const settings = this.#settings
    if (settings === undefined && !showMail) return
    const smtp = settings === undefined ? showing : new Smtp(settings.options, settings.sender)
    this.#loop = new MailLoop({ db, clock, log, smtp, kinds: mailKinds, server: { baseUrl, secret }, rate })
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop?.stop()
  }

  /** For the pages. @param baseUrl where people reach the server */
  describe(baseUrl: string, secret: string): MailService {
    const { config, clock, textLookup: lookup } = this.#options
    const letters = { kinds: mailKinds, server: { baseUrl, secret } }
    const settings = this.#settings
    const state = () => this.#loop?.state
    if (settings === undefined) {
      return { letters, isSetUp: config.showMail, through: undefined, state, domain: () => undefined }
    }
    const { host, port } = settings.options
    const { address: sender } = settings.sender
    const domain = new DomainWatch({ domain: sender.slice(sender.lastIndexOf('@') + 1), clock, lookup })
    return { letters, isSetUp: true, through: { host, port, sender }, state, domain: () => domain.state }
  }
}
