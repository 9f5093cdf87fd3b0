import * as v from 'valibot'
import type { Position } from './db/keyset.ts'

/**
 * A resource that a write has changed, with its JSON, built once: what is answered, what is kept for a retry and what
 * webhooks send is the same text.
 */
export interface Written<Resource> {
  resource: Resource
  json: string
}

/** A resource of a list, newest first, with where it stands. */
export interface Listed<Resource> {
  position: Position
  resource: Resource
}

/** Each is made when it is asked for: of large ones a page may have no room for the last. */
export function toListed<Row extends Position, Resource>(
  rows: readonly Row[],
  present: (row: Row) => Resource,
): Iterable<Listed<Resource>> {
  return {
    *[Symbol.iterator]() {
      for (const row of rows) {
        yield { position: { created_at: row.created_at, id: row.id }, resource: present(row) }
      }
    },
  }
}

/** An answer whose JSON is built already. */
export class BuiltJson {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

/** A schema with what the reference says of the field; the schema itself stays as it is. */
export function field<const Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.pipe(schema, v.metadata({ description }))
}

/** The pieces that the schemas of the API's resources are made of: specification section 2. */

export const id = v.pipe(v.string(), v.metadata({ format: 'uuid' }))
export const instant = v.pipe(
  v.string(),
  v.metadata({ format: 'date-time', description: 'ISO 8601 in UTC with milliseconds.' }),
)
export const minorUnits = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.metadata({ description: 'Minor units (cents) of `currency`.' }),
)
export const currency = v.pipe(v.string(), v.metadata({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }))
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
