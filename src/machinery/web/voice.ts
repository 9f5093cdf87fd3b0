import type { Texts } from '#texts/texts.ts'
import type { Format } from './format.ts'

/** The language of a page for its reader: its texts, and the format of values. */
export interface Voice {
  texts: Texts
  format: Format
}
