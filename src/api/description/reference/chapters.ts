import { type ApiDocument, type Endpoint, listEndpoints } from './document.ts'
import { type Html, html } from './html.ts'
import { renderMarkdown, toAnchor } from './markdown.ts'
import { renderOperation, renderWebhook } from './operation.ts'
import { renderFields, schemaAnchor } from './schema.ts'

const WEBHOOKS = 'Webhooks'

/** A line of the contents. */
export interface Entry {
  address: string
  text: string
  inner?: readonly Entry[]
}

export interface Chapter {
  entries: readonly Entry[]
  section: Html
}

/** What the page tells of, in its order: the guide, each kind of resource, the webhooks, the objects. */
export function chaptersOf(document: ApiDocument): Chapter[] {
  const base = document.servers[0].url
  const endpoints = listEndpoints(document, document.paths)
  const tags = document.tags.filter(({ name }) => name !== WEBHOOKS)
  return [
    guide(document),
    ...tags.map(tag =>
      resources(
        tag,
        endpoints.filter(({ operation }) => operation.tags.includes(tag.name)),
        base,
      ),
    ),
    webhooks(document),
    objects(document),
  ]
}

function guide({ info }: ApiDocument): Chapter {
  const { headings, content } = renderMarkdown(info.description)
  return {
    entries: headings.map(({ id, text }) => ({ address: id, text })),
    section: html`<section>
${content}</section>
`,
  }
}

function resources(tag: ApiDocument['tags'][number], endpoints: readonly Endpoint[], base: string): Chapter {
  const address = toAnchor(tag.name)
  const inner = endpoints.map(({ operation }) => ({
    address: operation.operationId,
    text: operation.summary,
  }))
  return {
    entries: [{ address, text: tag.name, inner }],
    section: html`<section>
<h2 id="${address}">${tag.name}</h2>
${renderMarkdown(tag.description).content}
${endpoints.map(endpoint => renderOperation(endpoint, base))}</section>
`,
  }
}

function webhooks(document: ApiDocument): Chapter {
  const address = toAnchor(WEBHOOKS)
  const text = document.tags.find(({ name }) => name === WEBHOOKS)?.description ?? ''
  const { headings, content } = renderMarkdown(text)
  const events = listEndpoints(document, document.webhooks)
  const inner = [
    ...headings.filter(({ depth }) => depth === 3).map(({ id, text }) => ({ address: id, text })),
    ...events.map(({ path, operation }) => ({ address: operation.operationId, text: path })),
  ]
  return {
    entries: [{ address, text: WEBHOOKS, inner }],
    section: html`<section>
<h2 id="${address}">${WEBHOOKS}</h2>
${content}
${events.map(event => renderWebhook(event.path, event))}</section>
`,
  }
}

function objects(document: ApiDocument): Chapter {
  const schemas = Object.entries(document.components.schemas)
  const inner = schemas.map(([name]) => ({ address: schemaAnchor(name), text: name }))
  return {
    entries: [{ address: 'objects', text: 'Objects', inner }],
    section: html`<section>
<h2 id="objects">Objects</h2>
${schemas.map(
  ([name, schema]) => html`<article id="${schemaAnchor(name)}">
<h3>${name}</h3>
${renderFields(schema, false)}
</article>
`,
)}</section>
`,
  }
}
