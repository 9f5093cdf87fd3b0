import type { Format } from './format.ts'
import type { Texts } from './texts/texts.ts'

/** How a page speaks to whoever reads it: its texts in their language, and values as they write them. */
export interface Voice {
  texts: Texts
  format: Format
}
