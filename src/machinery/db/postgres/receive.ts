import { Refusal } from '#base/refusal.ts'
import type { InsertRows } from '../copy.ts'
import type { Value } from '../port.ts'
import { postgresCatalog } from './catalog.ts'
import type { Connection } from './connection.ts'

/**
 * Fills an empty database with rows, in one transaction: whatever breaks it off, nothing of it is left.
 *
 * @param place of the database, in sentences
 * @param fill inserts all rows
 * @throws Refusal if the database has rows already
 */
export async function receive<T>(
  connection: Connection,
  place: string,
  fill: (insert: InsertRows) => Promise<T>,
): Promise<T> {
  await connection.query('BEGIN')
  try {
    await refuseRows(connection, place)
    await connection.query('DELETE FROM instance')
    const result = await fill((table, rows) => insert(connection, table, rows))
    await connection.query('COMMIT')
    return result
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

async function refuseRows(connection: Connection, place: string): Promise<void> {
  const all = async <Row>(sql: string) => (await connection.query(sql)).rows as Row[]
  const tables = await postgresCatalog.listTables({ all, one: async sql => (await all<never>(sql))[0] })
  for (const { name } of tables) {
    if (name === 'instance') continue
    const { rows } = await connection.query(`SELECT 1 FROM "${name}" LIMIT 1`)
    if (rows.length > 0) {
      throw new Refusal(`${place} has data already: there are rows in ${name}. Name an empty database.`)
    }
  }
}

/** Inserts rows in one statement. A batch has 200 of them, and no table has 300 columns: a statement takes 65,535 values. */
async function insert(connection: Connection, table: string, rows: Parameters<InsertRows>[1]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const names = Object.keys(first)
  const params: Value[] = []
  const tuples = rows.map(row => `(${names.map(name => `$${params.push(row[name] as Value)}`)})`)
  const columns = names.map(name => `"${name}"`)
  await connection.query(`INSERT INTO "${table}" (${columns}) VALUES ${tuples}`, params)
}
