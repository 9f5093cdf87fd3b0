/** The content of a printed ticket, in the words of its language. */
export interface Sheet {
  organizer: string
  title: string
  /** The holder of the ticket and its type, each with a label. */
  holder: Fact | null
  type: Fact
  facts: readonly Fact[]
  code: string
  /** The text for people who cannot see the code. */
  codeLabel: string
  finePrint: string
  /** The sentence that appears if a font lacks some of the text. */
  leftOut: string
  /** The link to the page of the order. People can press it. */
  link: { text: string; url: string } | null
  page: string
}

export interface Fact {
  label: string
  /** Each line is a paragraph. */
  lines: readonly string[]
}

/** The content of a printed receipt, on one page, in the words of its language. */
export interface ReceiptSheet {
  seller: Fact
  buyer: Fact
  kind: string
  number: string
  facts: readonly { label: string; value: string }[]
  /** The headings of the lines: name, quantity, price, tax rate and amount. */
  columns: readonly string[]
  lines: readonly {
    name: string
    /** A smaller text below the name. */
    note: string | null
    quantity: string
    price: string
    rate: string
    amount: string
  }[]
  total: { label: string; value: string }
  rates: { columns: readonly string[]; rows: readonly (readonly string[])[] } | null
  /** The small print. */
  notes: readonly string[]
  /** The sentence that appears if a font lacks some of the text, or there is too much of it. */
  leftOut: string
  /** The link to the page of the receipt. People can press it. */
  link: { text: string; url: string } | null
}

/** A page of a list that people tick by hand. */
export interface ListSheet {
  title: string
  about: string
  /** The headings of the names, and of what they have. */
  columns: readonly [string, string]
  rows: readonly ListRow[]
  /** The sentence that appears if there are no rows. */
  nobody: string
  /** The sentence that appears if a font lacks some of the text, or there is too much of it. */
  leftOut: string
  page: string
}

export interface ListRow {
  name: string
  /** A smaller text behind the name. */
  note: string | null
  what: string
  isTicked: boolean
}

/** A document in the form that the thread draws. */
export interface Sheets {
  /** The language as a BCP 47 tag. */
  language: string
  title: string
  author: string
  /** Milliseconds. */
  issuedAt: number
  sheets: readonly (Sheet | ReceiptSheet | ListSheet)[]
}

/** A request for a document to the thread, with a number. */
export interface DrawingTask {
  number: number
  sheets: Sheets
}

/** The bytes of the document, or the reason why there are none. */
export interface DrawingResult {
  number: number
  result: unknown
}
