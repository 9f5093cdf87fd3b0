import { type Field, isBlank } from './field.ts'

/** Returns the same field for a value that may be missing. Then it is null. */
export function optional<Value>(field: Field<Value>): Field<Value | null> {
  return {
    ...field,
    required: false,
    print: (value, scale) => (value === null ? [''] : field.print(value, scale)),
    parse: (typed, scale) => (isBlank(typed) ? { value: null } : field.parse(typed, scale)),
  }
}
