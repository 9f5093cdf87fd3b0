import { Fragment } from 'preact'
import { Breakable } from './breakable.tsx'
import type { Endpoint, Parameter, Response } from './document.ts'
import { Markdown } from './markdown.tsx'
import { describeType, FieldList, Properties } from './schema.tsx'

/** Shows one operation: what it does, what it takes, an example request, and what it answers. */
export function OperationArticle({ endpoint, base }: { endpoint: Endpoint; base: string }) {
  const { method, path, operation, parameters } = endpoint
  const { operationId, summary, description, requestBody } = operation
  const body = requestBody?.content['application/json']
  const [status = '', response] =
    Object.entries(operation.responses).find(([name]) => name.startsWith('2')) ?? []
  return (
    <article id={operationId}>
      <h3>{summary}</h3>
      <p class="endpoint">
        <strong class={`method ${method.toLowerCase()}`}>{method}</strong>{' '}
        <code>
          <Breakable text={path} />
        </code>
      </p>
      <Markdown text={description} />
      <Parameters title="Path" parameters={parameters} place="path" />
      <Parameters title="Query" parameters={parameters} place="query" />
      <Parameters title="Header" parameters={parameters} place="header" />
      {body && (
        <>
          <h4>Body</h4>
          {requestBody?.description && <p>{requestBody.description}</p>}
          <Properties schema={body.schema} isRequest />
        </>
      )}
      <h4>Request</h4>
      <pre class="sh">
        <code>{toCurl(endpoint, base)}</code>
      </pre>
      <h4>Answer {status}</h4>
      {response && <Answer response={response} />}
      <Errors responses={operation.responses} />
    </article>
  )
}

/** Shows one type of webhook event. */
export function WebhookArticle({ type, endpoint: { operation } }: { type: string; endpoint: Endpoint }) {
  const media = operation.requestBody?.content['application/json']
  return (
    <article id={operation.operationId}>
      <h3>
        <code>{type}</code>
      </h3>
      <p>{operation.summary}.</p>
      <Markdown text={operation.description} />
      {media && (
        <>
          <Properties schema={media.schema} isRequest={false} />
          <details>
            <summary>Example</summary>
            <Json value={media.example} />
          </details>
        </>
      )}
    </article>
  )
}

function Parameters({
  title,
  parameters,
  place,
}: {
  title: string
  parameters: readonly Parameter[]
  place: Parameter['in']
}) {
  const chosen = parameters.filter(parameter => parameter.in === place)
  if (chosen.length === 0) return null
  const fields = chosen.map(({ name, schema, description, required }) => ({
    name,
    schema,
    description: description ?? schema.description,
    note: required ? 'required' : undefined,
  }))
  return (
    <>
      <h4>{title}</h4>
      <FieldList fields={fields} isRequest />
    </>
  )
}

function Answer({ response: { description, content = {} } }: { response: Response }) {
  return (
    <>
      {Object.entries(content).map(([type, media], at) => (
        <Fragment key={type}>
          <p>
            {at === 0 ? description : 'Or'}{' '}
            <span class="type">
              {type}
              {type === 'application/json' && [', ', describeType(media.schema)]}
            </span>
          </p>
          <Properties schema={media.schema} isRequest={false} />
          <details open>
            <summary>Example</summary>
            {type === 'application/json' ? (
              <Json value={media.example} />
            ) : (
              <pre>
                <code>{String(media.example)}</code>
              </pre>
            )}
          </details>
        </Fragment>
      ))}
    </>
  )
}

/** Lists every code that the operation may answer with. The guide has those that any request may meet. */
function Errors({ responses }: { responses: Readonly<Record<string, Response>> }) {
  const rows = Object.entries(responses).flatMap(([status, { content }]) =>
    status === 'default'
      ? []
      : Object.entries(content?.['application/json']?.examples ?? {}).map(([code, { value }]) => (
          <tr key={code}>
            <td>{status}</td>
            <td>
              <code>
                <Breakable text={code} />
              </code>
            </td>
            <td>{value.error.message}</td>
          </tr>
        )),
  )
  return (
    <details>
      <summary>Errors</summary>
      <table>
        <thead>
          <tr>
            <th>status</th>
            <th>code</th>
            <th>meaning</th>
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </details>
  )
}

function Json({ value }: { value: unknown }) {
  return (
    <pre class="json">
      <code>{JSON.stringify(value, null, 2)}</code>
    </pre>
  )
}

/** Returns the request as a command for a shell, with the examples of the description in it. */
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

/** Returns the id of the resource in the example of the answer, so that the command fits that answer. */
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
