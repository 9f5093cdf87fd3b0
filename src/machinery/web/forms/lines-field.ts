import type * as v from 'valibot'
import { check, type Field, type Named } from './field.ts'

/** Returns a field for texts, one a line, without empty lines. @param schema for all of them together */
export function linesField(
  schema: v.GenericSchema<unknown, string[]>,
  rows: number,
  options: Named,
): Field<readonly string[]> {
  return {
    ...options,
    control: { kind: 'area', rows },
    required: false,
    print: value => [value.join('\n')],
    parse: typed =>
      check(
        schema,
        (typed[0] ?? '').split('\n').filter(line => line.trim() !== ''),
      ),
  }
}
