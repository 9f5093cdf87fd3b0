import type { ReadTx, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import { DAY, HOUR } from '../time.ts'
import { byUser, type Origin, recordOfUser } from './record.ts'
import { presentSession, presentUser, type Session, type User } from './schemas.ts'
import * as store from './session-store.ts'
import * as users from './store.ts'
import { hashToken, isLive, isToken, newToken } from './token.ts'

/** A session ends this long after its last use, and this long after its beginning whatever its use, in milliseconds. */
export const MAX_IDLE = 12 * HOUR
export const MAX_AGE = 30 * DAY

/** More of one person are of a program that signs in again and again: the oldest end. */
const MOST_OF_USER = 100
const MAX_BROWSER = 300

/** Where a session is used. */
export interface Place {
  /** Null if the face has none. */
  address: string | null
  /** The User-Agent, as it was sent. */
  browser: string | null
}

/**
 * Whose session it is.
 *
 * @param now milliseconds, as is `lastUsedAt`
 * @returns undefined for a token that nobody has, or whose session has ended
 */
export async function authenticate(
  tx: ReadTx,
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

/** Begins a session, always with a token of its own making. Only this answer has it: the database stores its hash. */
export async function open(
  tx: WriteTx,
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

/** The caller calls it at most once a minute. @param now milliseconds */
export async function markUsed(tx: WriteTx, sessionId: string, now: number): Promise<void> {
  await store.markUsed(tx, sessionId, now)
}

/** Those that are open, newest first. @param now milliseconds */
export async function list(tx: ReadTx, userId: string, now: number): Promise<Session[]> {
  return (await store.listByUser(tx, userId)).filter(row => isOpen(row, now)).map(presentSession)
}

/** @throws Problem not_found */
export async function end(tx: WriteTx, userId: string, sessionId: string): Promise<void> {
  if ((await store.remove(tx, userId, sessionId)) === 0) {
    throw new Problem('not_found', { message: 'There is no such session.' })
  }
}

/** The same, by the person. @throws Problem not_found */
export async function endOne(tx: WriteTx, userId: string, sessionId: string, origin: Origin): Promise<void> {
  await end(tx, userId, sessionId)
  await recordOfUser(tx, userId, byUser(userId, origin), 'user.session.end')
}

/** All but the one that goes on, by the person. @returns how many have ended */
export async function endOtherSessions(
  tx: WriteTx,
  userId: string,
  sessionId: string,
  origin: Origin,
): Promise<number> {
  const ended = await endOthers(tx, userId, sessionId)
  if (ended > 0) await recordOfUser(tx, userId, byUser(userId, origin), 'user.session.end_others', { ended })
  return ended
}

/**
 * For what a person writes about themselves: what takes time before it, such as a password, must not outlive the session that
 * asked for it.
 *
 * @throws Problem signed_out
 */
export async function refuseEnded(tx: ReadTx, userId: string, sessionId: string, now: number): Promise<void> {
  const row = (await store.listByUser(tx, userId)).find(({ id }) => id === sessionId)
  if (row === undefined || !isOpen(row, now)) throw new Problem('signed_out')
}

/** @returns how many have ended */
export function endOthers(tx: WriteTx, userId: string, exceptSessionId: string): Promise<number> {
  return store.removeOthers(tx, userId, exceptSessionId)
}

/** @returns how many have ended */
export function endAll(tx: WriteTx, userId: string): Promise<number> {
  return store.removeOthers(tx, userId, '')
}

/** What came in a header, cut to what a list shows. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, MAX_BROWSER)
}
