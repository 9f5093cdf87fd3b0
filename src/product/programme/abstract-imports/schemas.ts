import type { Line } from '#product/administration/sheets/rules.ts'
import type { Language } from '#texts/languages.ts'

/** The `input` of the job of a table with abstracts. */
export interface ImportInput {
  /** The name of the file. */
  name: string | null
  headers: string[]
  header_line: number
  /** The language of the text, and of mails to people who are new, where a line names none. */
  language: Language
  /** Whether the people are told by mail. */
  mailed: boolean
  /** Whether somebody has begun to add the lines. Until then nothing is added. */
  started: boolean
}

/** What came of a line. Why a line is wrong is read from it again. */
export interface LineDetails {
  /** The abstract that the line has become, or was already. */
  abstract_id?: string
  /** An earlier line that has the same reference, or the same title and first author. */
  same_as?: number
}

export type ImportLine = Line<LineDetails>

/** How many lines have each fate. */
export interface Counts {
  new: number
  known: number
  wrong: number
  added: number
}
