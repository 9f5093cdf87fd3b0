import { toIso } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { PATIENCE } from './delivery/endpoint-watch.ts'
import * as endpointStore from './endpoint-store.ts'
import * as store from './store.ts'

/** The count of failed deliveries stops here, over all endpoints. */
export const MOST_FAILED = 1000

/** An endpoint that somebody should look at. */
export interface EndpointNeed {
  id: string
  url: string
  /** When the first attempt failed since the last success, if that was an hour ago or more. Otherwise it is null. */
  failing_since: string | null
  /** The deliveries that were given up, at most `MOST_FAILED`. */
  failed: number
}

/** Lists the enabled endpoints of an account that fail or have missed deliveries. @param now in milliseconds of the clock */
export async function listNeeds(tx: ReadTx, now: number): Promise<EndpointNeed[]> {
  const needs: EndpointNeed[] = []
  let left = MOST_FAILED
  for (const { id, url, failing_since: since } of await endpointStore.listStanding(tx)) {
    const failed = left === 0 ? 0 : await store.countFailed(tx, id, left)
    left -= failed
    const failing_since = since !== null && since <= now - PATIENCE ? toIso(since) : null
    if (failed > 0 || failing_since !== null) needs.push({ id, url, failing_since, failed })
  }
  return needs
}
