import { readFileSync } from 'node:fs'

declare const SCHEMA_SQL: string | undefined

/** The whole current schema. The bundle carries it as a constant; the sources read it from beside them. */
export const schemaSql: string =
  typeof SCHEMA_SQL === 'string'
    ? SCHEMA_SQL
    : readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8')
