import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '#base/time.ts'
import type { OpenedDatabase } from '#machinery/db/engine.ts'

/**
 * How long a server that stops goes on answering where there are others, in milliseconds. A balancer that asks for its health each
 * second sends it nothing by then.
 */
const ASIDE = 3 * SECOND
/**
 * How long connections that are kept then wait for a last request, in milliseconds. A balancer may send one while they close, and
 * what a server may have got it sends to no other.
 */
export const LINGER = SECOND
/** How long a server that stops waits for a database that does not say whether there are others, in milliseconds. */
const PATIENCE = SECOND

/**
 * Goes on answering for a while. The health check already says no, so that a balancer sends other servers what comes next: some lose
 * a POST that finds its server gone. Where there are no others, this ends at once.
 *
 * @param wait for tests: waits as long as that takes
 * @returns whether there are others
 */
export async function stepAside(
  { hasOthers }: OpenedDatabase,
  wait: () => Promise<void> = () => pause(ASIDE),
): Promise<boolean> {
  if (hasOthers === undefined) return false
  const tooLate = pause(PATIENCE, false, { ref: false })
  // Without its database this server is of no use to anybody, so it stops at once.
  if (!(await Promise.race([hasOthers().catch(() => false), tooLate]))) return false
  await wait()
  return true
}
