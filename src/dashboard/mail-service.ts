import type { Letters } from '../emails/compose.ts'
import type { MailState } from '../emails/loop.ts'

/** How this server sends mail. */
export interface MailService {
  /** What letters are made with, also to show them. */
  letters: Letters
  /** Without a server for mail, all of it waits. */
  isSetUp: boolean
  state(): MailState | undefined
}
