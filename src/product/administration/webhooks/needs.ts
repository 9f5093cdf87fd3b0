import type { ReadTx } from '../db/port.ts'
import { toIso } from '../time.ts'
import { PATIENCE } from './delivery/endpoint-watch.ts'
import * as endpointStore from './endpoint-store.ts'
import * as store from './store.ts'

/** Failed deliveries are counted no further, over all endpoints. */
export const MOST_FAILED = 1000

/** An endpoint that somebody should look at. */
export interface EndpointNeed {
  id: string
  url: string
  /** The first attempt that failed since one succeeded, where that was an hour ago or more; null where it answers. */
  failing_since: string | null
  /** Deliveries that were given up, `MOST_FAILED` at most. */
  failed: number
}

/** The enabled endpoints of an account that fail, or that have missed something. @param now milliseconds of the clock */
export async function listNeeds(tx: ReadTx, accountId: string, now: number): Promise<EndpointNeed[]> {
  const needs: EndpointNeed[] = []
  let left = MOST_FAILED
  for (const { id, url, failing_since: since } of await endpointStore.listStanding(tx, accountId)) {
    const failed = left === 0 ? 0 : await store.countFailed(tx, accountId, id, left)
    left -= failed
    const failing_since = since !== null && since <= now - PATIENCE ? toIso(since) : null
    if (failed > 0 || failing_since !== null) needs.push({ id, url, failing_since, failed })
  }
  return needs
}
