import { emailKey } from '#base/fields.ts'
import type { Problem } from '#base/problem.ts'
import type { InstanceWriteTx, StagedRows, WriteTx } from '#machinery/db/port.ts'
import * as ownTexts from '#machinery/mail/text-store.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/store.ts'
import * as webhooks from '#product/administration/webhooks/endpoint-store.ts'
import { ping } from '#product/administration/webhooks/rules.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as codeStore from '#product/catalog/codes/store.ts'
import * as events from '#product/catalog/events/store.ts'
import * as poolStore from '#product/catalog/registration-types/pool-store.ts'
import { linkTypes } from '#product/catalog/registration-types/pools.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as registrationTypeStore from '#product/catalog/registration-types/store.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { markAnswered } from '#product/guests/questions/rules.ts'
import * as questionStore from '#product/guests/questions/store.ts'
import { registerAnswerKeys } from '#product/guests/registrations/answer-keys.ts'
import { findLatestNumber } from '#product/guests/registrations/reference-store.ts'
import * as registrations from '#product/guests/registrations/store.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { type Frame, type FrameEvent, isSameFrame, readFrame } from './current.ts'
import type { Completion } from './history.ts'
import { applyColour } from './look-items.ts'
import { refuseOversold } from './oversold.ts'
import type { Plan } from './plan.ts'
import type { PlannedEvent } from './plan-event.ts'
import { refuseOversoldPool, soldOf } from './plan-pools.ts'
import type { PlannedType } from './plan-row.ts'
import { applyProgramme } from './programme-items.ts'
import { IMPORTED_TABLES, type Ready } from './ready.ts'
import { refusal } from './refusals.ts'
import type { Report } from './report.ts'
import type { Organization } from './schema.ts'
import { applyDates, applySeries } from './series-items.ts'

/** Holds a plan with everything that its write needs. */
export interface Prepared {
  file: Organization
  /** The state from which the plan was made. */
  frame: Frame
  plan: Plan
  report: Report
  ready: Ready
  staged: StagedRows
}

/** Another process has changed the state from which the plan was made, so the plan has to be made again. */
export class Outdated extends Error {}

/**
 * Applies a plan. All other writers wait for it, so everything that can be computed before the write already is.
 *
 * @throws Outdated
 * @throws Problem invalid_parameter if sales since then have left too little capacity
 */
export async function applyPlan(of: InstanceWriteTx | WriteTx, prepared: Prepared): Promise<void> {
  const { plan, frame, report } = prepared
  const { change, row } = plan.account
  const tx = 'of' in of ? of.of(row.id) : of
  const ofAccount = (id: string) => {
    if (id !== row.id) throw new Outdated()
    return tx
  }
  const latest = await readFrame(tx, ofAccount, prepared.file)
  if (!isSameFrame(latest, frame)) throw new Outdated()
  const now = await tx.now()
  const accountRow = { ...row, email_key: emailKey(row.email) }
  if (change === 'created') await accounts.insert(tx, { ...accountRow, created_at: now })
  if (change === 'updated') await accounts.update(tx, accountRow, now)
  await applyColour(tx, null, plan.accent)
  await applySeries(tx, plan.series, now)
  for (const event of plan.events) {
    await applyEvent(tx, event, latest.events.get(event.row.slug), prepared.ready, now)
  }
  await applyDates(tx, datesOf(plan, latest), now)
  await insertRows(tx, prepared)
  for (const { row: event } of plan.events) await attendees.noteEventAtDoors(tx, event.id)
  for (const { row: event, path, codeIds } of plan.events) {
    const isCounted = codeIds.size === 0 || (await codes.recount(tx, event.id))
    if (!isCounted) throw usedUp(path)
  }
  await applyWebhooks(tx, plan.webhooks, now)
  const { created, updated, kept } = report
  await accessLog.record(tx, {
    ...accessLog.COMMAND_LINE,
    action: 'organization.apply',
    targetType: 'account',
    targetId: row.id,
    details: { created, updated, kept },
  })
}

function datesOf({ events }: Plan, latest: Frame) {
  return events.map(({ row: { id, slug, series_id } }) => ({
    ...{ id, was: latest.events.get(slug)?.row.series_id ?? null },
    wanted: series_id,
  }))
}

async function applyEvent(
  tx: WriteTx,
  event: PlannedEvent,
  latest: FrameEvent | undefined,
  { keys }: Ready,
  now: number,
): Promise<void> {
  const { id: eventId, slug } = event.row
  const types = new Map<string, PlannedType>()
  for (const [name, type] of event.types) {
    const sold = latest?.types.get(name)?.sold ?? 0
    types.set(name, { ...type, row: { ...type.row, sold } })
  }
  for (const type of types.values()) refuseOversold(type, event.path)
  for (const pool of event.pools) refuseOversoldPool(pool, types, event.path)
  if (event.change === 'created') await events.insert(tx, { ...event.row, created_at: now })
  if (event.change === 'updated') await events.update(tx, event.row, now)
  await applyColour(tx, eventId, event.accent)
  for (const { completion } of event.completed) await complete(tx, completion, now)
  for (const { change, row, released } of types.values()) {
    if (released > 0) await registrationTypes.release(tx, row.id, released)
    if (change === 'created') await registrationTypeStore.insert(tx, row, now)
    if (change === 'updated') await registrationTypeStore.update(tx, row, now)
  }
  await applyPools(tx, event, latest, types, now)
  await applyQuestions(tx, event, now)
  await applyCodes(tx, event, latest, now)
  await applyProgramme(tx, event, now)
  const shared = new Set(event.pools.flatMap(({ typeNames }) => typeNames))
  for (const [name, { row, taken, released }] of types) {
    const type = {
      id: row.id,
      available: row.capacity - row.sold + released,
      isShared: shared.has(name),
    }
    if (taken > 0) await registrationTypes.reserve(tx, type, taken)
  }
  for (const { change, row } of event.emailTexts) {
    if (change !== 'kept') await ownTexts.put(tx, eventId, row, now)
  }
  await registerAnswerKeys(tx, eventId, event.answerKeys)
  await markAnswered(tx, eventId, answeredIn(event))
  const signedWith = keys.get(slug)
  if (signedWith === undefined) return
  const key = await attendees.ensureTicketKey(tx, eventId, signedWith)
  // The id of a new key may be taken.
  if (key.public_key !== signedWith.public_key) throw new Outdated()
}

/** Returns what the new abstracts answer. Such a question cannot be asked of reviewers too any more. */
function answeredIn({ abstracts }: PlannedEvent): string[] {
  const created = abstracts.filter(({ change }) => change === 'created')
  const answers = created.flatMap(({ item }) => item.revisions.map(({ answers }) => answers))
  return [...new Set(answers.flatMap(each => Object.keys(each)))]
}

/** Changes pools after their types have given places back and before they take any. Both then go by the new pools. */
async function applyPools(
  tx: WriteTx,
  { pools }: PlannedEvent,
  latest: FrameEvent | undefined,
  types: ReadonlyMap<string, PlannedType>,
  now: number,
): Promise<void> {
  for (const { change, row, typeNames } of pools) {
    if (change === 'kept') continue
    const drawing = typeNames.map(name => types.get(name) as PlannedType)
    const pool = { ...row, sold: soldOf(drawing) - drawing.reduce((sum, { taken }) => sum + taken, 0) }
    if (change === 'created') await poolStore.insert(tx, pool, now)
    else await poolStore.update(tx, pool, now)
    const was = latest?.pools.find(({ id }) => id === row.id)?.typeIds ?? []
    await linkTypes(tx, row.id, { was, wanted: drawing.map(type => type.row.id) })
  }
}

async function applyQuestions(tx: WriteTx, { questions }: PlannedEvent, now: number): Promise<void> {
  for (const { change, row } of questions) {
    if (change === 'created') await questionStore.insert(tx, row, now)
    if (change === 'updated') await questionStore.update(tx, row, now)
  }
}

/**
 * Writes the codes of an event.
 *
 * @throws Problem invalid_parameter if orders since the plan have used one too often
 */
async function applyCodes(
  tx: WriteTx,
  { path, codes: planned }: PlannedEvent,
  latest: FrameEvent | undefined,
  now: number,
): Promise<void> {
  const used = new Map(latest?.codes.map(code => [code.id, code.used]))
  for (const { change, row } of planned) {
    if ((used.get(row.id) ?? 0) > (row.max_tickets ?? Number.POSITIVE_INFINITY)) throw usedUp(path)
    if (change === 'created') await codeStore.insert(tx, row, now)
    if (change === 'updated') await codeStore.update(tx, row, now)
  }
}

function usedUp(path: string): Problem {
  return refusal(`${path}.codes`, 'are good for fewer tickets than have them')
}

/**
 * Completes the history of a registration. It notifies nobody, not even the waitlist, because this is history.
 *
 * @throws Outdated if another process has changed the registration meanwhile
 */
async function complete(tx: WriteTx, { was, history, released }: Completion, now: number): Promise<void> {
  const changed = await registrations.completeHistory(tx, was, history, now)
  if (changed === 0) throw new Outdated()
  if (released > 0 && (await attendees.voidAll(tx, was.id)) !== released) throw new Outdated()
  for (const entry of ledger.correctionsOf(was, { ...was, ...history })) await ledger.record(tx, entry)
}

/**
 * Inserts the new rows.
 *
 * @throws Outdated if another process has imported one of them meanwhile
 */
async function insertRows(tx: WriteTx, { staged, ready }: Prepared): Promise<void> {
  const latest = await findLatestNumber(tx)
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
      if (row.enabled === 1) await ping(tx, row.id)
    }
    if (change === 'updated') await webhooks.update(tx, row, now)
  }
}
