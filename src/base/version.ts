import { readFileSync } from 'node:fs'

declare const TURNOUT_VERSION: string | undefined

/** The version of the program. The bundle has it as a constant, and the sources read it from package.json. */
export const version: string =
  typeof TURNOUT_VERSION === 'string'
    ? TURNOUT_VERSION
    : (
        JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
          version: string
        }
      ).version
