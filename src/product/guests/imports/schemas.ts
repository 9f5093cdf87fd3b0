import type { Encoding } from '../tables/encoding.ts'
import type { Target } from './columns.ts'
import type { LineFault } from './read-line.ts'
import type { Fate, LineRow } from './store.ts'

/** What an uploaded table and the choice of its columns are kept as, in the `input` of the job that checks it. */
export interface CheckInput {
  /** Of the file; null for pasted lines. */
  name: string | null
  headers: string[]
  encoding: Encoding
  encoding_guessed: boolean
  /** SHA-256 of the file in hex: the same file brings the same line once. */
  digest: string
  /** What each column is for, in their order. */
  columns: Target[]
  /** The type of the lines that name none. */
  registration_type_id: string | null
  /** The last import that was begun of this check. */
  import_id: string | null
}

export interface ImportInput {
  check_id: string
}

/** Lines by their fate; of `new` ones, the tickets too, and how many look like one before. */
export interface Counts {
  new: number
  known: number
  wrong: number
  sold_out: number
  added: number
  tickets: number
  twice: number
}

/** Why a line has its fate, and what is to be known before it is imported. */
export interface LineDetails {
  /** Absent where the line could not be read. */
  guest?: { name: string; email: string; registration_type_id: string; quantity: number }
  /** At most 20. */
  faults?: LineFault[]
  /** Of what the line has become, or was before. */
  registration_id?: string
  /** `known`: a registration has the reference of the line, or the same line of the same file was imported before. */
  known_by?: 'reference' | 'line'
  /** An earlier line of the same person, or for a fault of `reference`, of the same reference. */
  same_as?: number
}

export interface ImportLine {
  line: number
  cells: string[]
  fate: Fate
  details: LineDetails
}

export function presentLine({ line, input, fate, details }: LineRow): ImportLine {
  return {
    line,
    cells: JSON.parse(input) as string[],
    fate,
    details: JSON.parse(details) as LineDetails,
  }
}
