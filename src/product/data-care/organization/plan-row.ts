import type { TypeRow } from '#product/catalog/registration-types/store.ts'

/** Holds a row as it will be, and what that changes. */
export interface Planned<Row> {
  change: 'created' | 'updated' | 'kept'
  row: Row
  /** The columns that differ. */
  fields: string[]
}

export interface PlannedType extends Planned<TypeRow> {
  /** Where the file describes it. It is undefined for a type that only the database has. */
  path: string | undefined
  /**
   * How many tickets the file's registrations take from the capacity, after it has got back those that the file finds refunded.
   */
  taken: number
  released: number
}

/** Compares the columns of a wanted row with those of the existing row. */
export function planRow<Row extends object>(current: Row | undefined, wanted: Row): Planned<Row> {
  if (current === undefined) return { change: 'created', row: wanted, fields: [] }
  const names = Object.keys(wanted) as (keyof Row & string)[]
  const fields = names.filter(name => wanted[name] !== current[name])
  return { change: fields.length === 0 ? 'kept' : 'updated', row: wanted, fields }
}
