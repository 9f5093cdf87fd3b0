/** The form that a value of a column must have, beyond what its table says. */
export interface Form {
  /** The text that comes after "is not". */
  what: string
  /** Returns whether a value has the form. It is never asked about null. @param row the values of the row that have a form */
  fits: (value: string | number, row: Readonly<Record<string, unknown>>) => boolean
  /** In bytes. */
  longest?: number
}

/** The forms by table and column. */
export type Forms = Readonly<Record<string, Readonly<Record<string, Form>>>>
