import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { placeholdersIn } from '#machinery/web/components/markdown.tsx'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import type { KindName, MailKind, MailText, OwnText } from './kind.ts'
import * as store from './text-store.ts'

/** Returns the text that the organizer of an event wrote to replace Turnout's text of a mail. */
export function findOwn(
  tx: ReadTx,
  eventId: string,
  of: Pick<OwnText, 'kind' | 'language'>,
): Promise<MailText | undefined> {
  return store.find(tx, eventId, of)
}

/** Returns Turnout's text of a mail. @param isOnline whether its event has no place but a link */
export function standardText(kind: KindName, language: Language, isOnline = false): MailText {
  const { mails, onlineMails } = textsIn(language)
  const online: Partial<Record<KindName, string>> = onlineMails
  const body = isOnline ? online[kind] : undefined
  return body === undefined ? mails[kind] : { subject: mails[kind].subject, body }
}

/** Lists the kinds and languages for which an event has a text of its own. */
export function listOwn(tx: ReadTx, eventId: string): Promise<OwnText[]> {
  return store.list(tx, eventId)
}

/**
 * Replaces Turnout's text.
 *
 * @throws Problem invalid_parameter with `details.reason` unknown_placeholder and `details.names`, for subject or body
 */
export async function setOwn(
  tx: WriteTx,
  eventId: string,
  kind: Pick<MailKind, 'name' | 'placeholders'>,
  { language, ...text }: MailText & { language: Language },
): Promise<void> {
  checkPlaceholders(text, kind.placeholders)
  const own = { kind: kind.name, language, ...text }
  await store.put(tx, eventId, own, await tx.now())
}

/** Gives an event that has no texts of its own those of another one. */
export async function copyOwn(tx: WriteTx, fromId: string, toId: string): Promise<void> {
  await store.copy(tx, fromId, toId, await tx.now())
}

/** Returns to Turnout's text. */
export async function removeOwn(
  tx: WriteTx,
  eventId: string,
  of: { kind: KindName; language: Language },
): Promise<void> {
  await store.remove(tx, eventId, of)
}

/** Checks the placeholders. @throws Problem invalid_parameter with `details.reason` unknown_placeholder and `details.names` */
export function checkPlaceholders(text: MailText, allowed: readonly string[]): void {
  for (const param of ['subject', 'body'] as const) {
    const names = placeholdersIn(text[param]).filter(name => !allowed.includes(name))
    if (names.length === 0) continue
    throw new Problem('invalid_parameter', {
      param,
      message: `There is no ${names.map(name => `{${name}}`).join(', ')} to fill in.`,
      details: { reason: 'unknown_placeholder', names },
    })
  }
}
