import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join, relative } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { familySync } from 'detect-libc'
import { build } from 'esbuild'
import { CarriedData } from './carried-data.mjs'
import { carryPackages } from './carried-packages.mjs'
import { buildDoorPage } from './door-page.mjs'
import { licencesOf } from './licences.mjs'

const root = dirname(import.meta.dirname)
const read = path => readFileSync(join(root, path), path.endsWith('.ico') ? 'base64' : 'utf8')
/** Returns the files of a folder and of the folders in it, by their paths there. */
const readFolder = path =>
  Object.fromEntries(
    readdirSync(join(root, path), { recursive: true })
      .filter(name => extname(name) !== '')
      .map(name => [name.replaceAll('\\', '/'), read(`${path}/${name}`)]),
  )

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22.14',
  // A start reads and scans the whole file: without white space it takes some 15 ms less. Names and lines stay for traces.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 160,
}

const alias = {
  // An executable has no way to find packages, and says so to everybody when one is tried: `debug` tries one for colours.
  'supports-color': './build/nothing.cjs',
  'iconv-lite': './build/utf8-decoder.cjs',
  // Two packages bring an older list of media types, and one imports luxon in its other form: each would be inside twice.
  'mime-db': './node_modules/mime-db/index.js',
  luxon: './node_modules/luxon/build/node/luxon.js',
}

/** better-sqlite3 has its ready-made addons here, one file a machine. */
const addonFolder = join(
  dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json')),
  'prebuilds',
)

/** Returns the machines that there is an addon for: see `src/machinery/db/machine.ts`. */
export function allTargets() {
  return readdirSync(addonFolder).map(name => basename(name, '.node'))
}

export function thisTarget() {
  return `${process.platform}${familySync() === 'musl' ? 'musl' : ''}-${process.arch}`
}

/**
 * Bundles entry points, each to one file that needs nothing beside it, or better-sqlite3 alone.
 *
 * @param {import('esbuild').BuildOptions} options
 * @param {readonly string[]} targets the machines whose addons are inside; without any, they are looked for beside the file
 * @param {'compiled later' | 'plain' | 'in an executable'} form `compiled later` is for a file in which a short program at the
 *   beginning compiles the rest, with Node's cache of compiled code; in an executable there is no file to read from
 * @returns {Promise<{ inputs: string[] }>} the files that are inside, relative to the project
 */
export async function bundle(options, targets = [thisTarget()], form = 'plain') {
  drawingOnce ??= bundleDrawing()
  const drawing = await drawingOnce
  picturesOnce ??= bundlePictures()
  const pictures = await picturesOnce
  formulasOnce ??= bundleCarried('src/machinery/formulas')
  const formulas = await formulasOnce
  workbooksOnce ??= bundleWorkbooks()
  const workbooks = await workbooksOnce
  pageOnce ??= buildDoorPage()
  const page = await pageOnce
  packagesOnce ??= carryPackages({ ...common, alias }, toAscii)
  const data = new CarriedData({ isApart: form !== 'in an executable' })
  const packages = packagesOnce(data)
  const { outputFiles, metafile } = await build({
    ...common,
    alias,
    plugins: [packages.plugin],
    external: ['better-sqlite3/package.json'],
    define: {
      ...describeAddons(targets, data),
      DOOR_FILES: data.hold('door', JSON.stringify(page.files)),
      FORMULA_THREAD: data.hold('formulas', JSON.stringify(formulas.carried)),
      DATABASE_WORKERS: JSON.stringify(JSON.stringify(await bundleWorkers())),
      REFERENCE_TEXTS: JSON.stringify(
        JSON.stringify(readFolder('src/faces/api/description/reference/texts')),
      ),
      WEB_FILES: JSON.stringify(JSON.stringify(readFolder('src/machinery/web/assets/files'))),
      SCHEMA_SQL: JSON.stringify(read('schema.sql')),
      SIGNING_WORKER: JSON.stringify(read('src/product/guests/attendees/signing-worker.cjs')),
      PICTURE_SIZING: data.hold('pictures', JSON.stringify(pictures.carried)),
      TICKET_DRAWING: data.hold('drawing', JSON.stringify(drawing.carried)),
      WORKBOOK_THREAD: data.hold('workbooks', workbooks.text),
      TURNOUT_VERSION: JSON.stringify(JSON.parse(read('package.json')).version),
    },
    // A module's own address is asked for only where these constants are absent.
    logOverride: { 'empty-import-meta': 'silent' },
    ...options,
    metafile: true,
    write: false,
  })
  const inputs = [metafile, workbooks.metafile].flatMap(each => Object.keys(each.inputs))
  inputs.push(...drawing.inputs, ...pictures.inputs, ...formulas.inputs, ...page.inputs, ...packages.inputs)
  const licences = licencesOf(inputs, root)
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    const beside = `${path}.${process.pid}`
    try {
      writeFileSync(beside, (await assemble(data.part(toAscii(text)), form)) + toAscii(licences))
      // Renaming makes the change at once: a program that starts meanwhile reads the old file or the new one.
      renameSync(beside, path)
    } finally {
      rmSync(beside, { force: true })
    }
  }
  return { inputs }
}

/** Puts the line that runs first before the program, and the carried data behind it: see `src/machinery/ops/compiled-code.ts`. */
async function assemble({ program, data }, form) {
  if (form === 'in an executable') return program
  const isLater = form === 'compiled later'
  const body = isLater ? inComment(program) : program
  const dataAt = body.length + '/*'.length
  const first = isLater
    ? `runCarried(module, ${program.length}, [${dataAt}, ${dataAt + data.length}])`
    : `offerCarriedData(module, [${dataAt}, ${dataAt + data.length}])`
  const { outputFiles } = await build({
    ...common,
    lineLimit: undefined,
    stdin: {
      contents: `import * as carried from './src/machinery/ops/compiled-code.ts'; carried.${first}`,
      resolveDir: root,
    },
    write: false,
  })
  return `${outputFiles[0].text.trimEnd()}${isLater ? '/*' : ''}\n${body}/*${data}*/\n`
}

function inComment(program) {
  if (program.includes(SLASH_IN_COMMENT))
    throw new Error('The program has a byte of its own that stands for a slash.')
  return `${program.replaceAll('*/', `*${SLASH_IN_COMMENT}`)}*/\n`
}

/** The value is that of `src/machinery/ops/compiled-code.ts`, which puts the slash back. */
const SLASH_IN_COMMENT = '\u0001'

/** In the code there is nothing else; one letter in a comment would make the whole text take twice the memory. */
function toAscii(text) {
  const plain = { '\u201c': '"', '\u201d': '"', '\u2019': "'", '\u00a9': '(c)' }
  return text.replace(
    /[^\0-\x7f]/g,
    char => plain[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function describeAddons(targets, data) {
  const isCarried = targets.length > 0
  const addons = (isCarried ? targets : allTargets()).map(target => ({ target, addon: readAddon(target) }))
  const hashes = addons.map(({ target, addon }) => [target, createHash('sha256').update(addon).digest('hex')])
  const carried = isCarried ? addons.map(({ target, addon }) => [target, compressAddon(addon)]) : undefined
  return {
    ADDON_HASHES: toText(hashes),
    CARRIED_ADDONS:
      carried === undefined ? 'undefined' : data.hold('addons', JSON.stringify(Object.fromEntries(carried))),
    BUILT_FOR: isCarried ? JSON.stringify(JSON.stringify(targets)) : 'undefined',
  }
}

function toText(entries) {
  return JSON.stringify(JSON.stringify(Object.fromEntries(entries)))
}

function readAddon(target) {
  return readFileSync(join(addonFolder, `${target}.node`))
}

/** The highest quality would take seconds each, for a tenth less. */
function compressAddon(addon) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  return brotliCompressSync(addon, { params }).toString('base64')
}

/** The texts of the threads of the database, by their names. */
async function bundleWorkers() {
  const names = readdirSync(join(root, 'src/machinery/db/sqlite/threads')).flatMap(
    name => /^(.+)-worker\.cjs$/.exec(name)?.[1] ?? [],
  )
  const { outputFiles } = await build({
    ...common,
    entryPoints: Object.fromEntries(
      names.map(name => [name, `src/machinery/db/sqlite/threads/${name}-worker.cjs`]),
    ),
    outdir: 'dist',
    write: false,
  })
  return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path, '.js'), text]))
}

/** Compressing the fonts takes seconds, and every program has the same. */
let drawingOnce
let picturesOnce
let formulasOnce
let workbooksOnce
let pageOnce
let packagesOnce

/** Bundles the thread that draws tickets, with its fonts. */
function bundleDrawing() {
  // Nothing here reads WOFF 2, and the code that would read it is half of the whole.
  const without = { 'brotli/decompress.js': './build/nothing.cjs' }
  return bundleCarried('src/machinery/ticket-documents/drawing', { alias: without })
}

/** Bundles the thread that makes sizes of pictures, with the codecs that decode and encode them. */
function bundlePictures() {
  // Each codec would give itself an address, which nobody looks for.
  return bundleCarried('src/machinery/pictures', { logOverride: { 'assign-to-define': 'silent' } })
}

/** Bundles a thread with the files of its `carried.json`. They are compressed, because they are read only when it is first needed. */
async function bundleCarried(folder, options) {
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: [`${folder}/worker.ts`],
    define: { 'import.meta.url': '"file:///carried"' },
    metafile: true,
    write: false,
    ...options,
  })
  const compress = bytes => brotliCompressSync(bytes).toString('base64')
  const { resolve } = createRequire(import.meta.url)
  const files = Object.entries(JSON.parse(read(`${folder}/carried.json`))).map(([name, path]) => ({
    name,
    path: resolve(path),
  }))
  return {
    carried: {
      text: compress(toAscii(outputFiles[0].text)),
      files: Object.fromEntries(files.map(({ name, path }) => [name, compress(readFileSync(path))])),
    },
    inputs: [...Object.keys(metafile.inputs), ...files.map(({ path }) => relative(root, path))],
  }
}

/** Bundles the thread that reads and writes workbooks. It is compressed, because it is read only when it is first needed. */
async function bundleWorkbooks() {
  const { outputFiles, metafile } = await build({
    ...common,
    alias,
    entryPoints: ['src/machinery/workbooks/worker.ts'],
    metafile: true,
    write: false,
  })
  return { text: brotliCompressSync(toAscii(outputFiles[0].text)).toString('base64'), metafile }
}
