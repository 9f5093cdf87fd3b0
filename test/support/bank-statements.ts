import type { TestContext } from 'node:test'
import { printCreditorReference } from '#base/creditor-reference.ts'
import { type Mapping, noMapping } from '#machinery/bank-files/mapping.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import { sourceOf } from '#machinery/tables/lines.ts'
import { runRecorded } from '#product/administration/access-log/recorded-write.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { matchLines } from '#product/selling/bank-statements/matching.ts'
import * as lines from '#product/selling/bank-statements/rules.ts'
import * as uploads from '#product/selling/bank-statements/uploads.ts'
import type { Payment } from '#product/selling/payments/schemas.ts'
import { openShop, type ShopOptions } from './payments.ts'

export const BANK = { holder: 'Elm Hall', account: 'DE89 3704 0044 0532 0130 00', code: null, note: null }

/** The mapping names the columns of `csvOf`. */
export const mapping: Mapping = {
  ...noMapping,
  ...{ date: 'Date', amount: 'Amount', counterparty: ['Name'], text: ['Text'], bank_id: 'Number' },
}

/** A booking as a file has it; of a day in 2026. */
export interface Booked {
  /** The month and the day, as `12-01`. */
  day?: string
  /** The amount as it is written, such as `50.00`. */
  amount: string
  name?: string
  text?: string
  number?: string
  currency?: string
}

export function csvOf(booked: readonly Booked[]): Uint8Array {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const rows = booked.map(({ day = '12-01', amount, name = 'Lin', text = '', number = '', currency }) =>
    [`2026-${day}`, amount + (currency ? ` ${currency}` : ''), name, text, number].map(quoted).join(','),
  )
  return Buffer.from(`Date,Amount,Name,Text,Number\n${rows.join('\n')}\n`)
}

/** Does a batch of the job that matches a file, as a server does. @returns whether it has ended */
export function matchBatch(db: Database, accountId: string, id: string): Promise<boolean> {
  return db.write(accountId, async tx => {
    const claimed = await jobs.claim(tx, id, null)
    if (claimed === undefined) return true
    const actor = { accountId, who: claimed.by, requestId: null, address: null }
    const step = await matchLines.run(tx, claimed.job, actor)
    await jobs.advance(tx, claimed.job, step)
    await jobs.release(tx, id, claimed.job.lease)
    return step.finished
  })
}

/** Opens a shop that takes transfers, and works with statements by rules. */
export async function openBanked(t: TestContext, options: ShopOptions = {}) {
  const shop = await openShop(t, {
    ...options,
    changes: { payment_ways: 'set_up_and_door', ...options.changes },
  })
  const { db, accountId, clock, paymentsOf, get } = shop
  await db.write(accountId, tx =>
    tx.run(
      `INSERT INTO payment_connections (account_id, method, bank, created_at, updated_at)
       VALUES ($1, 'transfer', $2, $3, $3)`,
      [accountId, JSON.stringify(BANK), clock()],
    ),
  )
  const actor = { accountId, who: 'cli', requestId: null, address: null }
  const openOf = async (id: string) => (await paymentsOf(id)).at(-1) as Payment
  /** Orders by transfer. @returns the order's id, its payment and the text that its transfer has */
  const orderByTransfer = async (wanted: Record<string, number>) => {
    const { id } = await shop.order(wanted, { method: 'transfer' })
    const payment = await openOf(id)
    return { id, payment, text: `ticket ${printCreditorReference(payment.reference as string)} thanks` }
  }
  const send = (booked: readonly Booked[] | Uint8Array, name = 'bank.csv') =>
    uploads.upload(db, actor, sourceOf(booked instanceof Uint8Array ? booked : csvOf(booked)), name)
  /** Uploads, chooses the columns if that is needed, and reads the lines. */
  const read = async (booked: readonly Booked[] | Uint8Array, chosen: Mapping = mapping) => {
    const { job, isReady } = await send(booked)
    return isReady
      ? db.read(accountId, tx => uploads.get(tx, job.id))
      : uploads.choose(db, actor, job.id, chosen)
  }
  const start = (id: string) => db.write(accountId, tx => uploads.start(tx, id, 'cli'))
  const finish = async (id: string) => {
    while (!(await matchBatch(db, accountId, id)));
    return (await db.read(accountId, tx => jobs.get(tx, id))).outcome
  }
  /** Brings the statement in from the upload to the end of its job. @returns what the lines came to */
  const bring = async (booked: readonly Booked[] | Uint8Array, chosen?: Mapping) => {
    const { job } = await read(booked, chosen)
    await start(job.id)
    return finish(job.id)
  }
  const linesOf = async (state: 'matched' | 'unmatched' | 'ignored') =>
    [...(await db.read(accountId, tx => lines.listLines(tx, state, { limit: 100 })))].map(
      ({ resource }) => resource,
    )
  const reasonsOf = async () => (await linesOf('unmatched')).map(({ reason }) => reason).sort()
  const stateOf = async (id: string) => {
    const { status, failed_for, waits_for } = await get(id)
    return failed_for ?? waits_for ?? status
  }
  const moved = async (id: string) =>
    (await shop.ledgerOf(id))
      .filter(({ kind }) => kind !== 'fee')
      .map(({ kind, amount }) => `${kind} ${amount}`)
      .sort()
  const owed = async (id: string) =>
    (await shop.refundsOf(id)).map(({ reason, amount, status }) => `${reason} ${amount} ${status}`)
  /** Does and records what a member does with a line. */
  const byHand = async <Result>(work: (tx: WriteTx) => Promise<Result>) => {
    const outcome = await db.write(accountId, tx =>
      runRecorded(tx, actor, work, { action: 'statement_line.match', targetType: 'statement_line' }),
    )
    if (outcome.problem !== undefined) throw outcome.problem
    return outcome.result
  }
  return {
    ...shop,
    ...{ actor, openOf, orderByTransfer, send, read, start, finish, bring, linesOf, reasonsOf },
    ...{ stateOf, moved, owed, byHand },
  }
}
