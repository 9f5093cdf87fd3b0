import { createHash } from 'node:crypto'
import { chaptersOf, type Entry } from './chapters.ts'
import type { ApiDocument } from './document.ts'
import { type Content, Html, html } from './html.ts'
import { readText } from './texts.ts'

/**
 * The description as one page that needs nothing else: no other file, no other address.
 *
 * @param isGuess whether the page may put the address that it is read from in the place of the document's
 */
export function renderReference(document: ApiDocument, isGuess: boolean): string {
  const { title, version, summary } = document.info
  const chapters = chaptersOf(document)
  return html`<!doctype html>
<html lang="en"${isGuess ? html` data-base="${document.servers[0].url}"` : undefined}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} API reference</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<button type="button" popovertarget="contents">Contents</button>
<nav id="contents" popover aria-label="Contents">
<search hidden>
<label for="query">Search <kbd aria-hidden="true">/</kbd></label>
<input type="search" id="query" autocomplete="off" autocapitalize="off" spellcheck="false" aria-keyshortcuts="/">
<p id="found" role="status"></p>
</search>
<ul id="matches" hidden></ul>
${renderContents(chapters.flatMap(({ entries }) => entries))}
</nav>
<main id="content" tabindex="-1">
<header>
<h1>${title} API reference</h1>
<p>${summary}</p>
<p class="type">Version ${version}. For programs: <a href="openapi.json">the description in OpenAPI 3.1</a>.</p>
</header>
${chapters.map(({ section }) => section)}</main>
<script>${script}</script>
</body>
</html>
`.text
}

function renderContents(entries: readonly Entry[]): Content {
  return html`<ul>
${entries.map(
  ({ address, text, inner }) =>
    html`<li><a href="#${address}">${text}</a>${inner && renderContents(inner)}</li>\n`,
)}</ul>`
}

const style = new Html(
  ['page.css', 'navigation.css']
    .map(file => readText(file))
    .join('')
    .trim(),
)
/** One script of several files, of which none knows the names in another. */
const script = new Html(
  `'use strict'\n${['page.js', 'copy.js', 'search.js'].map(file => `{\n${readText(file)}}`).join('\n')}`,
)

function hashOf({ text }: Html): string {
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
