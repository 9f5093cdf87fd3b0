import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { findRefunded, type Nodes } from '../postgres-nodes.ts'
import type { StripeProcess } from '../stripe/process.ts'
import type { Load } from './load.ts'

/** How long an answer about a refund stays away, in milliseconds. Its server is gone by then. */
const LATE = 5_000

/** Waits until Stripe has made a refund whose answer is on its way. @returns the server that waits for it, which leads */
export async function awaitRefundUnderWay(nodes: Nodes): Promise<0 | 1> {
  const { remote } = nodes.stripe as StripeProcess
  const before = (await findRefunded(nodes)).refunds.length
  await remote.fault({ kind: 'slow', method: 'POST', path: '/v1/refunds', ms: LATE })
  while ((await findRefunded(nodes)).refunds.length === before) await pause(20)
  return findLeader(nodes)
}

/** Waits until a server leads. */
export async function findLeader(nodes: Nodes): Promise<0 | 1> {
  for (;;) {
    const leader = nodes.findLeader()
    if (leader !== undefined) return leader
    await pause(50)
  }
}

/**
 * No refund was asked for by two servers, but those under way when a fault came, and those by the same key.
 *
 * @param underWay how many these may be
 */
export async function assertAskedOnce(nodes: Nodes, load: Load, underWay: number): Promise<void> {
  const { refunds, requests } = await findRefunded(nodes)
  assert.ok(load.refunded > 3, `only ${load.refunded} got money back`)
  // The one under way at Stripe is asked for until it answers: meanwhile it refuses others by that key.
  const asked = new Map<string | null, number>()
  for (const { idempotencyKey: key } of requests) asked.set(key, (asked.get(key) ?? 0) + 1)
  assert.equal(asked.size, refunds.length)
  const again = [...asked.values()].filter(times => times > 1).length
  assert.ok(again <= underWay, `${again} were asked for again`)
}
