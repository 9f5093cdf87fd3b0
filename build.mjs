import { readdirSync, readFileSync } from 'node:fs'
import { build } from 'esbuild'

const read = path => readFileSync(new URL(path, import.meta.url), 'utf8')
const readFolder = path =>
  Object.fromEntries(readdirSync(new URL(path, import.meta.url)).map(name => [name, read(`${path}/${name}`)]))

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
    CHECKPOINT_WORKER: JSON.stringify(read('src/db/checkpoint-worker.cjs')),
    REFERENCE_TEXTS: JSON.stringify(JSON.stringify(readFolder('src/reference/texts'))),
    SCHEMA_SQL: JSON.stringify(read('schema.sql')),
    TURNOUT_VERSION: JSON.stringify(JSON.parse(read('package.json')).version),
  },
  // A module's own address is asked for only where these constants are absent.
  logOverride: { 'empty-import-meta': 'silent' },
})
