import type { InstanceReadTx, ReadTx } from '#machinery/db/port.ts'
import { type LegalKind, listLegalPages, textName } from '#product/administration/accounts/legal.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import type { LegalOrganizer, LegalText } from './schemas.ts'
import * as store from './store.ts'

/** Returns the account as everybody may see it. @param slug of the account */
export async function readOrganizer(tx: ReadTx, slug: string): Promise<LegalOrganizer> {
  const details = await accounts.getDetails(tx)
  return {
    ...{ name: details.name, slug, legal: listLegalPages(details), look: await looks.find(tx) },
    origins: details.embed_origins,
  }
}

/**
 * Finds a legal text that the account with this slug has written here.
 *
 * @returns undefined if there is none
 */
export async function findLegalText(
  tx: InstanceReadTx,
  slug: string,
  kind: LegalKind,
): Promise<LegalText | undefined> {
  const account = await store.findAccountBySlug(tx, slug)
  if (account === undefined) return undefined
  const ofAccount = tx.of(account.id)
  const text = (await accounts.getLegalTexts(ofAccount))[textName(kind)]
  return text === null ? undefined : { organizer: await readOrganizer(ofAccount, slug), text }
}

/**
 * Finds a file of a logo of the account with this slug or of one of its events. Whoever knows its hash has seen it.
 *
 * @param kind its own file, or the WebP that pages show in the place of a heavy one
 * @returns undefined if there is none
 */
export async function findLogo(
  tx: InstanceReadTx,
  slug: string,
  { hash, kind }: { hash: string; kind: 'png' | 'webp' },
): Promise<Buffer | undefined> {
  const account = await store.findAccountBySlug(tx, slug)
  if (account === undefined) return undefined
  return (kind === 'png' ? looks.readLogo : looks.readPageLogo)(tx.of(account.id), hash)
}
