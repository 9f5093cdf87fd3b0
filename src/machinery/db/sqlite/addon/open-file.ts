import SqliteConnection from 'better-sqlite3'
import { nativeBinding } from './native-binding.ts'

/**
 * Opens a file, or `:memory:`, with the addon of this program. better-sqlite3 never looks for an addon itself.
 *
 * @throws Refusal
 */
export function openSqliteFile(
  path: string,
  options: SqliteConnection.Options = {},
): SqliteConnection.Database {
  // The types of better-sqlite3 only allow a path.
  const binding = nativeBinding() as unknown as string
  return new SqliteConnection(path, { ...options, nativeBinding: binding })
}
