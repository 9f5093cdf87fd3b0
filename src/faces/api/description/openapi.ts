import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { ApiProblemCode } from '#base/problem.ts'
import { type Scope, scopes } from '#product/administration/keys/scopes.ts'
import {
  type ParamSchema,
  type PublicRoute,
  paramsOf,
  type Route,
  refusesUnknownQuery,
  resourceId,
} from '../route.ts'
import { describePublicPaths } from './openapi-public.ts'
import { describeErrors, errorSchema, HEADERS, headersOf, type Json } from './openapi-responses.ts'

export interface ApiInfo {
  version: string
  baseUrl: string
  /** The introduction is in Markdown. */
  description: string
  routes: readonly Route[]
  publicRoutes: readonly PublicRoute[]
  webhooks: readonly WebhookInfo[]
  /** These named resources become components. */
  resources: Readonly<Record<string, v.GenericSchema>>
  tags: Readonly<Record<string, string>>
}

export interface WebhookInfo {
  type: string
  summary: string
  description: string
  tag: string
  /** This is the schema of the envelope. */
  schema: v.GenericSchema
  example: unknown
}

const AUTHENTICATION_CODES: readonly ApiProblemCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'expired_api_key',
  'revoked_api_key',
  'ambiguous_credentials',
  'insufficient_scope',
  'rate_limited',
]
const QUERY_CODES: readonly ApiProblemCode[] = ['invalid_parameter', 'unknown_parameter']
const WRITE_CODES: readonly ApiProblemCode[] = [
  'door_only',
  'malformed_json',
  'invalid_parameter',
  'unknown_parameter',
  'invalid_idempotency_key',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
]

/** Builds the description of the service in OpenAPI 3.1 from the declarations of its routes (specification section 9). */
export function buildOpenApi({
  version,
  baseUrl,
  description,
  routes,
  publicRoutes,
  webhooks,
  resources,
  tags,
}: ApiInfo): Json {
  const definitions = { ...resources, Error: errorSchema }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnout',
      version,
      summary: 'The REST service that event organizers run themselves.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This server.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [],
    paths: { ...describePaths(routes, definitions), ...describePublicPaths(publicRoutes) },
    webhooks: Object.fromEntries(
      webhooks.map(webhook => [webhook.type, { post: describeWebhook(webhook, definitions) }]),
    ),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: PARAMETERS,
      headers: HEADERS,
      schemas: toJsonSchemaDefs(definitions, { ...CONVERSION, overrideRef: toComponent }),
    },
  }
}

const CONVERSION = { target: 'draft-2020-12', errorMode: 'ignore' } as const

/** Groups the methods of each path, at the place where the path first appears. */
function describePaths(
  routes: readonly Route[],
  definitions: Readonly<Record<string, v.GenericSchema>>,
): Record<string, Json> {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] ??= describeParams(route)
    ;(paths[route.path] as Json)[route.method.toLowerCase()] = describeRoute(route, definitions)
  }
  return paths
}

function describeParams(route: Route): Json {
  const parameters = paramsOf(route).map(({ name, schema }) =>
    name === 'id' && schema === resourceId
      ? { $ref: '#/components/parameters/Id' }
      : describeParam(name, schema),
  )
  return parameters.length > 0 ? { parameters } : {}
}

function describeParam(name: string, schema: ParamSchema): Json {
  const { description, examples, ...rest } = toSchema(schema, {})
  const [example] = (examples ?? []) as unknown[]
  return { name, in: 'path', required: true, description, schema: rest, example }
}

const WEBHOOK_HEADERS = {
  EventType: describeWebhookHeader('SVC-Event-Type', 'The type of the event.', 'checkin.created'),
  EventId: describeWebhookHeader(
    'SVC-Event-Id',
    'The id of the event, the same at every attempt.',
    'evt_0197a0b47e317a558d04c6b7a8f9e0d1',
  ),
  Signature: describeWebhookHeader(
    'SVC-Signature',
    'The second of this attempt, and the HMAC-SHA256 of `<t>.<raw body>` in hex: one `v1` for each secret in use.',
    `t=1796115600,v1=${'0f8e7d6c5b4a3928'.repeat(4)}`,
  ),
}

function describeWebhookHeader(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example }
}

const PARAMETERS = {
  Id: describeParam('id', resourceId),
  ...WEBHOOK_HEADERS,
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a retry safe: within 24 hours the same key gets the original answer, and nothing is done twice. 1 to 255 ' +
      'visible ASCII characters.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: '6f1c2b9e-import-17',
  },
}

const SCOPES = `Scopes: ${Object.entries(scopes)
  .map(([scope, allows]) => `\`${scope}\` (${allows})`)
  .join(', ')}.`

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: `An API key as a Bearer token. ${SCOPES}` },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The same API key in a header.',
  },
}

function toComponent({ referenceId }: { referenceId: string }): string {
  return `#/components/schemas/${referenceId}`
}

/** Returns a schema that refers to the components it is made of. */
function toSchema(schema: v.GenericSchema, definitions: Readonly<Record<string, v.GenericSchema>>): Json {
  const {
    $schema: _,
    $defs: __,
    ...json
  } = toJsonSchema(schema, {
    ...CONVERSION,
    definitions: { ...definitions },
    overrideRef: toComponent,
  }) as Json
  return json
}

function describeRoute(route: Route, definitions: Readonly<Record<string, v.GenericSchema>>): Json {
  const isWrite = route.kind === 'write'
  const codes = new Set<ApiProblemCode>([
    ...(refusesUnknownQuery(route) ? QUERY_CODES : []),
    ...AUTHENTICATION_CODES,
    ...(isWrite ? WRITE_CODES : []),
    ...route.errors,
  ])
  const parameters = route.query === undefined ? [] : describeQuery(toSchema(route.query, {}))
  if (isWrite) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description ?? `${route.summary}.`}\n\nNeeds the scope \`${route.scope}\`.`,
    security: securityOf(route.scope),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(isWrite ? { requestBody: describeBody(route) } : {}),
    responses: {
      [route.answer.status]: {
        description: route.answer.description,
        headers: headersOf(isWrite ? ['Idempotent-Replayed'] : []),
        content: {
          'application/json': {
            schema: toSchema(route.answer.schema, definitions),
            example: route.answer.example,
          },
          ...describeTexts(route.answer.otherTypes ?? {}),
        },
      },
      ...describeErrors(codes, isWrite),
    },
  }
}

function describeTexts(examples: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(examples).map(([type, example]) => [type, { schema: { type: 'string' }, example }]),
  )
}

function securityOf(scope: Scope): Json[] {
  return [{ bearer: [scope] }, { apiKey: [scope] }]
}

function describeQuery(schema: Json): Json[] {
  const required = (schema.required ?? []) as string[]
  return Object.entries(schema.properties as Record<string, Json>).map(
    ([name, { description, ...rest }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }),
  )
}

function describeBody(route: Route): Json {
  if (route.body === undefined) {
    return {
      required: false,
      description: 'Nothing, or an empty object.',
      content: {
        'application/json': { schema: { type: 'object', additionalProperties: false }, example: {} },
      },
    }
  }
  return {
    required: true,
    content: { 'application/json': { schema: toSchema(route.body, {}), example: route.bodyExample } },
  }
}

function describeWebhook(
  { type, summary, description, tag, schema, example }: WebhookInfo,
  definitions: Readonly<Record<string, v.GenericSchema>>,
): Json {
  return {
    operationId: `webhook.${type}`,
    tags: [tag],
    summary,
    description,
    security: [],
    parameters: ['EventType', 'EventId', 'Signature'].map(name => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: toSchema(schema, definitions), example } },
    },
    responses: {
      '2XX': { description: 'Received. What the body says does not matter.' },
      '4XX': { description: 'Failed, as any other answer: the delivery is tried again later.' },
    },
  }
}
