import { SECOND } from '#base/time.ts'
import { SESSION_COOKIE } from '#machinery/web/cookies.ts'
import type { Context } from './context.ts'
import type { Services } from './page-request.ts'

export { SESSION_COOKIE }

/** Sets the cookie of an open session. */
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
