import { SECOND } from '../time.ts'
import { SESSION_COOKIE } from '../web/cookies.ts'
import type { Services } from './asked.ts'
import type { Context } from './context.ts'

export { SESSION_COOKIE }

/** Gives the browser a session that was opened. */
export function startSession(
  { cookies, clock }: Services,
  context: Context,
  { token, expiresAt }: { token: string; expiresAt: number },
): void {
  cookies.set(context, SESSION_COOKIE, token, Math.floor((expiresAt - clock()) / SECOND))
}

export function endSession({ cookies }: Services, context: Context): void {
  cookies.clear(context, SESSION_COOKIE)
}
