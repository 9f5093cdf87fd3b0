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

/** What is printed of a receipt: on one page, in the words of its language. */
export interface ReceiptSheet {
  seller: Fact
  buyer: Fact
  kind: string
  number: string
  facts: readonly { label: string; value: string }[]
  /** Of the lines: what, how many, at what price, with what tax, and what it comes to. */
  columns: readonly string[]
  lines: readonly {
    name: string
    /** Below the name, in small. */
    note: string | null
    quantity: string
    price: string
    rate: string
    amount: string
  }[]
  total: { label: string; value: string }
  rates: { columns: readonly string[]; rows: readonly (readonly string[])[] } | null
  /** In small print. */
  notes: readonly string[]
  /** Said where a font lacks some of the text, or there is too much of it. */
  leftOut: string
  /** Where it is shown; it can be pressed. */
  link: { text: string; url: string } | null
}

/** A page of a list that is ticked by hand. */
export interface ListSheet {
  title: string
  about: string
  /** Of the names, and of what they have. */
  columns: readonly [string, string]
  rows: readonly ListRow[]
  /** Said where there are no rows. */
  nobody: string
  /** Said where a font lacks some of the text, or there is too much of it. */
  leftOut: string
  page: string
}

export interface ListRow {
  name: string
  /** Behind the name, in small. */
  note: string | null
  what: string
  isTicked: boolean
}

/** A document as the thread draws it. */
export interface Sheets {
  /** BCP 47 */
  language: string
  title: string
  author: string
  /** Milliseconds. */
  issuedAt: number
  sheets: readonly (Sheet | ReceiptSheet | ListSheet)[]
}

/** The files that the thread needs, compressed with Brotli, by their names in `carried.json`. */
export type Carried = ReadonlyMap<string, Uint8Array>
