import { readFileSync } from 'node:fs'

declare const SCHEMA_SQL: string | undefined

/** The whole current schema. The bundle has it as a constant, and the sources read it from `schema.sql`. */
export const schemaSql: string =
  typeof SCHEMA_SQL === 'string'
    ? SCHEMA_SQL
    : readFileSync(new URL('../../../schema.sql', import.meta.url), 'utf8')
