import { existsSync } from 'node:fs'
import { fontEnvironment } from './fonts.ts'

/** Debian's package `chromium` puts the browser here. */
export const CHROMIUM = '/usr/bin/chromium'

/**
 * Returns the options that each Chromium of the tests is launched with. It has the fonts of the tests, whatever the machine has.
 */
export function chromiumOptions(args: readonly string[] = []) {
  if (!existsSync(CHROMIUM)) throw new Error(`There is no ${CHROMIUM}.`)
  return {
    executablePath: CHROMIUM,
    env: fontEnvironment(),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--no-first-run', ...args],
  }
}
