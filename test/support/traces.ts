import { schemaSql } from '#machinery/db/schema.ts'
import type { Rows } from './rows.ts'

/** Returns every text of every row of a database that a pattern is found in, as `table: text`. Bytes are looked through too. */
export async function tracesOf(rows: Rows, pattern: RegExp): Promise<string[]> {
  const found: string[] = []
  for (const [, table] of schemaSql.matchAll(/^CREATE TABLE (\w+)/gm)) {
    const texts = (await rows.all(`SELECT * FROM ${table}`)).map(row =>
      JSON.stringify(Object.values(row as object).map(asText)),
    )
    found.push(...texts.filter(text => pattern.test(text)).map(text => `${table}: ${text}`))
  }
  return found
}

function asText(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value
}
