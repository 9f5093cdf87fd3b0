import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { familySync } from 'detect-libc'
import { build } from 'esbuild'
import { buildDoorPage } from './door-page.mjs'
import { licencesOf } from './licences.mjs'

const root = dirname(import.meta.dirname)
const read = path => readFileSync(join(root, path), 'utf8')
const readFolder = path =>
  Object.fromEntries(readdirSync(join(root, path)).map(name => [name, read(`${path}/${name}`)]))

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // A start reads and scans the whole file: without white space it takes some 15 ms less. Names and lines stay for traces.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 160,
}

/**
 * Bundles entry points, each to one file that needs nothing beside it, or SQLite's addon alone, which is of one machine.
 *
 * @param {import('esbuild').BuildOptions} options
 */
export async function bundle(options, { addonInside } = { addonInside: true }) {
  drawingOnce ??= bundleDrawing()
  const drawing = await drawingOnce
  pageOnce ??= buildDoorPage()
  const page = await pageOnce
  const { outputFiles, metafile } = await build({
    ...common,
    // An executable has no way to find packages, and says so to everybody when one is tried: `debug` tries one for colours.
    alias: {
      bindings: `./src/db/sqlite/addon/${addonInside ? 'of-bundle' : 'of-package'}.cjs`,
      'supports-color': './build/nothing.cjs',
    },
    external: ['better-sqlite3/package.json'],
    define: {
      ...(addonInside ? describeAddon() : {}),
      DOOR_FILES: JSON.stringify(JSON.stringify(page.files)),
      DATABASE_WORKERS: JSON.stringify(JSON.stringify(await bundleWorkers())),
      REFERENCE_TEXTS: JSON.stringify(JSON.stringify(readFolder('src/api/description/reference/texts'))),
      WEB_FILES: JSON.stringify(JSON.stringify(readFolder('src/web/assets/files'))),
      SCHEMA_SQL: JSON.stringify(read('schema.sql')),
      SIGNING_WORKER: JSON.stringify(read('src/attendees/signing-worker.cjs')),
      TICKET_DRAWING: JSON.stringify(JSON.stringify(drawing.carried)),
      TURNOUT_VERSION: JSON.stringify(JSON.parse(read('package.json')).version),
    },
    // A module's own address is asked for only where these constants are absent.
    logOverride: { 'empty-import-meta': 'silent' },
    ...options,
    metafile: true,
    write: false,
  })
  const licences = licencesOf([...Object.keys(metafile.inputs), ...drawing.inputs, ...page.inputs], root)
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    // A program that starts meanwhile reads the old file or the new one.
    writeFileSync(`${path}.${process.pid}`, toAscii(text + licences))
    renameSync(`${path}.${process.pid}`, path)
  }
}

/** In the code there is nothing else; one letter in a comment would make the whole text take twice the memory. */
function toAscii(text) {
  const plain = { '\u201c': '"', '\u201d': '"', '\u2019': "'", '\u00a9': '(c)' }
  return text.replace(
    /[^\0-\x7f]/g,
    char => plain[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function describeAddon() {
  const addon = readFileSync(findAddon())
  return {
    ADDON_GZIP: JSON.stringify(gzipSync(addon, { level: 9 }).toString('base64')),
    ADDON_SHA256: JSON.stringify(createHash('sha256').update(addon).digest('hex')),
    BUILT_FOR: JSON.stringify(JSON.stringify(thisMachine())),
  }
}

/** SQLite, where npm has built it. */
function findAddon() {
  const main = createRequire(import.meta.url).resolve('better-sqlite3')
  return join(dirname(main), '../build/Release/better_sqlite3.node')
}

/** See `src/ops/built-for.ts`. */
function thisMachine() {
  const { platform, arch, versions } = process
  const libc = platform === 'linux' ? familySync() : null
  return { node: versions.node.split('.')[0], modules: versions.modules, platform, arch, libc }
}

/** The texts of the threads of the database, by their names. */
async function bundleWorkers() {
  const names = readdirSync(join(root, 'src/db/sqlite/threads')).flatMap(
    name => /^(.+)-worker\.cjs$/.exec(name)?.[1] ?? [],
  )
  const { outputFiles } = await build({
    ...common,
    entryPoints: Object.fromEntries(names.map(name => [name, `src/db/sqlite/threads/${name}-worker.cjs`])),
    outdir: 'dist',
    alias: { bindings: './src/db/sqlite/addon/of-thread.cjs' },
    write: false,
  })
  return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path, '.js'), text]))
}

/** Compressing the fonts takes seconds, and every program has the same. */
let drawingOnce
let pageOnce

/** The thread that draws tickets, with its fonts: compressed, as it is only read when it is first needed. */
async function bundleDrawing() {
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: ['src/ticket-documents/drawing/worker.ts'],
    // WOFF 2 is read by nothing here, and what reads it is half of the whole.
    alias: { 'brotli/decompress.js': './build/nothing.cjs' },
    define: { 'import.meta.url': '"file:///ticket-documents"' },
    metafile: true,
    write: false,
  })
  const compress = bytes => brotliCompressSync(bytes).toString('base64')
  const { resolve } = createRequire(import.meta.url)
  const files = Object.entries(JSON.parse(read('src/ticket-documents/drawing/carried.json'))).map(
    ([name, path]) => ({ name, path: resolve(path) }),
  )
  return {
    carried: {
      text: compress(toAscii(outputFiles[0].text)),
      files: Object.fromEntries(files.map(({ name, path }) => [name, compress(readFileSync(path))])),
    },
    inputs: [...Object.keys(metafile.inputs), ...files.map(({ path }) => relative(root, path))],
  }
}
