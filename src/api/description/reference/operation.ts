import type { Endpoint, Media, Parameter, Response } from './document.ts'
import { breakable, type Html, html } from './html.ts'
import { renderMarkdown } from './markdown.ts'
import { describeType, renderFields, renderList } from './schema.ts'

/** One operation: what it does, what it takes, how it is asked, and what it answers. */
export function renderOperation(endpoint: Endpoint, base: string): Html {
  const { method, path, operation, parameters } = endpoint
  const { operationId, summary, description } = operation
  const body = operation.requestBody
  const bodyMedia = body?.content['application/json']
  const [status = '', response] =
    Object.entries(operation.responses).find(([name]) => name.startsWith('2')) ?? []
  return html`<article id="${operationId}">
<h3>${summary}</h3>
<p class="endpoint"><strong class="method ${method.toLowerCase()}">${method}</strong> <code>${breakable(path)}</code></p>
${renderMarkdown(description).content}
${renderParameters('Path', parameters, 'path')}${renderParameters('Query', parameters, 'query')}${renderParameters('Header', parameters, 'header')}
${
  bodyMedia &&
  html`<h4>Body</h4>
${body?.description && html`<p>${body.description}</p>`}${renderFields(bodyMedia.schema, true)}`
}
<h4>Request</h4>
<pre class="sh"><code>${toCurl(endpoint, base)}</code></pre>
<h4>Answer ${status}</h4>
${response && renderAnswer(response)}
${renderErrors(operation.responses)}
</article>
`
}

/** One type of webhook event. */
export function renderWebhook(type: string, { operation }: Endpoint): Html {
  const media = operation.requestBody?.content['application/json']
  return html`<article id="${operation.operationId}">
<h3><code>${type}</code></h3>
<p>${operation.summary}.</p>
${renderMarkdown(operation.description).content}
${
  media &&
  html`${renderFields(media.schema, false)}
<details><summary>Example</summary>${json(media.example)}</details>`
}
</article>
`
}

function renderParameters(title: string, parameters: readonly Parameter[], place: string): Html | undefined {
  const chosen = parameters.filter(parameter => parameter.in === place)
  if (chosen.length === 0) return undefined
  const fields = chosen.map(({ name, schema, description, required }) => ({
    name,
    schema,
    description: description ?? schema.description,
    note: required ? 'required' : undefined,
  }))
  return html`<h4>${title}</h4>
${renderList(fields, true)}
`
}

function renderAnswer({ description, content = {} }: Response): Html {
  const types = Object.entries(content)
  return html`${types.map(
    ([type, media], at) => html`<p>${at === 0 ? description : 'Or'} <span class="type">${type}${
      type === 'application/json' ? html`, ${describeType(media.schema)}` : undefined
    }</span></p>
${renderFields(media.schema, false)}
${renderExample(type, media)}
`,
  )}`
}

function renderExample(type: string, { example }: Media): Html {
  const text = type === 'application/json' ? json(example) : html`<pre><code>${String(example)}</code></pre>`
  return html`<details open><summary>Example</summary>${text}</details>`
}

/** Every code that the operation may answer with; what may befall any request is in the guide. */
function renderErrors(responses: Readonly<Record<string, Response>>): Html {
  const rows = Object.entries(responses).flatMap(([status, { content }]) =>
    status === 'default'
      ? []
      : Object.entries(content?.['application/json']?.examples ?? {}).map(
          ([code, { value }]) =>
            html`<tr><td>${status}</td><td><code>${breakable(code)}</code></td><td>${value.error.message}</td></tr>\n`,
        ),
  )
  return html`<details><summary>Errors</summary><table>
<thead><tr><th>status</th><th>code</th><th>meaning</th></tr></thead>
<tbody>${rows}</tbody>
</table></details>`
}

export function json(value: unknown): Html {
  return html`<pre class="json"><code>${JSON.stringify(value, null, 2)}</code></pre>`
}

/** The request as a command for a shell, with the examples of the description in it. */
export function toCurl({ method, path, operation, parameters }: Endpoint, base: string): string {
  const query = parameters
    .filter(parameter => parameter.in === 'query' && parameter.required)
    .map(parameter => `${parameter.name}=${encodeURIComponent(String(exampleOf(parameter)))}`)
  const place = path.replace('{id}', String(exampleId({ method, path, operation, parameters })))
  const example = operation.requestBody?.required
    ? operation.requestBody.content['application/json']?.example
    : undefined
  const parts: string[] = []
  if (operation.security.length > 0) parts.push('-H "Authorization: Bearer $KEY"')
  if (example !== undefined) {
    parts.push(`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(example))}`)
  } else if (method === 'POST') parts.push('-X POST')
  parts.push(quote(`${base}${place}${query.length > 0 ? `?${query.join('&')}` : ''}`))
  return `curl ${parts.join(parts.length > 2 ? ' \\\n  ' : ' ')}`
}

/** The id of the resource that the example of the answer shows, so that the command fits it. */
function exampleId({ operation, parameters }: Endpoint): unknown {
  const answer = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
  const example = answer?.content?.['application/json']?.example as { id?: string } | undefined
  return example?.id ?? exampleOf(parameters.find(parameter => parameter.in === 'path'))
}

function exampleOf(parameter: Parameter | undefined): unknown {
  return parameter?.example ?? parameter?.schema.examples?.[0] ?? ''
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
