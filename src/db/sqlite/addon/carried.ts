import { gunzipSync } from 'node:zlib'
import { keepInCache } from './cache.ts'
import { loadAddon } from './load.ts'

/** SQLite's addon as the bundle carries it: gzip in Base64, and the SHA-256 of what is in it, in hexadecimal. */
declare const ADDON_GZIP: string
declare const ADDON_SHA256: string

/** @throws Refusal */
export function loadCarriedAddon(): unknown {
  const path = keepInCache({
    // By its content, so that another version never takes the place of what a running program has loaded.
    name: `better_sqlite3-${ADDON_SHA256.slice(0, 16)}.node`,
    sha256: ADDON_SHA256,
    unpack: () => gunzipSync(Buffer.from(ADDON_GZIP, 'base64')),
  })
  return loadAddon(
    path,
    'Use a build that was made on a system like this one; where the folder forbids to run programs, name another in XDG_CACHE_HOME.',
  )
}
