import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { DAY, HOUR } from '#base/time.ts'
import type { AnyWriteTx, InstanceReadTx, InstanceWriteTx } from '#machinery/db/port.ts'
import { byUser, type Origin, recordOfUser } from './record.ts'
import { presentSession, presentUser, type Session, type User } from './schemas.ts'
import * as store from './session-store.ts'
import * as users from './store.ts'
import { hashToken, isLive, isToken, newToken } from './token.ts'

/**
 * A session ends this long after its last use, and this long after its start however often it is used. Both are in milliseconds.
 */
export const MAX_IDLE = 12 * HOUR
export const MAX_AGE = 30 * DAY

/** The most sessions of one person. More than this come from a program that signs in again and again, and then the oldest end. */
const MOST_OF_USER = 100
const MAX_BROWSER = 300

/** Where a session is used. */
export interface Place {
  /** It is null if the face has none. */
  address: string | null
  /** The User-Agent, as it was sent. */
  browser: string | null
}

/**
 * Finds the user of a session.
 *
 * @param now in milliseconds, as is `lastUsedAt`
 * @returns undefined for an unknown token, or if its session has ended
 */
export async function authenticate(
  tx: InstanceReadTx,
  token: string,
  now: number,
): Promise<{ user: User; sessionId: string; lastUsedAt: number } | undefined> {
  const row = isToken(token) ? await store.findByHash(tx, hashToken(token)) : undefined
  if (row === undefined || !isOpen(row, now)) return undefined
  const user = await users.find(tx, row.user_id)
  return user && { user: presentUser(user), sessionId: row.id, lastUsedAt: row.last_used_at }
}

function isOpen(row: store.SessionRow, now: number): boolean {
  return isLive(row.last_used_at + MAX_IDLE, now, MAX_IDLE) && isLive(row.expires_at, now, MAX_AGE)
}

/** Begins a session, always with a new token. Only this answer has the token, because the database stores its hash. */
export async function open(
  tx: InstanceWriteTx,
  userId: string,
  { address, browser }: Place,
): Promise<{ token: string; expiresAt: number }> {
  const tooMany = (await store.listByUser(tx, userId)).slice(MOST_OF_USER - 1)
  for (const { id } of tooMany) await store.remove(tx, userId, id)
  const token = newToken()
  const expiresAt = tx.clock() + MAX_AGE
  await store.insert(tx, {
    token_hash: hashToken(token),
    id: newUuid(),
    user_id: userId,
    address,
    browser: browser === null ? null : printable(browser),
    last_used_at: tx.clock(),
    expires_at: expiresAt,
    created_at: await tx.now(),
  })
  return { token, expiresAt }
}

/** Records the last use of a session. The caller calls it at most once a minute. @param now in milliseconds */
export async function markUsed(tx: InstanceWriteTx, sessionId: string, now: number): Promise<void> {
  await store.markUsed(tx, sessionId, now)
}

/** Lists the open sessions of a user, newest first. @param now in milliseconds */
export async function list(tx: InstanceReadTx, userId: string, now: number): Promise<Session[]> {
  return (await store.listByUser(tx, userId)).filter(row => isOpen(row, now)).map(presentSession)
}

/** @throws Problem not_found */
export async function end(tx: InstanceWriteTx, userId: string, sessionId: string): Promise<void> {
  if ((await store.remove(tx, userId, sessionId)) === 0) {
    throw new Problem('not_found', { message: 'There is no such session.' })
  }
}

/** Does the same when the person asks for it. @throws Problem not_found */
export async function endOne(
  tx: InstanceWriteTx,
  userId: string,
  sessionId: string,
  origin: Origin,
): Promise<void> {
  await end(tx, userId, sessionId)
  await recordOfUser(tx, userId, byUser(userId, origin), 'user.session.end')
}

/** Ends all sessions of the person but this one, when the person asks for it. @returns how many have ended */
export async function endOtherSessions(
  tx: InstanceWriteTx,
  userId: string,
  sessionId: string,
  origin: Origin,
): Promise<number> {
  const ended = await endOthers(tx, userId, sessionId)
  if (ended > 0) await recordOfUser(tx, userId, byUser(userId, origin), 'user.session.end_others', { ended })
  return ended
}

/**
 * Refuses what a person writes about themselves after the session has ended. Steps that take time, such as hashing a password,
 * must not outlive the session that asked for them.
 *
 * @throws Problem signed_out
 */
export async function refuseEnded(
  tx: InstanceReadTx,
  userId: string,
  sessionId: string,
  now: number,
): Promise<void> {
  const row = (await store.listByUser(tx, userId)).find(({ id }) => id === sessionId)
  if (row === undefined || !isOpen(row, now)) throw new Problem('signed_out')
}

/** @returns how many have ended */
export function endOthers(tx: AnyWriteTx, userId: string, exceptSessionId: string): Promise<number> {
  return store.removeOthers(tx, userId, exceptSessionId)
}

/** @returns how many have ended */
export function endAll(tx: AnyWriteTx, userId: string): Promise<number> {
  return store.removeOthers(tx, userId, '')
}

/** Cuts a header to the part that a list shows. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, MAX_BROWSER)
}
