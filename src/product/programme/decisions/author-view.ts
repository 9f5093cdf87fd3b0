import { createHash } from 'node:crypto'
import { toIsoOrNull } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { leftOf } from '#product/catalog/codes/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { type After, getAfter } from '#product/programme/abstracts/after.ts'
import { isDecided, type SubmittedAbstract } from '#product/programme/abstracts/submitted.ts'
import { findTerms } from '#product/programme/abstracts/terms.ts'
import { listOfAbstract } from '#product/programme/reviews/reviews.ts'
import { daysOf } from './availability.ts'
import { findCode } from './registration-codes.ts'

/** What the authors of an abstract see and do once it is decided, and what chairs see of that. */
export interface AfterDecision extends Pick<SubmittedAbstract, 'confirmed_at'>, Pick<After, 'unavailable'> {
  /** Until when the authors are asked to confirm that they come. It is null if they are not asked. */
  confirm_by: string | null
  /** The days of the event. */
  days: readonly string[]
  /** The code to register with, if it still works or was used. */
  code: { code: string; isUsed: boolean } | undefined
  /** What reviewers wrote to the authors, without whose it is. */
  comments: readonly string[]
}

/** @returns undefined for one that is withdrawn */
export async function readAfter(tx: ReadTx, abstract: SubmittedAbstract): Promise<AfterDecision | undefined> {
  const { id, event_id, status, withdrawn_at, confirmed_at } = abstract
  if (withdrawn_at !== null) return undefined
  const { unavailable } = await getAfter(tx, id)
  const terms = await findTerms(tx, id)
  const toldAt = terms?.comments_told_at ?? null
  const days = daysOf(await events.getDetails(tx, event_id))
  const isAccepted = status === 'accepted'
  return {
    ...{ confirmed_at, days, confirm_by: toIsoOrNull(terms?.confirm_by ?? null) },
    unavailable: unavailable.filter(day => days.includes(day)),
    code: isAccepted && terms !== undefined ? await readCode(tx, terms) : undefined,
    comments: isDecided(status) && toldAt !== null ? await readComments(tx, id, toldAt) : [],
  }
}

async function readCode(tx: ReadTx, of: Parameters<typeof findCode>[1]): Promise<AfterDecision['code']> {
  const code = await findCode(tx, of)
  return code?.active ? { code: code.code, isUsed: leftOf(code) === 0 } : undefined
}

/**
 * Returns the comments as they were told, in an order that tells neither who has written one nor when: always the same, by what they
 * say. What was done later was not told.
 */
async function readComments(tx: ReadTx, abstractId: string, toldAt: number): Promise<string[]> {
  const reviews = await listOfAbstract(tx, abstractId)
  const said = reviews.flatMap(({ done_at, returned, to_authors, told }) =>
    done_at === null || Date.parse(done_at) > toldAt || returned !== null ? [] : (told ?? to_authors) || [],
  )
  const placeOf = (text: string) => createHash('sha256').update(`${abstractId} ${text}`).digest('hex')
  return said.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
}
