import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { type AnyReadTx, INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { findRefunded, type Nodes } from '../postgres-nodes.ts'
import type { Ended } from '../server-process.ts'
import { BACK } from './buyers.ts'
import type { Load } from './load.ts'

/** How long servers may take to be well again, in milliseconds. */
const WELL = 30_000
/** How long before and after a fault it may keep a mail that was sent from being noted, in milliseconds. */
const NEAR = 1_000

/** What the database has of all that the load asked for. */
async function look(tx: AnyReadTx) {
  const texts = async (sql: string) =>
    (await tx.all<{ of: string }>(`SELECT ${sql}`)).map(({ of }) => of).sort()
  const count = async (sql: string) => (await tx.one<{ of: number | null }>(`SELECT ${sql}`))?.of ?? 0
  return {
    imported: await texts("id AS of FROM registrations WHERE source = 'api'"),
    admitted: await texts('attendee_id AS of FROM check_ins'),
    forms: await texts("form_id AS of FROM orders WHERE status = 'confirmed'"),
    pending: await count("count(*) AS of FROM orders WHERE status <> 'confirmed'"),
    sold: await count('sum(sold) AS of FROM registration_types'),
    taken: await count('sum(quantity) AS of FROM registrations'),
    late: await countLate(tx),
    refunds: await texts('processor_id AS of FROM refunds'),
    // A receipt of each payment and a credit note of each refund, numbered from 1.
    receipts: await count("count(*) AS of FROM receipts WHERE kind = 'receipt'"),
    gaps: await count(
      `count(*) AS of FROM (SELECT number, row_number() OVER (PARTITION BY kind ORDER BY number) AS place FROM receipts) n
       WHERE number <> place`,
    ),
    sentMails: await count("count(*) AS of FROM emails WHERE status = 'sent'"),
    held: await count('held_at AS of FROM instance'),
    latest: await count('latest_write_at AS of FROM instance'),
  }
}

/** Returns how many registrations are older than one with a lower number. */
async function countLate(tx: AnyReadTx): Promise<number> {
  const row = await tx.one<{ late: number }>(
    `SELECT count(*) AS late FROM registrations r JOIN registrations n ON n.account_id = r.account_id AND n.number = r.number + 1
     WHERE n.created_at < r.created_at`,
  )
  return row?.late ?? 0
}

/** Waits until every server of the pair says that it is well. */
export async function waitUntilWell({ servers }: Pick<Nodes, 'servers'>): Promise<void> {
  const until = performance.now() + WELL
  for (const { url, ended } of servers) {
    let end: Ended | undefined
    void ended.then(how => {
      end = how
    })
    for (;;) {
      const answer = await fetch(url.replace(/v1$/, 'healthz')).catch(() => undefined)
      await answer?.body?.cancel()
      if (answer?.status === 200) break
      assert.equal(end, undefined, 'a server has ended')
      assert.ok(performance.now() < until, `a server is not well again: ${answer?.status}`)
      await pause(200)
    }
  }
}

/** From when to when a fault lasted, by the machine's clock. */
export type Span = readonly [from: number, to: number]

/**
 * Stops a load. Nothing that any load was answered is lost, nothing is there twice, and nothing else is there.
 *
 * @param spans in which mails may have been under way that go out again after ten minutes
 */
export async function assertWhole(nodes: Nodes, load: Load, spans: readonly Span[] = []): Promise<void> {
  await waitUntilWell(nodes)
  await load.stop()
  const all = <T>(list: (load: Load) => Iterable<T>) => nodes.loads.flatMap(each => [...list(each)])
  const found = await nodes.db.read(INSTANCE, look)
  const answers = all(({ answers }) => answers.values())
  assert.ok(load.answers.size > 50, `only ${load.answers.size} were answered`)
  assert.deepEqual(found.imported, answers.map(({ text }) => (JSON.parse(text) as { id: string }).id).sort())
  assert.deepEqual(found.admitted, all(({ admitted }) => admitted).sort())
  const orders = all(({ orders }) => orders)
  assert.deepEqual(found.forms, orders.map(([form]) => form).sort())
  assert.equal(new Set(orders.map(([, page]) => page)).size, orders.length)
  assert.deepEqual(
    [found.sold, found.pending, found.late, found.gaps, found.held],
    [found.taken, 0, 0, 0, 0],
    'places sold, orders that were not confirmed, late rows, gaps of receipts, a hold',
  )
  assert.ok(Math.abs(found.latest - Date.now()) < 60_000, 'writes are not dated by the clock')
  assert.equal(found.receipts, orders.length)
  if (nodes.stripe !== undefined) await assertMoney(nodes, found, spans)
  assert.deepEqual(await findDamage(nodes.db), [])
}

/** Each refund was made once, and each mail arrived once. */
async function assertMoney(
  nodes: Nodes,
  { refunds, sentMails }: { refunds: string[]; sentMails: number },
  spans: readonly Span[],
): Promise<void> {
  const refunded = nodes.loads.reduce((sum, load) => sum + load.refunded, 0)
  const there = (await findRefunded(nodes)).refunds
  assert.deepEqual(there.map(({ id }) => id).sort(), refunds)
  assert.deepEqual(
    [there.length, there.reduce((sum, { amount }) => sum + amount, 0)],
    [refunded, refunded * BACK],
  )
  const arrived = new Map<string | undefined, number>()
  for (const { parsed, at } of nodes.mails) {
    const first = arrived.get(parsed.messageId)
    const isTwice =
      first !== undefined && !spans.some(([from, to]) => from - NEAR < first && first < to + NEAR)
    assert.ok(!isTwice, `the mail ${parsed.messageId} arrived twice`)
    arrived.set(parsed.messageId, first ?? at)
  }
  assert.ok(arrived.size >= sentMails, 'a mail that was sent has not arrived')
}
