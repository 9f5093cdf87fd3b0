import * as v from 'valibot'
import { closedObject, label, uuid } from '../fields.ts'
import { parseInstant } from '../time.ts'

/** What the first line of a file of scans says it is. */
export const CARRIED = 'turnout_scans'
export const CARRIED_VERSION = 1

const instant = v.pipe(v.string(), v.maxLength(40), v.transform(parseInstant), v.number())
const id = v.pipe(v.string(), v.maxLength(100), v.regex(/^[.:-]*\w[\w.:-]*$/))

/** The first line. */
export const carriedHeadSchema = closedObject({
  object: v.literal(CARRIED),
  version: v.literal(CARRIED_VERSION),
  account_id: uuid,
  /** Of the database that the file is from. */
  epoch: v.pipe(v.string(), v.maxLength(100)),
  /** Since when that is a copy; null where it is none. */
  epoch_at: v.nullable(instant),
  exported_at: instant,
})

/** Milliseconds that a clock may be wrong by, as scanners send it. */
const MAX_OFFSET = 100 * 365 * 86_400_000

const common = {
  id,
  event_id: uuid,
  /** Null where no scanner has done it. */
  door: v.nullable(label(60)),
  at: instant,
  offset: v.pipe(v.number(), v.integer(), v.minValue(-MAX_OFFSET), v.maxValue(MAX_OFFSET)),
  scanned_at: instant,
  note: v.nullable(label(200)),
}

/** A line that says who was admitted. */
const carriedScanSchema = closedObject({
  kind: v.literal('scan'),
  ...common,
  ticket: uuid,
  by_hand: v.boolean(),
  /** Why it is a conflict; null for the one that holds the check-in. */
  reason: v.nullable(v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/))),
})

/** A line that takes a scan back, or a check-in that none has made. */
const carriedUndoSchema = closedObject({
  kind: v.literal('undo'),
  ...common,
  of: id,
  ticket: v.nullable(uuid),
})

export type CarriedHead = v.InferOutput<typeof carriedHeadSchema>
export type Carried = CarriedScan | CarriedUndo
export type CarriedScan = v.InferOutput<typeof carriedScanSchema>
export type CarriedUndo = v.InferOutput<typeof carriedUndoSchema>

/** A line as it was read from the file. @returns where it is none, the path of what is wrong */
export function readCarried(input: unknown): { line: Carried } | { path: string } {
  const isUndo = (input as { kind?: unknown } | null)?.kind === 'undo'
  const read = v.safeParse(isUndo ? carriedUndoSchema : carriedScanSchema, input, { abortEarly: true })
  return read.success ? { line: read.output } : { path: v.getDotPath(read.issues[0]) ?? '' }
}
