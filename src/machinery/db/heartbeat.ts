import { type Clock, MINUTE, SECOND, toIso } from '#base/time.ts'
import type { Reader } from './batches.ts'
import { type AnyReadTx, type AnyWriteTx, INSTANCE } from './port.ts'

/**
 * How often a running server writes its clock to the database, in milliseconds. It is rare enough for the memory card of an idle
 * machine.
 */
export const BEAT = MINUTE
/** How far the clock of a command may differ from that of the server beside it, in milliseconds. */
const TOLERANCE = 5 * MINUTE
/** How long a command waits for the heartbeat of a server that has just woken up or whose clock was just set, in milliseconds. */
const PATIENCE = 2 * SECOND
const RETRY = 100

/** Writes the clock of the running server, for the commands beside it. */
export function beat(tx: AnyWriteTx): Promise<number> {
  return tx.run('UPDATE instance SET heartbeat_at = $1', [tx.clock()])
}

/** A database, with a check whether a server runs on it. */
export interface Served {
  name: string
  isServed: () => Promise<boolean>
}

/**
 * Compares the clock of a command with that of the server that runs on the database. A heartbeat may be a minute old, so a clock
 * that is ahead by 4 to 5 minutes also counts as too far off. Without a server there is nothing to compare with.
 *
 * @returns the sentence that refuses the command, or undefined if there is no reason to refuse it
 */
export async function findStrayClock(
  served: Served,
  reader: Reader,
  clock: Clock,
): Promise<string | undefined> {
  const deadline = performance.now() + PATIENCE
  for (;;) {
    const heartbeat = await reader.read(INSTANCE, readHeartbeat)
    const now = clock()
    if (heartbeat === null || Math.abs(now - heartbeat) <= TOLERANCE) return undefined
    if (!(await served.isServed())) return undefined
    if (performance.now() > deadline) {
      return `The clock says ${toIso(now)} here, and ${toIso(heartbeat)} where the server of ${served.name} runs: more than 5 minutes apart. Set it right, then try again.`
    }
    await new Promise(resolve => setTimeout(resolve, RETRY))
  }
}

async function readHeartbeat(tx: AnyReadTx): Promise<number | null> {
  const row = await tx.one<{ heartbeat_at: number | null }>('SELECT heartbeat_at FROM instance')
  return row?.heartbeat_at ?? null
}
