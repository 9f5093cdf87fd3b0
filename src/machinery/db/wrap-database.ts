import type { Database } from './port.ts'

/** Returns the same database with some of its methods replaced. */
export function wrapDatabase(db: Database, replaced: Partial<Database>): Database {
  return {
    read: (owner, work, options) => db.read(owner, work, options),
    write: (owner, work, options) => db.write(owner, work, options),
    stage: rows => db.stage(rows),
    discard: staged => db.discard(staged),
    versionOf: table => db.versionOf(table),
    onCommit: listener => db.onCommit(listener),
    catalog: db.catalog,
    close: () => db.close(),
    ...replaced,
  }
}
