import * as accessLog from '../access-log/rules.ts'
import * as accounts from '../accounts/store.ts'
import * as attendees from '../attendees/rules.ts'
import * as codes from '../codes/rules.ts'
import * as codeStore from '../codes/store.ts'
import type { StagedRows, WriteTx } from '../db/port.ts'
import * as ownTexts from '../emails/text-store.ts'
import * as events from '../events/store.ts'
import { emailKey } from '../fields.ts'
import * as ledger from '../ledger/rules.ts'
import type { Problem } from '../problem.ts'
import * as questionStore from '../questions/store.ts'
import * as poolStore from '../registration-types/pool-store.ts'
import { linkTypes } from '../registration-types/pools.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import * as registrationTypeStore from '../registration-types/store.ts'
import { registerAnswerKeys } from '../registrations/answer-keys.ts'
import { findLatestNumber } from '../registrations/reference-store.ts'
import * as registrations from '../registrations/store.ts'
import * as webhooks from '../webhooks/endpoint-store.ts'
import { ping } from '../webhooks/rules.ts'
import { type Frame, type FrameEvent, isSameFrame, readFrame } from './current.ts'
import type { Completion } from './history.ts'
import { refuseOversold } from './oversold.ts'
import type { Plan } from './plan.ts'
import type { PlannedEvent } from './plan-event.ts'
import { refuseOversoldPool, soldOf } from './plan-pools.ts'
import type { PlannedType } from './plan-row.ts'
import { IMPORTED_TABLES, type Ready } from './ready.ts'
import { refusal } from './refusals.ts'
import type { Report } from './report.ts'
import type { Organization } from './schema.ts'

/** A plan with everything that its write needs. */
export interface Prepared {
  file: Organization
  /** The state that the plan was made from. */
  frame: Frame
  plan: Plan
  report: Report
  ready: Ready
  staged: StagedRows
}

/** Another process has changed the state that the plan was made from: the plan has to be made again. */
export class Outdated extends Error {}

/**
 * Applies a plan. All other writers wait for this, so everything that can be computed before the write already is.
 *
 * @throws Outdated
 * @throws Problem invalid_parameter when sales since then have left too little capacity
 */
export async function applyPlan(tx: WriteTx, prepared: Prepared): Promise<void> {
  const { plan, frame, report } = prepared
  const latest = await readFrame(tx, prepared.file)
  if (!isSameFrame(latest, frame)) throw new Outdated()
  const now = await tx.now()
  const { change, row } = plan.account
  const accountRow = { ...row, email_key: emailKey(row.email) }
  if (change === 'created') await accounts.insert(tx, { ...accountRow, created_at: now })
  if (change === 'updated') await accounts.update(tx, accountRow, now)
  for (const event of plan.events) {
    await applyEvent(tx, event, latest.events.get(event.row.slug), prepared.ready, now)
  }
  await insertRows(tx, prepared)
  for (const { row: event } of plan.events) await attendees.noteEventAtDoors(tx, row.id, event.id)
  for (const { row: event, path, codeIds } of plan.events) {
    const isCounted = codeIds.size === 0 || (await codes.recount(tx, row.id, event.id))
    if (!isCounted) throw usedUp(path)
  }
  await applyWebhooks(tx, plan.webhooks, now)
  const { created, updated, kept } = report
  await accessLog.record(tx, row.id, {
    ...accessLog.COMMAND_LINE,
    action: 'organization.apply',
    targetType: 'account',
    targetId: row.id,
    details: { created, updated, kept },
  })
}

async function applyEvent(
  tx: WriteTx,
  event: PlannedEvent,
  latest: FrameEvent | undefined,
  { keys }: Ready,
  now: number,
): Promise<void> {
  const { account_id: accountId, id: eventId, slug } = event.row
  const types = new Map<string, PlannedType>()
  for (const [name, type] of event.types) {
    const sold = latest?.types.get(name)?.sold ?? 0
    types.set(name, { ...type, row: { ...type.row, sold } })
  }
  for (const type of types.values()) refuseOversold(type, event.path)
  for (const pool of event.pools) refuseOversoldPool(pool, types, event.path)
  if (event.change === 'created') await events.insert(tx, { ...event.row, created_at: now })
  if (event.change === 'updated') await events.update(tx, event.row, now)
  for (const { completion } of event.completed) await complete(tx, accountId, completion, now)
  for (const { change, row, released } of types.values()) {
    if (released > 0) await registrationTypes.release(tx, accountId, row.id, released)
    if (change === 'created') await registrationTypeStore.insert(tx, accountId, row, now)
    if (change === 'updated') await registrationTypeStore.update(tx, accountId, row, now)
  }
  await applyPools(tx, event, latest, types, now)
  await applyQuestions(tx, event, now)
  await applyCodes(tx, event, latest, now)
  const shared = new Set(event.pools.flatMap(({ typeNames }) => typeNames))
  for (const [name, { row, taken, released }] of types) {
    const type = {
      id: row.id,
      available: row.capacity - row.sold + released,
      isShared: shared.has(name),
    }
    if (taken > 0) await registrationTypes.reserve(tx, accountId, type, taken)
  }
  for (const { change, row } of event.emailTexts) {
    if (change !== 'kept') await ownTexts.put(tx, accountId, eventId, row, now)
  }
  await registerAnswerKeys(tx, accountId, eventId, event.answerKeys)
  const signedWith = keys.get(slug)
  if (signedWith === undefined) return
  const key = await attendees.ensureTicketKey(tx, accountId, eventId, signedWith)
  // The id of a new key may be taken.
  if (key.public_key !== signedWith.public_key) throw new Outdated()
}

/** Changes pools between what their types give back and what they take: from then on both go by the new ones. */
async function applyPools(
  tx: WriteTx,
  { row: { account_id: accountId }, pools }: PlannedEvent,
  latest: FrameEvent | undefined,
  types: ReadonlyMap<string, PlannedType>,
  now: number,
): Promise<void> {
  for (const { change, row, typeNames } of pools) {
    if (change === 'kept') continue
    const drawing = typeNames.map(name => types.get(name) as PlannedType)
    const pool = { ...row, sold: soldOf(drawing) - drawing.reduce((sum, { taken }) => sum + taken, 0) }
    if (change === 'created') await poolStore.insert(tx, accountId, pool, now)
    else await poolStore.update(tx, accountId, pool, now)
    const was = latest?.pools.find(({ id }) => id === row.id)?.typeIds ?? []
    await linkTypes(tx, accountId, row.id, { was, wanted: drawing.map(type => type.row.id) })
  }
}

async function applyQuestions(
  tx: WriteTx,
  { row: event, questions }: PlannedEvent,
  now: number,
): Promise<void> {
  for (const { change, row } of questions) {
    if (change === 'created') await questionStore.insert(tx, event.account_id, row, now)
    if (change === 'updated') await questionStore.update(tx, event.account_id, row, now)
  }
}

/** @throws Problem invalid_parameter when orders since the plan have used one too often */
async function applyCodes(
  tx: WriteTx,
  { row: event, path, codes: planned }: PlannedEvent,
  latest: FrameEvent | undefined,
  now: number,
): Promise<void> {
  const used = new Map(latest?.codes.map(code => [code.id, code.used]))
  for (const { change, row } of planned) {
    if ((used.get(row.id) ?? 0) > (row.max_tickets ?? Number.POSITIVE_INFINITY)) throw usedUp(path)
    if (change === 'created') await codeStore.insert(tx, event.account_id, row, now)
    if (change === 'updated') await codeStore.update(tx, event.account_id, row, now)
  }
}

function usedUp(path: string): Problem {
  return refusal(`${path}.codes`, 'are good for fewer tickets than have them')
}

/** Notifies nobody, not even the waitlist: it is history. @throws Outdated when another process has changed it meanwhile */
async function complete(
  tx: WriteTx,
  accountId: string,
  { was, history, released }: Completion,
  now: number,
): Promise<void> {
  const changed = await registrations.completeHistory(tx, accountId, was, history, now)
  if (changed === 0) throw new Outdated()
  if (released > 0 && (await attendees.voidAll(tx, accountId, was.id)) !== released) throw new Outdated()
  for (const entry of ledger.correctionsOf(was, { ...was, ...history }))
    await ledger.record(tx, accountId, entry)
}

/** @throws Outdated when another process has imported one of them meanwhile */
async function insertRows(tx: WriteTx, { staged, ready, plan }: Prepared): Promise<void> {
  const latest = await findLatestNumber(tx, plan.account.row.id)
  const added: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    registrations: { number: latest },
    registration_words: { registration_number: latest },
  }
  for (const table of IMPORTED_TABLES) {
    const count = await tx.insertStaged(staged, table, added[table])
    if (count < ready.rows[table].length) throw new Outdated()
  }
}

async function applyWebhooks(tx: WriteTx, planned: Plan['webhooks'], now: number): Promise<void> {
  for (const { change, row } of planned) {
    if (change === 'created') {
      await webhooks.insert(tx, { ...row, created_at: now })
      if (row.enabled === 1) await ping(tx, row.account_id, row.id)
    }
    if (change === 'updated') await webhooks.update(tx, row, now)
  }
}
