import { readFileSync } from 'node:fs'
import { build } from 'esbuild'

const read = path => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The worker of the checkpoints, as text that the one file carries. */
const worker = await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/db/checkpoint-worker.ts'],
  write: false,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
})

/** One file out: everything but SQLite itself, which is a native addon. */
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/turnout.cjs',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['better-sqlite3'],
  define: {
    CHECKPOINT_WORKER: JSON.stringify(worker.outputFiles[0].text),
    SCHEMA_SQL: JSON.stringify(read('schema.sql')),
    TURNOUT_VERSION: JSON.stringify(JSON.parse(read('package.json')).version),
  },
  // A module's own address is asked for only where these constants are absent.
  logOverride: { 'empty-import-meta': 'silent' },
})
