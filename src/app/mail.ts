import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Database } from '../db/port.ts'
import { MailLoop } from '../emails/loop.ts'
import { readSender, readSmtpUrl, Smtp } from '../emails/smtp.ts'
import type { Clock } from '../time.ts'
import { mailKinds } from './mail-kinds.ts'

interface MailOptions {
  config: Config
  clock: Clock
  log: Logger
  db: Database
  /** The address that the server listens on. */
  url: string
}

/** Begins to send the mails of the outbox. @returns undefined without a server for mail: they wait. @throws Refusal */
export function startMail({ config, clock, log, db, url }: MailOptions): MailLoop | undefined {
  const { smtpUrl, mailFrom, mailRate: rate, baseUrl = url } = config
  if (smtpUrl === undefined || mailFrom === undefined) return undefined
  const smtp = new Smtp(readSmtpUrl(smtpUrl), readSender(mailFrom))
  const mail = new MailLoop({ db, clock, log, smtp, kinds: mailKinds, server: { baseUrl }, rate })
  mail.start()
  return mail
}
