import { INSTANCE, type InstanceReadTx, type ReadTx } from '#machinery/db/port.ts'
import type { Context } from '#machinery/http/face.ts'
import { type LinkTarget, type Purpose, readLinkSecret } from '#machinery/web/link-secret.ts'
import type { StorefrontServices } from './storefront-services.ts'

/**
 * Reads what the link of a request leads to. The secret, which is the first name of its path, names no account.
 *
 * @returns undefined for a secret that was not made here, and for what is not there
 */
export async function readLinked<View>(
  { db, secret }: Pick<StorefrontServices, 'db' | 'secret'>,
  context: Context,
  purpose: Purpose,
  of: {
    findAccount: (tx: InstanceReadTx, id: string) => Promise<string | undefined>
    read: (tx: ReadTx, target: LinkTarget) => Promise<View | undefined>
  },
): Promise<View | undefined> {
  const target = readLinkSecret(secret, purpose, context.captures[0] ?? '')
  if (target === undefined) return undefined
  return db.read(INSTANCE, async tx => {
    const accountId = await of.findAccount(tx, target.id)
    return accountId === undefined ? undefined : of.read(tx.of(accountId), target)
  })
}
