import * as v from 'valibot'
import type { Position } from '#machinery/db/keyset.ts'

/**
 * A resource that a write has changed, with its JSON. The JSON is built once, so the answer, the copy kept for a retry and the
 * webhooks have the same text.
 */
export interface Written<Resource> {
  resource: Resource
  json: string
}

/** A resource of a list, which is newest first, with its position. */
export interface Listed<Resource> {
  position: Position
  resource: Resource
}

/** Makes each resource when it is read, because a page may have no room for the last of large ones. */
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

/** An answer whose JSON is already built. */
export class BuiltJson {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

/** Returns a schema with a description for the API reference. The given schema does not change. */
export function field<const Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.pipe(schema, v.metadata({ description }))
}

/** These are the parts of the schemas of the API's resources: specification section 2. */

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
