import { SqliteDatabase } from '#machinery/db/sqlite/database.ts'
import { SqliteTransaction } from '#machinery/db/sqlite/transaction.ts'

// Tests listen to what the rules ask of a database by the classes of its engine, which have the methods of the port.

export { SqliteDatabase as EngineDatabase, SqliteTransaction as EngineTransaction }
