import type { Letters } from '../emails/compose.ts'
import type { DomainState } from '../emails/domain-watch.ts'
import type { MailState } from '../emails/loop.ts'

/** How this server sends mail. */
export interface MailService {
  /** What letters are made with, also to show them. */
  letters: Letters
  /** Whether mails go out, or are shown in a sandbox; without, all of them wait. */
  isSetUp: boolean
  /** The server for mail, and whom mails come from; undefined without one. */
  through: { host: string; port: number; sender: string } | undefined
  /** Undefined where nothing sends. */
  state(): MailState | undefined
  /** What the domain of the sender says; undefined until that is known. */
  domain(): DomainState | undefined
}
