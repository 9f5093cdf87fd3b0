import { createHash } from 'node:crypto'
import { createElement } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { ApiDocument } from './document.ts'
import { ReferencePage, script, style } from './reference-page.tsx'

/**
 * The description as one page that needs nothing else: no other file, no other address.
 *
 * @param isGuess whether the page may put the address that it is read from in the place of the document's
 */
export function renderReference(document: ApiDocument, isGuess: boolean): string {
  const page = renderToString(createElement(ReferencePage, { document, isGuess }))
  // There are hundreds, and HTML needs no slash in them.
  return `<!doctype html>\n${page.replaceAll('<wbr/>', '<wbr>')}\n`
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Of the page: nothing but its own style and script, and no request to anywhere. */
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
