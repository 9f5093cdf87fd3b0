import { listEndpoints } from '#faces/api/description/reference/document.ts'
import { apiDocument } from './api-document.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as the JSON that it is
type Json = any

/** Describes the input of an operation, as the description has it. */
export interface DescribedOperation {
  method: 'GET' | 'POST'
  /** The path has `{id}` where the operation has one. */
  path: string
  /** The names of its query parameters. */
  query: string[]
  /** Undefined for one that takes no body. */
  body?: { schema: Json; example: Json }
}

export function describedOperations(): DescribedOperation[] {
  return listEndpoints(apiDocument, apiDocument.paths).map(({ method, path, operation, parameters }) => {
    const query = parameters.filter(parameter => parameter.in === 'query').map(({ name }) => name)
    const body: Json = operation.requestBody?.content['application/json']
    return { method, path, query, ...(body === undefined ? {} : { body }) }
  })
}

/**
 * Returns the paths of all fields of a body, that of the body itself first. `0` is an item, and `key` any key of an open object.
 */
export function fieldPaths(schema: Json, path: string[] = []): string[][] {
  const children = [schema, ...(schema.anyOf ?? [])].flatMap(
    ({ properties, items, additionalProperties }) => [
      ...Object.entries<Json>(properties ?? {}),
      ...(items === undefined ? [] : [['0', items]]),
      ...(typeof additionalProperties === 'object' ? [['key', additionalProperties]] : []),
    ],
  )
  return [path, ...children.flatMap(([step, field]) => fieldPaths(field, [...path, step]))]
}

const MARK = '\u0000field\u0000'

/** Returns the JSON of a body with `json` in the field of this path, and otherwise with what the example has. */
export function bodyWithField({ schema, example }: { schema: Json; example: Json }, path: string[]) {
  const [start = '', end = ''] = JSON.stringify(build(schema, example, path)).split(JSON.stringify(MARK))
  return (json: string) => Buffer.from(start + json + end)
}

function build(schema: Json, example: Json, [step, ...rest]: string[]): Json {
  if (step === undefined) return MARK
  const options: Json[] = [schema, ...(schema.anyOf ?? [])]
  const items = options.find(option => option.items !== undefined)?.items
  if (items !== undefined) return [build(items, example?.[0], rest)]
  const object = options.find(option => option.type === 'object')
  const required: string[] = object.required ?? []
  const field = object.properties?.[step] ?? object.additionalProperties
  return {
    ...Object.fromEntries(required.map(name => [name, example[name]])),
    [step]: build(field, example?.[step], rest),
  }
}

/** Returns the largest legal body of at most `bytes`, with texts of `character`. */
export function largestBody(
  { schema, example }: { schema: Json; example: Json },
  character: string,
  bytes: number,
): Buffer {
  for (let longest = 100_000; ; longest = Math.floor(longest * 0.9)) {
    const body = Buffer.from(JSON.stringify(fill(schema, example, character, longest)))
    if (body.length <= bytes) return body
  }
}

function fill(schema: Json, example: Json, character: string, longest: number): Json {
  const text = (length: number) => character.repeat(Math.min(length, longest))
  const [first = schema] = schema.anyOf ?? []
  if (first.enum !== undefined) return first.enum[0]
  if (first.type === 'string') {
    if (first.format === undefined) return text(first.maxLength)
    return example ?? first.examples[0]
  }
  if (first.type === 'integer') return first.maximum
  if (first.type === 'array') {
    return Array.from({ length: first.maxItems }, () => fill(first.items, example?.[0], character, longest))
  }
  // Of fields that exclude each other the first is taken.
  const others: string[] = (first.oneOf ?? []).slice(1).flatMap(({ required }: Json) => required)
  const named = Object.entries<Json>(first.properties ?? {})
    .filter(([name]) => !others.includes(name))
    .map(([name, field]) => [name, fill(field, example?.[name], character, longest)])
  const open = typeof first.additionalProperties === 'object' ? first.maxProperties : 0
  const keys = Array.from({ length: open }, (_, at) => [
    `${at}`.padStart(3) + text(first.propertyNames.maxLength - 3),
    fill(first.additionalProperties, undefined, character, longest),
  ])
  return Object.fromEntries([...named, ...keys])
}
