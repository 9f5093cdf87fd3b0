import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** These folders are about SQLite, about what is measured of it, or about the built package, which brings it. */
const WHOLE = /^test\/(machinery\/db\/sqlite|bench|bundle|durability)\//

/** These modules name SQLite, and each says why. All others come to their database by `engine.ts` and `rows.ts`. */
const ABOUT_SQLITE: Readonly<Record<string, string>> = {
  // They are the way to it.
  'test/support/blank-database.ts': 'it makes the file of a new data folder',
  'test/support/engine.ts': 'it copies a database',
  'test/support/engine-classes.ts': 'it names the classes that tests listen to',
  'test/support/rows-sqlite.ts': 'it is the rows of SQLite',
  'test/support/schema-tables.ts': 'SQLite reads the text of the schema, whatever engine is tested',
  // These listen to the engine itself.
  'test/support/killed-server.ts': 'it kills a server at a statement or a sync of SQLite',
  'test/support/runs/threads-run.ts': 'it runs the threads of SQLite',
  'test/machinery/db/postgresql.walk.test.ts': 'it records what SQLite is asked',
  'test/product/data-care/organization/one-write.test.ts': 'it counts statements between BEGIN and COMMIT',
  'test/machinery/ops/health.process.test.ts': 'the probe looks at the disk of the file',
  'test/machinery/http/log-of-failures.test.ts': 'errors of SQLite quote what nobody may read in the log',
  'test/machinery/ops/metrics.test.ts': 'the metrics of the log are of SQLite',
  // These are about the file.
  'test/machinery/ops/run-mark.process.test.ts': 'the mark lies beside the file, and files are copied',
  'test/load/large-reports.test.ts': 'two of its tests are about the log and the plans of SQLite',
  'test/load/lost-files.test.ts': 'the files are taken away',
  'test/fuzz/changed-bytes.test.ts': 'bytes of a backup are changed',
  'test/product/administration/webhooks/delivery/crash.test.ts':
    'the files are copied as a kill would leave them',
  'test/product/data-care/integrity/damaged-file.test.ts': 'the file is damaged',
  'test/product/data-care/integrity/forgeries.walk.test.ts': 'backups are forged',
  'test/product/data-care/integrity/undamaged.walk.test.ts': 'backups are restored, also old ones',
  'test/product/reporting/reports/monthly-migrated.test.ts': 'a file of version 1 is migrated',
  'test/faces/cli/commands.process.test.ts': 'a backup is interrupted',
  'test/faces/cli/unusable-data.process.test.ts': 'the files are unusable',
  'test/faces/cli/doctor.test.ts': 'the version of a file is changed',
  'test/faces/cli/first-schema.process.test.ts': 'a file of the first schema is migrated',
  'test/faces/dashboard/system/system.test.ts': 'a downloaded backup is opened',
}

test('every test that is not about SQLite comes to its database by the way that another engine can take', () => {
  const named = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map(name => join('test', name))
    .filter(path => path.endsWith('.ts') && !WHOLE.test(path))
    .filter(path =>
      /from '(?:better-sqlite3|#machinery\/db\/sqlite\/[^']+)'/.test(readFileSync(path, 'utf8')),
    )
  assert.deepEqual(named.sort(), Object.keys(ABOUT_SQLITE).sort())
})
