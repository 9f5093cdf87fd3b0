/** Takes a browser. */
export const isOfBrowser = (path: string) => path.endsWith('.browser.test.ts')

/** Walks over every page, statement, table, column, kind of damage, time zone or format of pictures. */
export const isOfWalk = (path: string) => path.endsWith('.walk.test.ts')

/**
 * Takes a browser, another process or minutes, or walks over everything, as its name or its folder says: `npm test` runs what proves
 * the rules without it, and `npm run test:all` all.
 */
export function isBeyondRules(path: string): boolean {
  return (
    isOfBrowser(path) ||
    isOfWalk(path) ||
    /\.process\.test\.ts$|^test\/(?:bench|bundle|durability|fuzz|load)\//.test(path)
  )
}

/** Are about what only a data folder has: backups by the program, and a box, which carries a copy. */
const OF_ITS_FILES =
  /\/(?:scheduled-backups|door-only|damaged-file|forgeries\.walk|monthly-migrated|delivery\/crash|lost-files|changed-bytes)\.test\.ts$/

/** Is about SQLite itself, or asks no database, so it proves nothing more on another engine. */
export function isOfNoEngine(path: string): boolean {
  return (
    /\/sqlite\/|^test\/(?:base|texts|docs|bench|bundle|durability|soak)\/|^test\/[^/]+$/.test(path) ||
    OF_ITS_FILES.test(path)
  )
}
