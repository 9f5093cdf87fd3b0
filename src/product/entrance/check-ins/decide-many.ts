import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '#machinery/db/batches.ts'
import { readProgress } from '#machinery/db/instance.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { record as keepEntry } from '#product/administration/access-log/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as events from '#product/catalog/events/rules.ts'
import { type DoorRecord, writtenRecord } from './door-record.ts'
import { type Among, listOpen } from './open-scan-store.ts'
import type { ScanRow } from './scan-store.ts'
import { countScan, dismiss } from './scan-verdict.ts'
import { SimulatedRecord } from './simulated-record.ts'
import { listByIds } from './ticket-store.ts'

/** Lists the decisions about many scans at once. They let held scans count or not, or set conflicts aside. */
export const manyDecisions = ['count', 'dismiss', 'seen'] as const
export type ManyDecision = (typeof manyDecisions)[number]

/** Selects the scans of one case, of one door, of a span of time, or all. Instants are milliseconds. */
export interface ManyScans extends Omit<Among, 'outcome'> {
  decision: ManyDecision
}

interface Received {
  /** In milliseconds. Nobody has looked at what the server received later, so it is not decided. */
  receivedBy: number
}

/** Lists the outcomes that scans have, or would have. */
export const manyOutcomes = [
  'admitted',
  'left',
  'conflict',
  'refused',
  'undone',
  'dismissed',
  'seen',
] as const
export type ManyOutcome = (typeof manyOutcomes)[number]
export type Counts = Record<ManyOutcome, number>

const NOTHING: Counts = { admitted: 0, left: 0, conflict: 0, refused: 0, undone: 0, dismissed: 0, seen: 0 }

/** Says what a decision would do. */
export interface DecisionPreview extends Received {
  scans: number
  outcomes: Counts
  /** The first tickets, by ticket and door. Those whose guests would be let in come first. */
  tickets: PreviewedTicket[]
  /** How many more tickets there are. */
  others: number
  /** Whether there are more scans than were looked at. */
  isMore: boolean
}

export interface PreviewedTicket {
  /** Null for scans that belong to no ticket of the event. */
  ticket: { id: string; name: string; registration_type_name: string } | null
  door: string | null
  scans: number
  outcomes: Counts
}

/** One read takes this many scans. */
const SCANS_A_READ = 200
/** A preview looks at most at this many scans, and names at most this many tickets. */
const MOST_LOOKED_AT = 100_000
const MOST_NAMED = 1_000

export const DECIDE = 'scans.decide'

/**
 * Previews what a decision would do, by the rules that do it. It writes nothing.
 *
 * @param choice the scans and the decision; if they were looked at before, with the `receivedBy` of then, which leaves out later
 *   scans
 * @throws Problem not_found
 */
export async function previewDecision(
  reader: Reader,
  accountId: string,
  choice: ManyScans & Partial<Received>,
): Promise<DecisionPreview> {
  const receivedBy = await reader.read(accountId, async tx => {
    await events.get(tx, choice.eventId)
    const latestWrite = (await readProgress(tx)).latest_write_at
    return Math.min(choice.receivedBy ?? latestWrite, latestWrite)
  })
  const among = amongOf(choice, receivedBy)
  const preview = new PreviewSoFar()
  let simulated: SimulatedRecord | undefined
  let after: ScanRow | undefined
  let isMore = true
  while (isMore && preview.scans < MOST_LOOKED_AT) {
    isMore = await reader.read(accountId, async tx => {
      simulated ??= new SimulatedRecord(tx)
      simulated.tx = tx
      const rows = await listOpen(tx, among, after, SCANS_A_READ)
      for (const row of rows) await preview.add(simulated, row, { ...choice, receivedBy })
      after = rows.at(-1) ?? after
      return rows.length === SCANS_A_READ
    })
    await nextTurn()
  }
  const { tickets, others } = await reader.read(accountId, async tx => {
    const named = preview.tickets()
    const rows = await listByIds(tx, [...new Set(named.map(({ ticketId }) => ticketId))])
    const byId = new Map(rows.map(row => [row.id, row]))
    return {
      tickets: named.map(({ ticketId, ...rest }) => {
        const row = byId.get(ticketId)
        const { id, name, buyer_name, registration_type_name } = row ?? {}
        const ticket =
          id === undefined
            ? null
            : {
                id,
                name: (name ?? buyer_name) as string,
                registration_type_name: registration_type_name as string,
              }
        return { ticket, ...rest }
      }),
      others: preview.others,
    }
  })
  return { scans: preview.scans, outcomes: preview.outcomes, tickets, others, isMore, receivedBy }
}

/** Collects what a preview has seen so far. */
class PreviewSoFar {
  scans = 0
  readonly outcomes: Counts = { ...NOTHING }
  readonly #byTicket = new Map<
    string,
    { ticketId: string; door: string | null; scans: number; outcomes: Counts }
  >()
  readonly #unnamed = new Set<string>()

  async add(simulated: SimulatedRecord, row: ScanRow, choice: ManyScans & Received): Promise<void> {
    const outcome = await decideOne(simulated, row, choice)
    if (outcome === undefined) return
    if (row.kind !== 'undo' && choice.decision === 'count') await simulated.noteDecided(row)
    this.scans++
    this.outcomes[outcome]++
    const of = row.kind === 'undo' ? await simulated.findScan(row.of_id as string) : row
    const ticket = of && (await simulated.findTicket(of.attendee_id as string))
    const ticketId = ticket?.event_id === row.event_id ? ticket.attendee_id : ''
    const key = `${row.device_id} ${row.door} ${ticketId}`
    let counted = this.#byTicket.get(key)
    if (counted === undefined && this.#byTicket.size < MOST_NAMED) {
      const door = row.door === '' ? null : row.door
      counted = { ticketId, door, scans: 0, outcomes: { ...NOTHING } }
      this.#byTicket.set(key, counted)
    }
    if (counted === undefined) this.#unnamed.add(key)
    else {
      counted.scans++
      counted.outcomes[outcome]++
    }
  }

  get others(): number {
    return this.#unnamed.size
  }

  /** Sorts tickets whose guests would be let in before those admitted beside somebody else, and these before the rest. */
  tickets() {
    const weight = ({ outcomes: { admitted, conflict } }: { outcomes: Counts }) =>
      admitted > 0 ? 2 : conflict > 0 ? 1 : 0
    return [...this.#byTicket.values()].sort((one, other) => weight(other) - weight(one))
  }
}

/** Nothing that was received by an instant was scanned after it. */
function amongOf({ eventId, decision, caseId, deviceId, from, to }: ManyScans, receivedBy: number): Among {
  const until = Math.min(to ?? Number.MAX_SAFE_INTEGER, receivedBy + 1)
  return { eventId, outcome: outcomeOf(decision), caseId, deviceId, from, to: until }
}

function outcomeOf(decision: ManyDecision): 'held' | 'conflict' {
  return decision === 'seen' ? 'conflict' : 'held'
}

/**
 * Decides about one scan.
 *
 * @returns the outcome; undefined if there is nothing left to decide
 */
async function decideOne(
  record: DoorRecord,
  { id }: ScanRow,
  { eventId, decision, receivedBy }: Pick<ManyScans, 'eventId' | 'decision'> & Received,
): Promise<ManyOutcome | undefined> {
  // An undo that counts may have taken it back a moment ago.
  const row = await record.findScan(id)
  if (row === undefined || row.event_id !== eventId || row.created_at > receivedBy) return undefined
  if (row.outcome !== outcomeOf(decision) || row.seen_at !== null) return undefined
  if (decision === 'count') return (await countScan(record, row)).outcome as ManyOutcome
  if (decision === 'dismiss') await dismiss(record, row)
  else await record.setSeen(row)
  return decision === 'dismiss' ? 'dismissed' : 'seen'
}

interface JobInput {
  decision: ManyDecision
  case_id: string | null
  device_id: string | null
  from: number | null
  to: number | null
  received_by: number
}

/**
 * Starts a job that decides, in batches, about scans that were looked at.
 *
 * @param look what was shown of them
 */
export function start(
  tx: WriteTx,
  { eventId, decision, caseId, deviceId, from, to }: ManyScans,
  { look, by }: { look: Pick<DecisionPreview, 'scans' | 'isMore' | 'receivedBy'>; by: string },
): Promise<Job> {
  const scope = { case_id: caseId ?? null, device_id: deviceId ?? null, from: from ?? null, to: to ?? null }
  const input: JobInput = { decision, ...scope, received_by: look.receivedBy }
  return jobs.start(tx, {
    kind: DECIDE,
    eventId,
    input,
    total: look.isMore ? null : look.scans,
    by,
  })
}

/** The most scans of a batch. */
const BATCH = 50

/** Decides about scans, each by the rule for one. A decided scan is no longer open, so a restarted job goes on with the rest. */
export const decideMany: jobs.JobKind = {
  name: DECIDE,
  permission: 'scans.decide',
  async run(tx, job, actor) {
    const until = performance.now() + tx.batchTime
    const { decision, case_id, device_id, from, to, received_by } = job.input as unknown as JobInput
    const outcomes: Counts = { ...NOTHING, ...(job.outcome as Partial<Counts> | null) }
    const choice: ManyScans = {
      ...{ eventId: job.event_id as string, decision },
      ...{ caseId: case_id ?? undefined, deviceId: device_id ?? undefined },
      ...{ from: from ?? undefined, to: to ?? undefined },
    }
    const among = amongOf(choice, received_by)
    const rows = await listOpen(tx, among, readPosition(job.position), BATCH)
    const record = writtenRecord(tx)
    let { done } = job
    let last: ScanRow | undefined
    for (const row of rows) {
      last = row
      const outcome = await decideOne(record, row, { ...choice, receivedBy: received_by })
      if (outcome !== undefined) {
        outcomes[outcome]++
        done++
      }
      if (performance.now() > until) break
    }
    const finished = rows.length < BATCH && last === rows.at(-1)
    if (finished) {
      const details = { event_id: job.event_id, decision, ...onlySome(outcomes) }
      const entry = { action: 'scans.decided', targetType: 'job', targetId: job.id, details }
      await keepEntry(tx, { who: actor.who, requestId: null, address: null, ...entry })
    }
    const position = last === undefined ? job.position : JSON.stringify([last.scanned_at, last.id])
    return { position, done, finished, outcome: { ...outcomes } }
  },
}

function readPosition(position: string | null): Pick<ScanRow, 'id' | 'scanned_at'> | undefined {
  if (position === null) return undefined
  const [scanned_at, id] = JSON.parse(position) as [number, string]
  return { scanned_at, id }
}

/** Returns the counts that are not 0. */
export function onlySome(counts: Counts): Partial<Counts> {
  return Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0))
}
