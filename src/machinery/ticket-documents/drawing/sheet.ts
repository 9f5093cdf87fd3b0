/** What the paper is called, and its width and height in points. */
export const PAPERS = { A4: [595.28, 841.89], LETTER: [612, 792] } as const
export type Paper = keyof typeof PAPERS

/** The most tickets on a page. */
export const SLIPS_A_PAGE = 3

/** A page of printed tickets that people cut apart, in the words of its language. */
export interface TicketPage {
  slips: readonly Slip[]
  /** What is said once, below the last ticket. */
  about: About | null
}

/** A printed ticket: a third of a page. */
export interface Slip {
  organizer: string
  title: string
  /** The holder of the ticket and its type, each with a label. */
  holder: Fact | null
  type: Fact
  facts: readonly Fact[]
  /** It is null for a ticket that admits nobody. */
  code: string | null
  /** The text for people who cannot see the code. */
  codeLabel: string
  /** What stands instead of the code of a ticket that admits nobody. */
  noCode: { title: string; text: string }
  finePrint: string
  /** The sentence that appears if a font lacks some of the text, or there is too much of it. */
  leftOut: string
  /** The link to the page of the ticket. People can press it. */
  link: { text: string; url: string } | null
  /** Which of the tickets it is. */
  count: string
}

/** What all tickets of a document have in common: how to get there, whom to ask, and who sold them. */
export interface About {
  columns: readonly (Fact & { link: { text: string; url: string } | null })[]
  leftOut: string
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

/** A page of badges: one, or a sheet of labels. */
export interface BadgePage {
  badges: readonly Badge[]
}

/** A printed badge. All measures are in points, from the top left of the page. */
export interface Badge {
  x: number
  y: number
  width: number
  height: number
  /** The event. */
  title: string
  name: string
  /** An answer below the name, such as the company. */
  answer: string | null
  /** The type in words, and the colour of the bar on which they stand. */
  type: string
  colour: readonly [number, number, number]
  /** The code of the ticket and where it stands, or null for a badge without. */
  code: string | null
  /** The text for people who cannot see the code. */
  codeLabel: string
  /** The sentence that stands instead of the event's title if some of the text could not be printed. */
  leftOut: string
}

/** A document in the form that the thread draws. */
export interface Sheets {
  /** The language as a BCP 47 tag. */
  language: string
  title: string
  author: string
  /** Milliseconds. */
  issuedAt: number
  /** By default A4. Badges may have a paper of their own, by its width and height in points. */
  paper?: Paper | readonly [width: number, height: number]
  /** The colour of links, red, green and blue up to 255. By default Turnout's. */
  accent?: readonly [number, number, number] | undefined
  /**
   * What stands at the head of each ticket in the place of the organizer's name, and of a receipt above the seller: a PNG without
   * transparency, and its pixels.
   */
  logo?: { file: Uint8Array; width: number; height: number } | undefined
  sheets: readonly (TicketPage | ReceiptSheet | ListSheet | BadgePage)[]
}

/** A request for a document to the thread, with a number. */
export interface DrawingTask {
  number: number
  sheets: Sheets
  /** The folder of the server's own fonts. */
  fonts: string | undefined
}

/** The bytes of the document, or the reason why there are none. */
export interface DrawingResult {
  number: number
  result: unknown
}

/** What the thread says about a font of the server that it cannot use. */
export interface DrawingWarning {
  warning: string
}
