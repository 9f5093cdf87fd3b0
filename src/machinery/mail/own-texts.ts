import type { ReadTx, WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { placeholdersIn } from '../web/components/markdown.tsx'
import type { Language } from '../web/texts/languages.ts'
import type { KindName, MailKind, MailText, OwnText } from './kind.ts'
import * as store from './text-store.ts'

/** What the organizer of an event wrote in the place of our text of a mail. */
export function findOwn(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  of: Pick<OwnText, 'kind' | 'language'>,
): Promise<MailText | undefined> {
  return store.find(tx, accountId, eventId, of)
}

/** The kinds and languages that an event has a text of its own for. */
export function listOwn(tx: ReadTx, accountId: string, eventId: string): Promise<OwnText[]> {
  return store.list(tx, accountId, eventId)
}

/**
 * Puts a text in the place of ours.
 *
 * @throws Problem invalid_parameter with `details.reason` unknown_placeholder and `details.names`, for subject or body
 */
export async function setOwn(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  kind: Pick<MailKind, 'name' | 'placeholders'>,
  { language, ...text }: MailText & { language: Language },
): Promise<void> {
  checkPlaceholders(text, kind.placeholders)
  const own = { kind: kind.name, language, ...text }
  await store.put(tx, accountId, eventId, own, await tx.now())
}

/** Takes ours again. */
export async function removeOwn(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  of: { kind: KindName; language: Language },
): Promise<void> {
  await store.remove(tx, accountId, eventId, of)
}

/** @throws Problem invalid_parameter with `details.reason` unknown_placeholder and `details.names` */
export function checkPlaceholders(text: MailText, known: readonly string[]): void {
  for (const param of ['subject', 'body'] as const) {
    const names = placeholdersIn(text[param]).filter(name => !known.includes(name))
    if (names.length === 0) continue
    throw new Problem('invalid_parameter', {
      param,
      message: `There is no ${names.map(name => `{${name}}`).join(', ')} to fill in.`,
      details: { reason: 'unknown_placeholder', names },
    })
  }
}
