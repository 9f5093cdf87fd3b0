import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { openLog } from '#base/log.ts'
import { field } from '#base/resource.ts'
import { buildOpenApi } from '#faces/api/description/openapi.ts'
import { apiFace } from '#faces/api/pipeline.ts'
import { readRoute } from '#faces/api/route.ts'
import { Cursors } from '#machinery/db/cursors.ts'
import { MemoryBudget } from '#machinery/http/memory-budget.ts'
import { apiDocument } from '#test/support/api-document.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { serveFaces } from '#test/support/site.ts'

const slug = v.pipe(v.string(), v.regex(/^[a-z]+$/), v.metadata({ examples: ['spring'] }))

const route = readRoute({
  path: '/{slug}/types/{type_id}',
  operationId: 'getIt',
  tag: 'Events',
  summary: 'Read it',
  scope: 'events:read',
  params: { slug: field(slug, 'The name in addresses.') },
  answer: { status: 200, description: 'It.', schema: v.unknown(), example: {} },
  errors: ['not_found'],
  handle: async (_tx, call) => ({ ...call.params }),
})

test('path parameters are validated and returned by their schema, by default as an id; a refused value is not found', async t => {
  const { db, clock, client } = await startWithOrganization(t)
  const log = openLog('silent', { write: () => undefined })
  const services = { db, clock, log, cursors: new Cursors('secret'), memory: new MemoryBudget() }
  const url = await serveFaces(t, { clock, log }, parts => [apiFace({ ...services, ...parts }, [route], [])])
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${client.key}` }
    const answer = await fetch(`${url}/v1${path}`, { headers })
    return [answer.status, (await answer.json()) as { error?: { code: string } }] as const
  }
  const upper = UNKNOWN_ID.toUpperCase()
  assert.deepEqual(await ask(`/spring/types/${upper}`), [200, { slug: 'spring', type_id: UNKNOWN_ID }])
  for (const path of [`/spr1ng/types/${upper}`, '/spring/types/spring', `/sprin%67/types/${upper}`]) {
    const [status, body] = await ask(path)
    assert.deepEqual([status, body.error?.code], [404, 'not_found'], path)
  }
})

test('path parameters are described by their schema, whatever their name', () => {
  const { paths } = buildOpenApi({
    version: '1',
    baseUrl: '/v1',
    description: '',
    routes: [route],
    publicRoutes: [],
    webhooks: [],
    resources: {},
    tags: {},
  }) as { paths: Record<string, { parameters: unknown[] }> }
  const { name: _, ...ofResource } = apiDocument.components.parameters.Id
  assert.deepEqual(paths[route.path]?.parameters, [
    {
      name: 'slug',
      in: 'path',
      required: true,
      description: 'The name in addresses.',
      schema: { type: 'string', pattern: '^[a-z]+$' },
      example: 'spring',
    },
    { name: 'type_id', ...ofResource },
  ])
})
