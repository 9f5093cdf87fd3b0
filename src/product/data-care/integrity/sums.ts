import type { Reader } from '#machinery/db/batches.ts'
import { abstractRules } from './abstract-store.ts'
import { findBadAbstracts } from './abstracts.ts'
import { entryRules } from './entry-store.ts'
import { fileRules } from './file-store.ts'
import { findBadFiles } from './files.ts'
import { moneyRules } from './money-store.ts'
import { orderRules } from './order-store.ts'
import { paymentRules } from './payment-store.ts'
import { payoutRules } from './payout-store.ts'
import { programmeRules } from './programme-store.ts'
import { findBadVersions } from './programmes.ts'
import { receiptRules } from './receipt-store.ts'
import { findBadReceipts } from './receipts.ts'
import { refundRules } from './refund-store.ts'
import { findBadRefunds } from './refunds.ts'
import { seriesRules } from './series-store.ts'
import { statementRules } from './statement-store.ts'
import { findBadLines } from './statements.ts'
import * as store from './store.ts'

/** At most this many findings of one rule are reported. */
export const MAX_FINDINGS = 100
const MORE = 'there may be more of this kind'

const allRules = [
  ...store.rules,
  ...orderRules,
  ...moneyRules,
  ...paymentRules,
  ...refundRules,
  ...receiptRules,
  ...payoutRules,
  ...statementRules,
  ...fileRules,
  ...abstractRules,
  ...programmeRules,
  ...entryRules,
  ...seriesRules,
]

/**
 * Finds rows that do not go with each other, of which most are sums of money, sold tickets and what is counted of them. Their
 * values must have their forms.
 *
 * @returns a sentence for each fault
 */
export async function findWrongSums(reader: Reader): Promise<string[]> {
  const found: string[] = []
  for (const rule of allRules) {
    const sentences = await store.applyRule(reader, rule, MAX_FINDINGS)
    found.push(...sentences)
    if (sentences.length === MAX_FINDINGS) found.push(MORE)
  }
  for (const look of [
    findBadReceipts,
    findBadRefunds,
    findBadLines,
    findBadFiles,
    findBadAbstracts,
    findBadVersions,
  ])
    found.push(...(await collect(look(reader))))
  return found
}

/** Collects the findings of one look, up to the most that are reported. */
export async function collect(sentences: AsyncGenerator<string>): Promise<string[]> {
  const found: string[] = []
  for await (const sentence of sentences) {
    found.push(sentence)
    if (found.length < MAX_FINDINGS) continue
    found.push(MORE)
    break
  }
  return found
}
