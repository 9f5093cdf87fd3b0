import { chaptersOf, type Entry } from './chapters.tsx'
import type { ApiDocument } from './document.ts'
import { readText } from './texts.ts'

export const style = ['page.css', 'navigation.css']
  .map(file => readText(file))
  .join('')
  .trim()
/** The page has one script of several files. Each file is a block of its own, so that no file sees the names of another. */
export const script = `'use strict'\n${['page.js', 'copy.js', 'search.js'].map(file => `{\n${readText(file)}}`).join('\n')}`

export function ReferencePage({ document, isGuess }: { document: ApiDocument; isGuess: boolean }) {
  const { title, version, summary } = document.info
  const chapters = chaptersOf(document)
  return (
    <html lang="en" data-base={isGuess ? document.servers[0].url : undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title} API reference</title>
        <link rel="icon" href="data:," />
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <button type="button" popovertarget="contents">
          Contents
        </button>
        <nav id="contents" popover aria-label="Contents">
          <search hidden>
            <label for="query">
              {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus. */}
              Search <kbd aria-hidden="true">/</kbd>
            </label>
            <input
              type="search"
              id="query"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              aria-keyshortcuts="/"
            />
            <p id="found" role="status" />
          </search>
          <ul id="matches" hidden />
          <Contents entries={chapters.flatMap(({ entries }) => entries)} />
        </nav>
        <main id="content" tabindex={-1}>
          <header>
            <h1>{title} API reference</h1>
            <p>{summary}</p>
            <p class="type">
              Version {version}. For programs: <a href="openapi.json">the description in OpenAPI 3.1</a>.
            </p>
          </header>
          {chapters.map(({ section }) => section)}
        </main>
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  )
}

function Contents({ entries }: { entries: readonly Entry[] }) {
  return (
    <ul>
      {entries.map(({ address, text, inner }) => (
        <li key={address}>
          <a href={`#${address}`}>{text}</a>
          {inner && <Contents entries={inner} />}
        </li>
      ))}
    </ul>
  )
}
