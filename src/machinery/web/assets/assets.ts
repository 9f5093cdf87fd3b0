import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

declare const WEB_FILES: string | undefined

/**
 * The files of pages, by path: texts, and icons in Base64. The bundle has them as a constant, in JSON, and the sources read them
 * from the folder `files`.
 */
const files: Readonly<Record<string, string>> =
  typeof WEB_FILES === 'string' ? JSON.parse(WEB_FILES) : readFiles(new URL('./files/', import.meta.url))

function readFiles(folder: URL): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    path => extname(path) !== '',
  )
  return Object.fromEntries(
    paths.map(path => {
      const encoding = path.endsWith('.ico') ? 'base64' : 'utf8'
      return [path.replaceAll('\\', '/'), readFileSync(new URL(path, folder), encoding)]
    }),
  )
}

/** Returns a style sheet with its imports in their places, so that a browser requests only one. */
function withImports(text: string): string {
  return text.replace(/^@import "\.\/([^"]+)";$/gm, (_, path: string) => files[path] as string)
}

/** The path of the assets. */
export const ASSETS_PATH = '/assets'

export interface Asset {
  /** The path below `ASSETS_PATH`, with the hash of the text. The content at such a path never changes. */
  path: string
  type: string
  text: string
  /** Its path has no hash, because other sites name it. */
  isFixed: boolean
}

/** The script that other sites have. */
const EMBED = 'embed.js'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

function toAsset(name: string, text: string): Asset {
  const extension = extname(name)
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  const type = types[extension]
  if (type === undefined) throw new Error(`Nobody knows of what type ${name} is.`)
  if (name === EMBED) return { path: `/${EMBED}`, type, text, isFixed: true }
  return { path: `/${name.slice(0, -extension.length)}.${hash}${extension}`, type, text, isFixed: false }
}

const FAVICON = 'favicon.ico'

/** Turnout's mark in three sizes. Browsers look for it at the root, so its address has no hash. */
export const favicon = Buffer.from(files[FAVICON] as string, 'base64')

/** The assets by name. A file in a folder is a part of a file beside that folder. */
const byName = new Map(
  Object.entries(files)
    .filter(([path]) => !path.includes('/') && path !== FAVICON)
    .map(([name, text]) => [name, toAsset(name, withImports(text))]),
)

export const assets: readonly Asset[] = [...byName.values()]

/** Returns the address of a file for pages. @throws Error if there is no such file */
export function assetPath(name: string): string {
  const asset = byName.get(name)
  if (asset === undefined) throw new Error(`There is no file ${name}.`)
  return ASSETS_PATH + asset.path
}
