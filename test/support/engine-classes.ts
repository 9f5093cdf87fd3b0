import { PostgresDatabase } from '#machinery/db/postgres/database.ts'
import { PostgresTransaction } from '#machinery/db/postgres/transaction.ts'
import { SqliteDatabase } from '#machinery/db/sqlite/database.ts'
import { SqliteTransaction } from '#machinery/db/sqlite/transaction.ts'
import { clusterUrl } from './postgres-cluster.ts'

// Tests listen to what the rules ask of a database by the classes of its engine, which have the methods of the port.

export const EngineDatabase = clusterUrl() === undefined ? SqliteDatabase : PostgresDatabase
export const EngineTransaction = clusterUrl() === undefined ? SqliteTransaction : PostgresTransaction
export type EngineDatabase = SqliteDatabase | PostgresDatabase
export type EngineTransaction = SqliteTransaction | PostgresTransaction
