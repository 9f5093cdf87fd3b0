import { Problem } from '#base/problem.ts'
import { INSTANCE, type InstanceWriteTx } from '#machinery/db/port.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import type { Context } from './context.ts'
import type { Services, UserRequest } from './page-request.ts'

/**
 * Asks for the password of the signed-in user, before what a stolen session must not do.
 *
 * @throws Problem wrong_password for `own_password`; rate_limited; unavailable
 */
export async function confirm(
  { signIn }: Services,
  context: Context,
  { user, sessionId }: UserRequest,
  password: string,
): Promise<void> {
  const confirmed = await signIn.confirm({ userId: user.id, sessionId }, password)
  if (confirmed.kind === 'too-many') {
    context.set('Retry-After', String(confirmed.retryAfter))
    throw new Problem('rate_limited')
  }
  if (confirmed.kind === 'refused') throw new Problem('wrong_password', { param: 'own_password' })
}

/**
 * Runs a write of users about themselves, which belongs to no single account.
 *
 * @throws Problem signed_out if the session has ended meanwhile
 */
export function writeOwn<Result>(
  { db }: Services,
  { user, sessionId }: UserRequest,
  work: (tx: InstanceWriteTx) => Promise<Result>,
): Promise<Result> {
  return db.write(INSTANCE, async tx => {
    await sessions.refuseEnded(tx, user.id, sessionId, tx.clock())
    return work(tx)
  })
}
