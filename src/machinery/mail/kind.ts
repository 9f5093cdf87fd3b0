import type { VNode } from 'preact'
import type { ReadTx } from '../db/port.ts'
import type { Language } from '../web/texts/languages.ts'
import type { Texts } from '../web/texts/texts.ts'
import type { Email, Lane } from './schemas.ts'

/** Every kind of mail that there is a text for. */
export type KindName = keyof Texts['mails']

/** What tells a mail of one kind from those of others. */
export interface KindOfMail {
  name: KindName
  lane: Lane
}

/** A kind of mail, as the loop sends it. */
export interface MailKind extends KindOfMail {
  /** Whether it is about an event, whose organizer may write its text. */
  isOfEvent: boolean
  /** What its text may name, each as `{name}`. */
  placeholders: readonly string[]
  /**
   * Reads what a mail of this kind has to say now.
   *
   * @returns undefined where there is nothing to say any more, and it is withdrawn
   */
  read(tx: ReadTx, mail: MailToSend, server: Server): Promise<Content | undefined>
  /** Of one about an event: what it would say of the newest thing that fits, to show how a text looks. */
  example?(tx: ReadTx, accountId: string, eventId: string, language: Language): Promise<Content | undefined>
}

/** A mail that is to be sent. */
export interface MailToSend
  extends Pick<Email, 'id' | 'account_id' | 'event_id' | 'subject_id' | 'cause' | 'recipient' | 'language'> {
  /** What no other table keeps. */
  details: Record<string, unknown>
  /** Of its attempt, in milliseconds. */
  now: number
}

/** What the letters of a server need to know of it. */
export interface Server {
  /** Where people reach it: `https://tickets.example.org`. */
  baseUrl: string
  /** Of the instance: what the secrets in links are made of. */
  secret: string
}

/** What a mail has to say. */
export interface Content {
  /** Who writes: the organizer. */
  from: string
  /** Whom an answer goes to. */
  replyTo: string | undefined
  /** Of the placeholders. */
  values: Readonly<Record<string, string>>
  /** In the place of the kind's text. */
  text?: MailText | undefined
  /** Below the text. */
  button?: Button
  parts?: readonly Part[]
  attachments?: readonly Attachment[]
  /** Makes those that take too long for a read. */
  attach?: (() => Promise<readonly Attachment[]>) | undefined
  /** Of what somebody may have no more of: the address that a POST ends it at, which is a header too where it is https (RFC 8058). */
  unsubscribe?: string
  /** Texts that only the recipient may read: they are not kept. */
  secrets?: readonly string[]
}

/** A subject and a body with placeholders, as an organizer writes it: the body in Markdown. */
export interface MailText {
  subject: string
  body: string
}

/** What an organizer wrote in the place of our text. */
export interface OwnText extends MailText {
  kind: KindName
  language: Language
}

export interface Button {
  label: string
  url: string
}

/** A piece of a letter that no text describes, such as a table of what was ordered. */
export interface Part {
  html: VNode
  text: string
}

export interface Attachment {
  filename: string
  contentType: string
  content: Buffer
  /** Of a picture that stands in the letter. */
  cid?: string
}
