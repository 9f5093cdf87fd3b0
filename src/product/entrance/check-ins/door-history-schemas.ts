import * as v from 'valibot'
import { closedObject, label, uuid } from '#base/fields.ts'
import { parseInstant } from '#base/time.ts'

/** The first line of a file of scans names this as its object. */
export const DOOR_HISTORY = 'turnout_scans'
/** Only a file with lines of entries has the second version. */
export const DOOR_HISTORY_VERSIONS = [1, 2] as const
/** A line has at most this many bytes. */
export const HISTORY_LINE_BYTES = 4_000

const instant = v.pipe(v.string(), v.maxLength(40), v.transform(parseInstant), v.number())
const id = v.pipe(v.string(), v.maxLength(100), v.regex(/^[.:-]*\w[\w.:-]*$/))

/** Describes the first line. */
export const historyHeadSchema = closedObject({
  object: v.literal(DOOR_HISTORY),
  version: v.picklist(DOOR_HISTORY_VERSIONS),
  account_id: uuid,
  /** The epoch of the database that the file comes from. */
  epoch: v.pipe(v.string(), v.maxLength(100)),
  /** When that database became a copy. It is null if it is not a copy. */
  epoch_at: v.nullable(instant),
  exported_at: instant,
})

/** A clock may be wrong by this many milliseconds, as scanners send it. */
const MAX_OFFSET = 100 * 365 * 86_400_000

const common = {
  id,
  event_id: uuid,
  /** Null if no scanner did it. */
  door: v.nullable(label(60)),
  at: instant,
  offset: v.pipe(v.number(), v.integer(), v.minValue(-MAX_OFFSET), v.maxValue(MAX_OFFSET)),
  scanned_at: instant,
  note: v.nullable(label(200)),
}

/** Describes a line that says who was admitted. */
const historyScanSchema = closedObject({
  kind: v.literal('scan'),
  ...common,
  ticket: uuid,
  by_hand: v.boolean(),
  /** Why it is a conflict. It is null for the scan that holds the check-in. */
  reason: v.nullable(v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/))),
})

/** Describes a line that says who has left. */
const historyExitSchema = closedObject({
  kind: v.literal('exit'),
  ...common,
  ticket: uuid,
  by_hand: v.boolean(),
})

/** Describes a line that takes back a scan, or a check-in that no scan has made. */
const historyUndoSchema = closedObject({
  kind: v.literal('undo'),
  ...common,
  of: id,
  ticket: v.nullable(uuid),
})

/** Describes a line that says which entries a ticket has there, after the lines of the scans that hold and end them. */
const historyEntriesSchema = closedObject({
  kind: v.literal('entries'),
  event_id: uuid,
  ticket: uuid,
  /** What holds the check-in: a scan, or a check-in that no scan has made. */
  held_by: id,
  /** The slot of each entry, what holds it, and the exit that ended it. */
  entries: v.array(
    v.tuple([v.pipe(v.string(), v.regex(/^(-|\d{4}-\d\d-\d\d)\/\d{1,6}$/)), id, v.nullable(id)]),
  ),
  /** The other scans of the ticket about which that server has decided. */
  others: v.array(id),
})

export type HistoryHead = v.InferOutput<typeof historyHeadSchema>
export type HistoryLine = HistoryScan | HistoryExit | HistoryUndo | HistoryEntries
export type HistoryScan = v.InferOutput<typeof historyScanSchema>
export type HistoryExit = v.InferOutput<typeof historyExitSchema>
export type HistoryUndo = v.InferOutput<typeof historyUndoSchema>
export type HistoryEntries = v.InferOutput<typeof historyEntriesSchema>

const schemas = {
  scan: historyScanSchema,
  exit: historyExitSchema,
  undo: historyUndoSchema,
  entries: historyEntriesSchema,
}

/**
 * Reads a line of the file.
 *
 * @returns the line, or the path of what is wrong with it
 */
export function readHistoryLine(input: unknown): { line: HistoryLine } | { path: string } {
  const kind = (input as { kind?: unknown } | null)?.kind
  const read = v.safeParse(schemas[kind as keyof typeof schemas] ?? historyScanSchema, input, {
    abortEarly: true,
  })
  return read.success ? { line: read.output } : { path: v.getDotPath(read.issues[0]) ?? '' }
}
