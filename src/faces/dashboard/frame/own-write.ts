import { INSTANCE, type WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import * as sessions from '../users/sessions.ts'
import type { OfUser, Services } from './asked.ts'
import type { Context } from './context.ts'

/**
 * Asks for the password of whoever is signed in, before what a stolen session must not do.
 *
 * @throws Problem wrong_password for `own_password`; rate_limited; unavailable
 */
export async function confirm(
  { signIn }: Services,
  context: Context,
  { user, address }: OfUser,
  password: string,
): Promise<void> {
  const confirmed = await signIn.confirm(user.id, password, address)
  if (confirmed.kind === 'too-many') {
    context.set('Retry-After', String(confirmed.retryAfter))
    throw new Problem('rate_limited')
  }
  if (confirmed.kind === 'refused') throw new Problem('wrong_password', { param: 'own_password' })
}

/**
 * A write of a person about themselves, which belongs to no single account.
 *
 * @throws Problem signed_out where the session has ended meanwhile
 */
export function writeOwn<Result>(
  { db }: Services,
  { user, sessionId }: OfUser,
  work: (tx: WriteTx) => Promise<Result>,
): Promise<Result> {
  return db.write(INSTANCE, async tx => {
    await sessions.refuseEnded(tx, user.id, sessionId, tx.clock())
    return work(tx)
  })
}
