import type { ReadTx } from '#machinery/db/port.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import type { Content, MailKind, MailText, MailToSend, Server } from './kind.ts'
import { composeLetter, type Letter } from './letter.tsx'
import { findOwn, standardText } from './own-texts.ts'
import type { DetailedRow } from './store.ts'

/** The parts from which all letters are made. */
export interface Letters {
  kinds: readonly MailKind[]
  server: Server
}

/** A letter, with the texts in it that only its recipient may read. */
export interface Composed {
  letter: Letter
  secrets: readonly string[]
}

/**
 * Returns the letter of a mail, made from the current data.
 *
 * @param now milliseconds
 * @returns undefined if there is nothing left to say
 */
export async function compose(
  tx: ReadTx,
  row: DetailedRow,
  { kinds, server }: Letters,
  now: number,
): Promise<Composed | undefined> {
  const kind = kinds.find(({ name }) => name === row.kind)
  const mail: MailToSend = { ...row, details: JSON.parse(row.details) as Record<string, unknown>, now }
  const content = await kind?.read(tx, mail, server)
  if (kind === undefined || content === undefined) return undefined
  const text = content.text ?? (await findText(tx, kind, row, content.isOnline))
  return { letter: composeLetter(content, text, row.language), secrets: content.secrets ?? [] }
}

async function findText(
  tx: ReadTx,
  { name, isOfEvent }: MailKind,
  { event_id, language }: Pick<DetailedRow, 'event_id' | 'language'>,
  isOnline: boolean | undefined,
): Promise<MailText> {
  const own =
    isOfEvent && event_id !== null ? await findOwn(tx, event_id, { kind: name, language }) : undefined
  return own ?? standardText(name, language, isOnline)
}

/**
 * Returns the letter in the form that people other than its recipient may read. Pictures are inside it, because no mail is around
 * it.
 */
export function withoutSecrets({ letter, secrets }: Composed): Letter {
  const { subject, text, html, attachments } = letter
  const shown = attachments.reduce(
    (result, { cid, contentType, content }) =>
      cid === undefined
        ? result
        : result.replaceAll(`cid:${cid}`, `data:${contentType};base64,${content.toString('base64')}`),
    html,
  )
  return {
    ...letter,
    subject: hide(subject, secrets),
    text: hide(text, secrets),
    html: hide(shown, secrets),
  }
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '…'), text)
}

/** Returns what a mail of a kind would say about the newest thing that fits, or about a made-up one if there is none. */
export async function readExample(
  tx: ReadTx,
  kind: Pick<MailKind, 'placeholders' | 'example'>,
  { eventId, language }: { eventId: string; language: Language },
  { from, replyTo }: Pick<Content, 'from' | 'replyTo'>,
): Promise<{ content: Content; isReal: boolean }> {
  const real = await kind.example?.(tx, eventId, language)
  if (real !== undefined) return { content: real, isReal: true }
  const placeholders = textsIn(language).messages.placeholders
  const values = kind.placeholders.map(name => [name, placeholders[name]?.example ?? `{${name}}`])
  return { content: { from, replyTo, values: Object.fromEntries(values) }, isReal: false }
}
