/** What a value of a column is, beyond what its table says. */
export interface Form {
  /** What comes after "is not". */
  what: string
  /** @param row those values of the row that have a form; null is never asked for */
  fits: (value: string | number, row: Readonly<Record<string, unknown>>) => boolean
  /** In bytes. */
  longest?: number
}

/** By table and column. */
export type Forms = Readonly<Record<string, Readonly<Record<string, Form>>>>
