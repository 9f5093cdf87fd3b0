import type { MessagePort } from 'node:worker_threads'
import type { Fault } from '#base/faults.ts'
import type { SheetMarks } from '#machinery/tables/plain-header.ts'

/** What a cell of a written sheet holds. A text stays text, whatever it begins with. A date is the wall clock as if it were UTC. */
export type SheetCell = string | number | Date | null

/** A column of a written sheet. */
export interface SheetColumn {
  header: string
  /** In characters. */
  width: number
  /** How numbers and dates are shown, as spreadsheets write it: `0.00`. */
  format?: string
}

/** A sheet that is written: one a file. */
export interface SheetHead {
  /** The name of the sheet: at most 31 characters. */
  name: string
  columns: readonly SheetColumn[]
}

/** What the thread is asked for. The port is that of the task. */
export type SheetTask =
  | { kind: 'read'; bytes: Uint8Array; marks: readonly SheetMarks[]; port: MessagePort }
  | { kind: 'write'; head: SheetHead; port: MessagePort }

/** What the thread says of a task: a piece of the file, that it wants rows, that it has ended, or what is wrong. */
export type SheetMessage =
  | { piece: Uint8Array }
  | { wantsRows: true }
  | { ended: true }
  | { refused: { fault: Fault; line?: number } }
  | { failed: unknown }

/** What the thread gets back: some rows, or null after the last. It is undefined for a piece that was taken. */
export type SheetReply = { rows: readonly (readonly SheetCell[])[] | null } | { taken: true }
