import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { licencesOf } from './licences.mjs'

const root = dirname(import.meta.dirname)
const BELOW = '/door/'
const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

/**
 * Builds the scanner's page: every file that a phone gets, ready to be sent.
 *
 * @returns {Promise<{ files: { path: string, type: string, gzip: string }[], inputs: string[] }>} paths below `/door/`, bytes in
 * Base64 of gzip, and what went into them
 */
export async function buildDoorPage() {
  const files = []
  /** The address has the hash of the content, so that what is there never changes. */
  const add = (name, extension, bytes) => {
    return addAt(`files/${name}.${hashOf(bytes)}${extension}`, extension, bytes)
  }
  const addAt = (path, extension, bytes) => {
    const gzip = gzipSync(bytes, { level: 9 }).toString('base64')
    files.push({ path, type: types[extension], gzip })
    return BELOW + path
  }
  const inputs = new Set()
  const compile = async (entry, define = {}) => {
    const { outputFiles, metafile } = await build({
      absWorkingDir: root,
      entryPoints: [`src/faces/scanner/page/${entry}`],
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'iife',
      target: ['es2022', 'safari16.4', 'firefox115', 'chrome105'],
      jsx: 'automatic',
      jsxImportSource: 'preact',
      define: Object.fromEntries(
        Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)]),
      ),
      legalComments: 'none',
      metafile: true,
      outdir: 'dist',
      write: false,
    })
    for (const path of Object.keys(metafile.inputs)) inputs.add(path)
    const [{ text }] = outputFiles
    return text + (entry.endsWith('.css') ? '' : licencesOf(Object.keys(metafile.inputs), root))
  }
  const wasm = add('zxing', '.wasm', readFileSync(resolvePackage('zxing-wasm/reader/zxing_reader.wasm')))
  const decoder = add('decoder', '.js', await compile('decoder-worker.ts', { WASM_ADDRESS: wasm }))
  const script = add('door', '.js', await compile('main.tsx', { DECODER_ADDRESS: decoder }))
  const style = add('door', '.css', await compile('style.css'))
  const icons = [180, 192, 512].map(side => ({ side, path: add(`icon-${side}`, '.png', drawIcon(side)) }))
  addAt('manifest.webmanifest', '.webmanifest', JSON.stringify(manifestOf(icons)))
  addAt('', '.html', documentOf({ script, style, icon: icons[0].path }))
  const kept = files.filter(({ path }) => !path.endsWith('.webmanifest')).map(({ path }) => BELOW + path)
  addAt(
    'worker.js',
    '.js',
    await compile('service-worker.ts', {
      KEPT_FILES: kept,
      MAIN_SCRIPT: script,
      VERSION: hashOf(kept.join()),
    }),
  )
  return { files, inputs: [...inputs] }
}

function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 12)
}

function resolvePackage(path) {
  return createRequire(import.meta.url).resolve(path)
}

function manifestOf(icons) {
  return {
    id: BELOW,
    name: 'Turnout door',
    short_name: 'Door',
    start_url: BELOW,
    scope: BELOW,
    display: 'standalone',
    background_color: '#101418',
    theme_color: '#101418',
    icons: icons.map(({ side, path }) => ({
      src: path,
      sizes: `${side}x${side}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  }
}

function documentOf({ script, style, icon }) {
  return readFileSync(join(root, 'src/faces/scanner/page/page.html'), 'utf8')
    .replace('{{style}}', style)
    .replace('{{script}}', script)
    .replaceAll('{{icon}}', icon)
}

/**
 * Draws a ticket's corner marks with a tick, as PNG (W3C PNG, true colour). The picture reaches the edge, because systems cut their
 * own shape of it.
 */
function drawIcon(side) {
  const rows = Array.from({ length: side }, (_, y) => {
    const row = Buffer.alloc(1 + side * 3)
    for (let x = 0; x < side; x++) row.set(colourAt(x, y, side), 1 + x * 3)
    return row
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const GROUND = [40, 85, 173]
const TICK = [
  [0.3, 0.52],
  [0.45, 0.66],
  [0.72, 0.35],
]

/** Each dot is the mean of 3 x 3 places in it. */
function colourAt(x, y, side) {
  let covered = 0
  for (let part = 0; part < 9; part++) {
    const at = [(x + ((part % 3) + 0.5) / 3) / side, (y + (Math.floor(part / 3) + 0.5) / 3) / side]
    const isTick = Math.min(distance(at, TICK[0], TICK[1]), distance(at, TICK[1], TICK[2])) < 0.055
    if (isTick || isCorner(at)) covered++
  }
  return GROUND.map(value => Math.round(value + ((255 - value) * covered) / 9))
}

/** Returns whether a place is in one of the four angles, which frame the picture as a scanner frames a code. */
function isCorner([x, y]) {
  const [dx, dy] = [Math.abs(x - 0.5), Math.abs(y - 0.5)]
  const isOnEdge = (dx > 0.3 && dx < 0.345) || (dy > 0.3 && dy < 0.345)
  return isOnEdge && dx < 0.345 && dy < 0.345 && dx > 0.17 && dy > 0.17
}

function distance([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay]
  const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
  return Math.hypot(x - ax - along * dx, y - ay - along * dy)
}

function chunk(type, data) {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}
