import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Refusal } from '#base/refusal.ts'

const OPENING = '<!-- bench -->'
const CLOSING = '<!-- /bench -->'

/**
 * Finds out before a run, which takes minutes, whether its result can be written into a page.
 *
 * @throws Refusal
 */
export function ensureMarkers(path: string): void {
  fillIn(readPage(path), '', path)
}

/**
 * Writes the result of a run into a page, between its markers. The page is read only now, because somebody may have changed its prose
 * during the run.
 *
 * @throws Refusal
 */
export function writePage(path: string, result: string): void {
  writeFileSync(path, fillIn(readPage(path), result, path))
}

/**
 * Puts a result in the place of the one before, and keeps all that stands around the markers.
 *
 * @param path the page, for the sentence of a refusal
 * @throws Refusal if each marker does not stand there exactly once, in this order
 */
export function fillIn(page: string, result: string, path: string): string {
  const opening = onlyPlaceOf(page, OPENING)
  const closing = onlyPlaceOf(page, CLOSING)
  if (opening === undefined || closing === undefined || closing < opening)
    throw new Refusal(
      `${path} has no one place for the result: write the markers "${OPENING}" and "${CLOSING}" into it once, in this order.`,
    )
  // The result is joined and not replaced, because in a replacement "$&" would be a pattern.
  return `${page.slice(0, opening + OPENING.length)}\n\n${result.trim()}\n\n${page.slice(closing)}`
}

/** Returns where a marker stands if it stands there exactly once. */
function onlyPlaceOf(page: string, marker: string): number | undefined {
  const place = page.indexOf(marker)
  return place !== -1 && place === page.lastIndexOf(marker) ? place : undefined
}

function readPage(path: string): string {
  if (!existsSync(path))
    throw new Refusal(
      `There is no file ${path}: name a page that has the markers "${OPENING}" and "${CLOSING}".`,
    )
  return readFileSync(path, 'utf8')
}
