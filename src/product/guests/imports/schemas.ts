import type { Encoding } from '#machinery/tables/encoding.ts'
import type { Line } from '#product/administration/sheets/rules.ts'
import type { Target } from './columns.ts'
import type { LineFault, MissingType } from './read-line.ts'
import type { System } from './systems.ts'

/** Describes the `input` of the job that checks an upload. It keeps the table and the choice of its columns. */
export interface CheckInput {
  /** The name of the file. It is null for pasted lines. */
  name: string | null
  headers: string[]
  /** The shop that exported the table. It is absent for any other table. */
  system?: System | undefined
  /**
   * The line that names the columns, which is kept like all others. It and `lines` are absent for an upload of version 1, which
   * kept only the lines below.
   */
  header_line?: number
  /** How many lines are kept, with those above the header and the header. */
  lines?: number
  encoding: Encoding
  encoding_guessed: boolean
  /** SHA-256 of the file in hex. It lets the same file add the same line only once. */
  digest: string
  /** What each column fills, in their order. */
  columns: Target[]
  /** The type of the lines that name none. */
  registration_type_id: string | null
  /** The last import that was started from this check. */
  import_id: string | null
}

export interface ImportInput {
  check_id: string
}

/** Gives the number of lines by fate. For `new` lines it also counts the tickets, and how many lines look like an earlier one. */
export interface Counts {
  new: number
  known: number
  wrong: number
  sold_out: number
  added: number
  tickets: number
  twice: number
  /** The extras of `new` lines, which are no tickets. It is absent if there are none. */
  extras?: number
  /** Lines that say themselves that they are void. It is absent if there are none. */
  left_out?: number
  /** The types that lines of an export name and the event does not have, as many as the check keeps. */
  missing?: MissingType[]
  /** Lines name other types beside those. It is absent if they do not. */
  more_missing?: true
  /** The columns of an export, from 0, with an answer in some line. */
  answered?: number[]
}

/** Says why a line has its fate, and what people should know before they import it. */
export interface LineDetails {
  /**
   * The buyer and what they get. `holder` is the name on the ticket where it is another. It is absent if the line could not be read.
   */
  guest?: {
    name: string
    email: string
    holder?: string
    registration_type_id: string
    quantity: number
  }
  /** At most 20. */
  faults?: LineFault[]
  /** The registration that the line has become, or was already. */
  registration_id?: string
  /** For `known`: a registration has the reference of the line, or the same line of the same file was imported before. */
  known_by?: 'reference' | 'line'
  /** An earlier line of the same person. For a fault of `reference`, an earlier line with the same reference. */
  same_as?: number
}

export type ImportLine = Line<LineDetails>
