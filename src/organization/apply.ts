import { type Database, INSTANCE } from '../db/port.ts'
import type { Clock } from '../time.ts'
import { carryOut, Outdated } from './carry-out.ts'
import { NOTHING, readCurrent } from './current.ts'
import { makePlan, type Plan } from './plan.ts'
import { validateOrganization } from './read.ts'
import { makeReady } from './ready.ts'
import { describePlan, type Report } from './report.ts'
import type { Organization } from './schema.ts'

export interface BringOptions {
  clock: Clock
  /** Is told the plan before anything is written, and may throw to refuse it. */
  beforeWrite?: ((plan: Plan) => void) | undefined
  /** Completes the fees and refunds of registrations that a file brought. */
  updateHistory?: boolean | undefined
}

/**
 * Brings the database to an organization file, all or nothing.
 *
 * @throws Problem invalid_parameter with the path of what is refused
 */
export function applyOrganization(
  db: Database,
  input: unknown,
  { clock }: { clock: Clock },
): Promise<Report> {
  return bringOrganization(db, validateOrganization(input), { clock })
}

/**
 * The same for a file that was read already.
 *
 * @throws Problem invalid_parameter
 */
export async function bringOrganization(
  db: Database,
  file: Organization,
  options: BringOptions,
): Promise<Report> {
  return (await bring(db, file, options)).report
}

/**
 * Brings a file, or a part of one, in one write. What costs time is done before it, as a server beside it waits for the
 * write: what is there is read, the rows are made and the tickets signed. Whatever the write finds changed since is planned
 * anew.
 *
 * @param paths where the events stand, if the file is a part of another
 * @throws Problem invalid_parameter
 */
export async function bring(
  db: Database,
  file: Organization,
  { clock, beforeWrite, updateHistory }: BringOptions,
  paths?: readonly string[],
): Promise<{ plan: Plan; report: Report }> {
  let tellBefore = beforeWrite
  for (;;) {
    const current = await db.read(tx => readCurrent(tx, file))
    const plan = makePlan(current, file, clock(), { paths, updateHistory })
    const report = describePlan(plan, asPlanned)
    if (report.created + report.updated === 0) return { plan, report }
    tellBefore?.(plan)
    tellBefore = undefined
    const ready = makeReady(current, plan)
    const staged = await db.stage(ready.rows)
    try {
      const { change, row } = plan.account
      const owner = change === 'created' ? INSTANCE : row.id
      await db.write(owner, tx => carryOut(tx, { file, frame: current, plan, report, ready, staged }))
      return { plan, report }
    } catch (error) {
      if (!(error instanceof Outdated)) throw error
    } finally {
      await db.discard(staged)
    }
  }
}

/**
 * Says what `bringOrganization` would do, and writes nothing.
 *
 * @param db undefined where there is no database yet
 * @throws Problem invalid_parameter
 */
export async function previewOrganization(
  db: Database | undefined,
  file: Organization,
  clock: Clock,
  { updateHistory }: Pick<BringOptions, 'updateHistory'> = {},
): Promise<Report<string | null>> {
  const current = db === undefined ? NOTHING : await db.read(tx => readCurrent(tx, file))
  return describePlan(makePlan(current, file, clock(), { updateHistory }), (change, value) =>
    change === 'created' ? null : value,
  )
}

export function asPlanned(_: unknown, value: string): string {
  return value
}
