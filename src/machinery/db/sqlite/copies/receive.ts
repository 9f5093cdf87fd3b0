import { StagedFile } from '#machinery/files/staged-file.ts'
import type { InsertRows } from '../../copy.ts'
import type { Value } from '../../port.ts'
import { Connection } from '../connection.ts'
import { claimDataFolder, databasePath } from '../data-folder.ts'
import { currentSchema, latestVersion } from '../migrations.ts'
import { refuseData } from './restore.ts'

/**
 * Makes the database of an empty data folder from rows. It gets its place once all are there, so nothing half made is left.
 *
 * @param fill inserts all rows
 * @throws Refusal if the folder has data or a server, and leaves it as it was
 */
export async function receive<T>(folder: string, fill: (insert: InsertRows) => Promise<T>): Promise<T> {
  refuseData(folder)
  const free = claimDataFolder(folder)
  try {
    // Somebody may have begun to use the folder.
    refuseData(folder)
    const staged = new StagedFile(databasePath(folder))
    try {
      const result = await fillFile(staged.path, fill)
      staged.place()
      return result
    } finally {
      staged.discard()
    }
  } finally {
    free()
  }
}

async function fillFile<T>(path: string, fill: (insert: InsertRows) => Promise<T>): Promise<T> {
  const connection = new Connection(path, 0)
  try {
    connection.exec('BEGIN')
    connection.exec(currentSchema.create)
    connection.pragma(`user_version = ${latestVersion(currentSchema)}`)
    const result = await fill(async (table, rows) => {
      const [first] = rows
      if (first === undefined) return
      const names = Object.keys(first)
      connection.runEach(
        `INSERT INTO "${table}" (${names.map(name => `"${name}"`)}) VALUES (${names.map(() => '?')})`,
        rows.map(row => names.map(name => row[name] as Value)),
      )
    })
    connection.run('COMMIT')
    return result
  } finally {
    connection.close()
  }
}
