import type { VNode } from 'preact'
import { type ApiDocument, type Endpoint, listEndpoints } from './document.ts'
import { headingsOf, Markdown, toAnchor } from './markdown.tsx'
import { OperationArticle, WebhookArticle } from './operation.tsx'
import { Properties, schemaAnchor } from './schema.tsx'

const WEBHOOKS = 'Webhooks'

/** An entry is one line of the contents. */
export interface Entry {
  address: string
  text: string
  inner?: readonly Entry[]
}

export interface Chapter {
  entries: readonly Entry[]
  section: VNode
}

/** Returns the chapters in the order of the page: the guide, each kind of resource, the webhooks, the objects. */
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
  return {
    entries: headingsOf(info.description).map(({ id, text }) => ({ address: id, text })),
    section: (
      <section>
        <Markdown text={info.description} />
      </section>
    ),
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
    section: (
      <section>
        <h2 id={address}>{tag.name}</h2>
        <Markdown text={tag.description} />
        {endpoints.map(endpoint => (
          <OperationArticle key={endpoint.operation.operationId} endpoint={endpoint} base={base} />
        ))}
      </section>
    ),
  }
}

function webhooks(document: ApiDocument): Chapter {
  const address = toAnchor(WEBHOOKS)
  const text = document.tags.find(({ name }) => name === WEBHOOKS)?.description ?? ''
  const events = listEndpoints(document, document.webhooks)
  const inner = [
    ...headingsOf(text)
      .filter(({ depth }) => depth === 3)
      .map(({ id, text }) => ({ address: id, text })),
    ...events.map(({ path, operation }) => ({ address: operation.operationId, text: path })),
  ]
  return {
    entries: [{ address, text: WEBHOOKS, inner }],
    section: (
      <section>
        <h2 id={address}>{WEBHOOKS}</h2>
        <Markdown text={text} />
        {events.map(event => (
          <WebhookArticle key={event.path} type={event.path} endpoint={event} />
        ))}
      </section>
    ),
  }
}

function objects(document: ApiDocument): Chapter {
  const schemas = Object.entries(document.components.schemas)
  const inner = schemas.map(([name]) => ({ address: schemaAnchor(name), text: name }))
  return {
    entries: [{ address: 'objects', text: 'Objects', inner }],
    section: (
      <section>
        <h2 id="objects">Objects</h2>
        {schemas.map(([name, schema]) => (
          <article key={name} id={schemaAnchor(name)}>
            <h3>{name}</h3>
            <Properties schema={schema} isRequest={false} />
          </article>
        ))}
      </section>
    ),
  }
}
