import { setEnvironmentData } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { Refusal } from '../../../refusal.ts'
import { keepInCache } from './cache.ts'

/** SQLite's addon as the bundle carries it: gzip in Base64, and the SHA-256 of what is in it, in hexadecimal. */
declare const ADDON_GZIP: string
declare const ADDON_SHA256: string

let path: string | undefined

/**
 * The addon of the bundle as a file, for all threads: two copies of SQLite in one process would take each other's locks
 * away, as POSIX frees the locks of a process on a file with the first descriptor that it closes.
 *
 * @throws Refusal
 */
export function carriedAddonPath(): string {
  if (path === undefined) {
    path = keepInCache({
      // By its content, so that another version never takes the place of what a running program has loaded.
      name: `better_sqlite3-${ADDON_SHA256.slice(0, 16)}.node`,
      sha256: ADDON_SHA256,
      unpack: () => gunzipSync(Buffer.from(ADDON_GZIP, 'base64')),
    })
    setEnvironmentData('turnout.addon', path)
  }
  return path
}

/** @throws Refusal */
export function loadCarriedAddon(): unknown {
  const file = carriedAddonPath()
  const loaded = { exports: {} }
  try {
    // Not `require`, which looks at the file first: threads begin late, and the file may be gone from the cache by then.
    process.dlopen(loaded, file)
  } catch (error) {
    const { message } = error as Error
    throw new Refusal(
      `SQLite cannot be loaded (${message}). Use a build that was made on a system like this one; where the folder forbids to run programs, name another in XDG_CACHE_HOME.`,
      { cause: error },
    )
  }
  return loaded.exports
}
