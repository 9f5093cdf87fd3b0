import type { Letters } from '#machinery/mail/compose.ts'
import type { DomainState } from '#machinery/mail/domain-watch.ts'
import type { MailState } from '#machinery/mail/loop.ts'

/** How this server sends mail. */
export interface MailService {
  /** Makes letters, also to show them. */
  letters: Letters
  /** Whether mails go out or are shown in a sandbox. Otherwise all of them wait. */
  isSetUp: boolean
  /**
   * The mail server, the sender of mails, and the name of the record of the key that signs them, if one does. It is undefined if
   * there is no mail server.
   */
  through: { host: string; port: number; sender: string; dkim: string | undefined } | undefined
  /** Returns undefined if nothing sends mail. */
  state(): MailState | undefined
  /** Returns what the DNS of the sender's domain says, or undefined until that is known. */
  domain(): DomainState | undefined
}
