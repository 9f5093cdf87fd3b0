import { createHash } from 'node:crypto'
import { createElement } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { ApiDocument } from './document.ts'
import { ReferencePage, script, style } from './reference-page.tsx'

/**
 * Renders the description as one page that needs no other file and no other address.
 *
 * @param isGuess whether the page may replace the document's address with the one that it is read from
 */
export function renderReference(document: ApiDocument, isGuess: boolean): string {
  const page = renderToString(createElement(ReferencePage, { document, isGuess }))
  // The page has hundreds of these tags, and HTML needs no slash in them.
  return `<!doctype html>\n${page.replaceAll('<wbr/>', '<wbr>')}\n`
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** The page may use only its own style and script, and may send no request anywhere. */
export const REFERENCE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
}
