import type { InstanceReadTx, InstanceWriteTx } from '#machinery/db/port.ts'
import * as links from './link-store.ts'
import { byUser, type Origin, recordOfUser } from './record.ts'
import { refusal } from './refusal.ts'
import * as sessions from './sessions.ts'
import * as store from './store.ts'
import { findTotpStep, hashRecoveryCode, isTotpSecret, newRecoveryCodes } from './totp.ts'

/**
 * Stores a new password, chosen by a person who has just given the old one (`SignIn.confirm`). The other sessions end, and the
 * links that could still choose a password or sign in are void.
 *
 * @param input.passwordHash of `hashPassword`
 * @param input.sessionId the one session that goes on
 */
export async function changePassword(
  tx: InstanceWriteTx,
  userId: string,
  { passwordHash, sessionId }: { passwordHash: string; sessionId: string },
  origin: Origin,
): Promise<void> {
  await replacePassword(tx, userId, passwordHash, sessionId)
  await recordOfUser(tx, userId, byUser(userId, origin), 'user.password')
}

/** @param exceptSessionId the session that goes on, or '' to end all */
export async function replacePassword(
  tx: InstanceWriteTx,
  userId: string,
  passwordHash: string,
  exceptSessionId: string,
): Promise<void> {
  await store.setPassword(tx, userId, passwordHash, await tx.now())
  await sessions.endOthers(tx, userId, exceptSessionId)
  await links.removeOfUser(tx, userId, tx.clock())
}

/**
 * Turns the second factor on, so that each sign-in asks for a code from now on.
 *
 * @param secret of `newTotpSecret`
 * @param code from the authenticator, as proof that it has the secret. The same code is not accepted again
 * @returns recovery codes, which only this answer has
 * @throws Problem invalid_parameter with `details.reason` wrong_code or second_factor_exists
 */
export async function enableSecondFactor(
  tx: InstanceWriteTx,
  userId: string,
  secret: string,
  code: string,
  origin: Origin,
): Promise<string[]> {
  const step = isTotpSecret(secret) ? findTotpStep(secret, code, tx.clock()) : undefined
  if (step === undefined) throw refusal('wrong_code', 'code')
  if ((await store.enableTotp(tx, userId, secret, step, await tx.now())) === 0) {
    throw refusal('second_factor_exists')
  }
  await recordOfUser(tx, userId, byUser(userId, origin), 'user.second_factor.enable')
  return replaceRecoveryCodes(tx, userId)
}

/**
 * Turns the second factor off. The caller has just checked the password.
 *
 * @throws Problem invalid_parameter with `details.reason` no_second_factor
 */
export async function disableSecondFactor(
  tx: InstanceWriteTx,
  userId: string,
  origin: Origin,
): Promise<void> {
  if ((await store.disableTotp(tx, userId, await tx.now())) === 0) throw refusal('no_second_factor')
  await store.deleteRecoveryCodes(tx, userId)
  await recordOfUser(tx, userId, byUser(userId, origin), 'user.second_factor.disable')
}

/**
 * Replaces the recovery codes with new ones.
 *
 * @returns the codes, which only this answer has
 * @throws Problem invalid_parameter with `details.reason` no_second_factor
 */
export async function renewRecoveryCodes(
  tx: InstanceWriteTx,
  userId: string,
  origin: Origin,
): Promise<string[]> {
  const user = await store.find(tx, userId)
  if (user === undefined || user.totp_secret === null) throw refusal('no_second_factor')
  await recordOfUser(tx, userId, byUser(userId, origin), 'user.recovery_codes')
  return replaceRecoveryCodes(tx, userId)
}

/** Returns how many recovery codes are left. */
export function countRecoveryCodes(tx: InstanceReadTx, userId: string): Promise<number> {
  return store.countRecoveryCodes(tx, userId)
}

async function replaceRecoveryCodes(tx: InstanceWriteTx, userId: string): Promise<string[]> {
  await store.deleteRecoveryCodes(tx, userId)
  const codes = newRecoveryCodes()
  const now = await tx.now()
  for (const code of codes) await store.insertRecoveryCode(tx, userId, hashRecoveryCode(code), now)
  return codes
}
