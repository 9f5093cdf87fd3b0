/** These types cover the parts of an OpenAPI 3.1 document that the page shows. */

export interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  format?: string
  pattern?: string
  description?: string
  default?: unknown
  examples?: readonly unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
  example?: unknown
}

export interface Reference {
  $ref: string
}

export interface Media {
  schema: Schema
  example?: unknown
  examples?: Readonly<Record<string, { value: { error: { code: string; message: string } } }>>
}

export interface Response {
  description: string
  content?: Readonly<Record<string, Media>>
}

export interface Operation {
  operationId: string
  tags: readonly string[]
  summary: string
  description: string
  security: readonly Readonly<Record<string, readonly string[]>>[]
  parameters?: readonly (Parameter | Reference)[]
  requestBody?: { required: boolean; description?: string; content: Readonly<Record<string, Media>> }
  responses: Readonly<Record<string, Response>>
}

export interface Path {
  parameters?: readonly (Parameter | Reference)[]
  get?: Operation
  post?: Operation
}

export interface ApiDocument {
  info: { title: string; version: string; summary: string; description: string }
  servers: readonly [{ url: string }]
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Path>>
  webhooks: Readonly<Record<string, Path>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    parameters: Readonly<Record<string, Parameter>>
  }
}

/** An endpoint is an operation with its method, its path and all of its parameters. */
export interface Endpoint {
  method: 'GET' | 'POST'
  path: string
  operation: Operation
  parameters: readonly Parameter[]
}

export function listEndpoints(document: ApiDocument, paths: ApiDocument['paths']): Endpoint[] {
  const resolve = (parameter: Parameter | Reference): Parameter =>
    '$ref' in parameter ? (document.components.parameters[nameOf(parameter.$ref)] as Parameter) : parameter
  return Object.entries(paths).flatMap(([path, { parameters = [], get, post }]) =>
    [['GET', get] as const, ['POST', post] as const].flatMap(([method, operation]) =>
      operation === undefined
        ? []
        : [
            {
              method,
              path,
              operation,
              parameters: [...parameters, ...(operation.parameters ?? [])].map(resolve),
            },
          ],
    ),
  )
}

/** Returns the name of a component, such as `Event` for `#/components/schemas/Event`. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}
