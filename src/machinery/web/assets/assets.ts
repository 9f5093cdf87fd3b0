import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

declare const WEB_FILES: string | undefined

/** The files of pages, by name. The bundle carries them as a constant, in JSON; the sources read them from beside them. */
const files: Readonly<Record<string, string>> =
  typeof WEB_FILES === 'string' ? JSON.parse(WEB_FILES) : readFiles(new URL('./files/', import.meta.url))

function readFiles(folder: URL): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map(name => [name, readFileSync(new URL(name, folder), 'utf8')]),
  )
}

/** Where assets are served. */
export const ASSETS_PATH = '/assets'

export interface Asset {
  /** Below `ASSETS_PATH`, with the hash of the text: what is there never changes. */
  path: string
  type: string
  text: string
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

function toAsset(name: string, text: string): Asset {
  const extension = extname(name)
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  const type = types[extension]
  if (type === undefined) throw new Error(`Nobody knows of what type ${name} is.`)
  return { path: `/${name.slice(0, -extension.length)}.${hash}${extension}`, type, text }
}

const byName = new Map(Object.entries(files).map(([name, text]) => [name, toAsset(name, text)]))

export const assets: readonly Asset[] = [...byName.values()]

/** The address of a file in pages. @throws Error for one that there is not */
export function assetPath(name: string): string {
  const asset = byName.get(name)
  if (asset === undefined) throw new Error(`There is no file ${name}.`)
  return ASSETS_PATH + asset.path
}
