/** The form that a value of a column must have, beyond what its table says. */
export interface Form {
  /** The text that comes after "is not". */
  what: string
  /** Returns whether a value has the form. It is never asked about null, nor about bytes. @param row the values of the row that have a form */
  fits: (value: string | number, row: Readonly<Record<string, unknown>>) => boolean
  /** In bytes. */
  longest?: number
}

/** A limit alone, for which no value needs to be read. */
export type Limit = Required<Pick<Form, 'longest'>>

/** The forms by table and column. */
export type Forms = Readonly<Record<string, Readonly<Record<string, Form | Limit>>>>
