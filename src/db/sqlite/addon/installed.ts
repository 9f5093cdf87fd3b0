import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Refusal } from '../../../refusal.ts'
import { loadAddon } from './load.ts'

/**
 * The addon that the install script of better-sqlite3 has fetched or built. Of that package nothing else is read: another
 * version that is installed while the program runs must not meet the addon that is loaded.
 *
 * @param description the path of the package's package.json
 * @throws Refusal
 */
export function loadInstalledAddon(description: string): unknown {
  const folder = dirname(description)
  const addon = join(folder, 'build', 'Release', 'better_sqlite3.node')
  const command = `cd "${folder}" && npm run install`
  if (!existsSync(addon)) {
    throw new Refusal(
      `SQLite is missing, as the install script of better-sqlite3 failed or was not allowed to run. To run it: ${command}`,
    )
  }
  return loadAddon(
    addon,
    `It is of one platform and one major version of Node. To get it for this one: ${command}`,
  )
}
