import type { Clock } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { applyPlan, Outdated } from './apply-plan.ts'
import { NOTHING, readCurrent } from './current.ts'
import { type EventPart, makePlan, type Plan } from './plan.ts'
import { validateOrganization } from './read.ts'
import { makeReady } from './ready.ts'
import { describePlan, type Report } from './report.ts'
import type { Organization } from './schema.ts'

export interface ApplyOptions {
  clock: Clock
  /** Called with the plan before anything is written. It throws to refuse the plan. */
  beforeWrite?: ((plan: Plan) => void) | undefined
  /** Completes the fees and refunds of registrations that a file brought. */
  updateHistory?: boolean | undefined
}

/**
 * Applies an organization file completely or not at all.
 *
 * @throws Problem invalid_parameter with the path of the fault
 */
export function applyOrganization(db: Database, input: unknown, options: ApplyOptions): Promise<Report> {
  return applyFile(db, validateOrganization(input), options)
}

/**
 * Applies a file that was already read and validated.
 *
 * @throws Problem invalid_parameter
 */
export async function applyFile(db: Database, file: Organization, options: ApplyOptions): Promise<Report> {
  return (await applyInOneWrite(db, file, options)).report
}

/**
 * Applies a file, or a part of one, in one write. A server beside it waits for the write, so everything slow comes before it:
 * reading the database, making the rows and signing the tickets. If the write finds that something has changed since, the plan is
 * made again.
 *
 * @param parts the part of each event, if the file is a part of another
 * @throws Problem invalid_parameter
 */
export async function applyInOneWrite(
  db: Database,
  file: Organization,
  { clock, beforeWrite, updateHistory }: ApplyOptions,
  parts?: readonly EventPart[],
): Promise<{ plan: Plan; report: Report }> {
  let tellBefore = beforeWrite
  for (;;) {
    const current = await db.read(INSTANCE, tx => readCurrent(tx, file))
    const plan = makePlan(current, file, clock(), { parts, updateHistory })
    const report = describePlan(plan, asPlanned)
    if (report.created + report.updated === 0) return { plan, report }
    tellBefore?.(plan)
    tellBefore = undefined
    const ready = makeReady(current, plan)
    const staged = await db.stage(ready.rows)
    try {
      const { change, row } = plan.account
      const owner = change === 'created' ? INSTANCE : row.id
      await db.write(owner, tx => applyPlan(tx, { file, frame: current, plan, report, ready, staged }))
      return { plan, report }
    } catch (error) {
      if (!(error instanceof Outdated)) throw error
    } finally {
      await db.discard(staged)
    }
  }
}

/**
 * Returns the report that `applyFile` would give, and writes nothing.
 *
 * @param db undefined if there is no database yet
 * @throws Problem invalid_parameter
 */
export async function previewOrganization(
  db: Database | undefined,
  file: Organization,
  clock: Clock,
  { updateHistory }: Pick<ApplyOptions, 'updateHistory'> = {},
): Promise<Report<string | null>> {
  const current = db === undefined ? NOTHING : await db.read(INSTANCE, tx => readCurrent(tx, file))
  return describePlan(makePlan(current, file, clock(), { updateHistory }), (change, value) =>
    change === 'created' ? null : value,
  )
}

export function asPlanned(_: unknown, value: string): string {
  return value
}
