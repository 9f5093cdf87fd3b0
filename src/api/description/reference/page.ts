import { createHash } from 'node:crypto'
import { type ApiDocument, listEndpoints } from './document.ts'
import { type Content, Html, html } from './html.ts'
import { renderMarkdown, toAnchor } from './markdown.ts'
import { renderOperation, renderWebhook } from './operation.ts'
import { renderFields, schemaAnchor } from './schema.ts'
import { readText } from './texts.ts'

const WEBHOOKS = 'Webhooks'

interface Entry {
  address: string
  text: string
  inner?: readonly Entry[]
}

/**
 * The description as one page that needs nothing else: no other file, no other address.
 *
 * @param isGuess whether the page may put the address that it is read from in the place of the document's
 */
export function renderReference(document: ApiDocument, isGuess: boolean): string {
  const base = document.servers[0].url
  const { title, version, summary, description } = document.info
  const guide = renderMarkdown(description)
  const endpoints = listEndpoints(document, document.paths)
  const sections = document.tags
    .filter(({ name }) => name !== WEBHOOKS)
    .map(tag => ({
      ...tag,
      endpoints: endpoints.filter(({ operation }) => operation.tags.includes(tag.name)),
    }))
  const webhookGuide = renderMarkdown(document.tags.find(({ name }) => name === WEBHOOKS)?.description ?? '')
  const webhooks = listEndpoints(document, document.webhooks)
  const schemas = Object.entries(document.components.schemas)

  const contents: Entry[] = [
    ...guide.headings.map(({ id, text }) => ({ address: id, text })),
    ...sections.map(section => ({
      address: toAnchor(section.name),
      text: section.name,
      inner: section.endpoints.map(({ operation }) => ({
        address: operation.operationId,
        text: operation.summary,
      })),
    })),
    {
      address: toAnchor(WEBHOOKS),
      text: WEBHOOKS,
      inner: [
        ...webhookGuide.headings
          .filter(({ depth }) => depth === 3)
          .map(({ id, text }) => ({ address: id, text })),
        ...webhooks.map(({ path, operation }) => ({ address: operation.operationId, text: path })),
      ],
    },
    {
      address: 'objects',
      text: 'Objects',
      inner: schemas.map(([name]) => ({ address: schemaAnchor(name), text: name })),
    },
  ]

  return html`<!doctype html>
<html lang="en"${isGuess ? html` data-base="${base}"` : undefined}>
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
${renderContents(contents)}
</nav>
<main id="content" tabindex="-1">
<header>
<h1>${title} API reference</h1>
<p>${summary}</p>
<p class="type">Version ${version}. For programs: <a href="openapi.json">the description in OpenAPI 3.1</a>.</p>
</header>
<section>
${guide.content}</section>
${sections.map(
  section => html`<section>
<h2 id="${toAnchor(section.name)}">${section.name}</h2>
${renderMarkdown(section.description).content}
${section.endpoints.map(endpoint => renderOperation(endpoint, base))}</section>
`,
)}<section>
<h2 id="${toAnchor(WEBHOOKS)}">${WEBHOOKS}</h2>
${webhookGuide.content}
${webhooks.map(webhook => renderWebhook(webhook.path, webhook))}</section>
<section>
<h2 id="objects">Objects</h2>
${schemas.map(
  ([name, schema]) => html`<article id="${schemaAnchor(name)}">
<h3>${name}</h3>
${renderFields(schema, false)}
</article>
`,
)}</section>
</main>
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

const style = new Html(readText('page.css').trim())
const script = new Html(readText('page.js').trim())

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
