import { DatabaseDamaged, DatabaseUnavailable, StatementRefused } from '../port.ts'

/** An error of PostgreSQL with its SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
interface PostgresError extends Error {
  code?: string
}

/** Another transaction holds what this one needs. It may be tried again at once. */
const BUSY = /^(55P03|40001|40P01)$/
/**
 * The server, its machine or the network, not the statement: a lost connection, a server that stops or has no room, one that may
 * not write as it is a standby, a time limit, or a transaction that an earlier error has ended.
 */
const OUTAGE = /^(08...|57...|53...|58...|25006|25P0[123]|26000|34000)$/
const DAMAGE = /^XX00[12]$/
/** A statement that names what is not there, or whose text is wrong. */
const TEXT = /^42...$/

/** Returns the SQLSTATE of an error, or undefined if it is not of PostgreSQL. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = (error as PostgresError | undefined)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Turns an error of a statement into that of the port. An error that the statement's values have made stays as it is. */
export function explainStatement(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return error
  const state = sqlStateOf(error)
  if (state === undefined) {
    // All else that a client reports is its connection.
    const code = (error as NodeJS.ErrnoException | undefined)?.code ?? 'the connection was lost'
    return new DatabaseUnavailable(`PostgreSQL: ${code}`, { cause: error })
  }
  if (BUSY.test(state)) return new DatabaseUnavailable(`PostgreSQL: ${state}`, { cause: error, busy: true })
  if (OUTAGE.test(state)) return new DatabaseUnavailable(`PostgreSQL: ${state}`, { cause: error })
  if (DAMAGE.test(state)) return new DatabaseDamaged(state, { cause: error })
  if (TEXT.test(state)) return new StatementRefused((error as Error).message, { cause: error })
  return error
}
