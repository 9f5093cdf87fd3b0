import type { VNode } from 'preact'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Language } from '#texts/languages.ts'
import type { Texts } from '#texts/texts.ts'
import type { Email, Lane } from './schemas.ts'

/** Every kind of mail that has a text. */
export type KindName = keyof Texts['mails']

/** The properties that tell a mail of one kind from those of others. */
export interface KindOfMail {
  name: KindName
  lane: Lane
}

/** A kind of mail, as the loop sends it. */
export interface MailKind extends KindOfMail {
  /** True if it is about an event, whose organizer may write its text. */
  isOfEvent: boolean
  /** The names that its text may use, each as `{name}`. */
  placeholders: readonly string[]
  /**
   * Reads what a mail of this kind has to say now.
   *
   * @returns undefined if there is nothing left to say, and then the mail is withdrawn
   */
  read(tx: ReadTx, mail: MailToSend, server: Server): Promise<Content | undefined>
  /** Returns what a mail about an event would say of the newest thing that fits, to show how a text looks. */
  example?(tx: ReadTx, eventId: string, language: Language): Promise<Content | undefined>
}

/** A mail that is to be sent. */
export interface MailToSend
  extends Pick<Email, 'id' | 'account_id' | 'event_id' | 'subject_id' | 'cause' | 'recipient' | 'language'> {
  /** The data that no other table keeps. */
  details: Record<string, unknown>
  /** The time of its attempt, in milliseconds. */
  now: number
}

/** The facts about a server that its letters need. */
export interface Server {
  /** The address where people reach it: `https://tickets.example.org`. */
  baseUrl: string
  /** The secret of the instance, from which the secrets in links are made. */
  secret: string
}

/** The content of a mail. */
export interface Content {
  /** The organizer, who writes. */
  from: string
  /** The address for answers. */
  replyTo: string | undefined
  /** The values of the placeholders. */
  values: Readonly<Record<string, string>>
  /** The text that replaces the kind's own. */
  text?: MailText | undefined
  /** How the organizer's mails look. It is undefined for mails to their own team. */
  look?: LetterLook | undefined
  /** Whether the event has no place but a link, so that nobody shows a code there. */
  isOnline?: boolean
  /** The button below the text. */
  button?: Button
  parts?: readonly Part[]
  attachments?: readonly Attachment[]
  /** Makes the attachments that take too long for a read. */
  attach?: (() => Promise<readonly Attachment[]>) | undefined
  /**
   * For a mail of which the recipient can stop all further ones: the address at which a POST stops them. With https it is a
   * header too (RFC 8058).
   */
  unsubscribe?: string
  /** Texts that only the recipient may read. They are not kept. */
  secrets?: readonly string[]
}

/** A colour, `#rrggbb`, and a picture at the head of a letter, in place of Turnout's colour and of a name. */
export interface LetterLook {
  colour: string | null
  /** A PNG, shown at half its pixels. */
  logo: { file: Buffer; width: number; height: number } | null
}

/** A subject and a body with placeholders, as an organizer writes them. The body is in Markdown. */
export interface MailText {
  subject: string
  body: string
}

/** The text that an organizer wrote to replace Turnout's. */
export interface OwnText extends MailText {
  kind: KindName
  language: Language
}

export interface Button {
  label: string
  url: string
}

/** A piece of a letter that no text describes, such as a table of the ordered tickets. */
export interface Part {
  html: VNode
  text: string
}

export interface Attachment {
  filename: string
  contentType: string
  content: Buffer
  /** The id of a picture that is inside the letter. */
  cid?: string
}
