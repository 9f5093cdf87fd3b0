/** What is printed of one ticket, in the words of its language. */
export interface Sheet {
  organizer: string
  title: string
  /** Of the ticket: what is said of it, and what it is. */
  holder: Fact | null
  type: Fact
  facts: readonly Fact[]
  code: string
  /** For those who cannot see the code. */
  codeLabel: string
  finePrint: string
  /** Said where a font lacks some of the text. */
  leftOut: string
  /** Where the order is shown; it can be pressed. */
  link: { text: string; url: string } | null
  page: string
}

export interface Fact {
  label: string
  /** One paragraph each. */
  lines: readonly string[]
}

/** A document as the thread draws it. */
export interface Sheets {
  /** BCP 47 */
  language: string
  title: string
  author: string
  /** Milliseconds. */
  issuedAt: number
  sheets: readonly Sheet[]
}

/** The files that the thread needs, compressed with Brotli, by their names in `carried.json`. */
export type Carried = ReadonlyMap<string, Uint8Array>
