import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { buildOpenApi } from '#faces/api/description/openapi.ts'
import { publicRoutes } from '#faces/api/description/public-routes.ts'
import { apiDocument } from '#test/support/api-document.ts'

test('redocly finds no error and no warning in the description under recommended-strict', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({
    source: JSON.stringify(apiDocument),
    absoluteRef: 'openapi.json',
    config,
  })
  assert.deepEqual(
    problems.map(problem => `${problem.ruleId}: ${problem.message}`),
    [],
  )
})

test('redocly does find what is wrong in a description that breaks a rule', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const broken = structuredClone(apiDocument)
  delete broken.paths['/events'].get.operationId
  const problems = await lintFromString({
    source: JSON.stringify(broken),
    absoluteRef: 'openapi.json',
    config,
  })
  assert.ok(problems.some(problem => problem.ruleId === 'operation-operationId'))
})

test('every example in the description is valid by its own schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addFormat('idn-email', /^[^@\s]+@[^@\s]+$/u)
  ajv.addSchema(apiDocument, 'api')
  let checked = 0
  visit(apiDocument, '', (node, pointer) => {
    if (node.schema === undefined) return
    const examples = [
      ...('example' in node ? [node.example] : []),
      ...Object.values<{ value: unknown }>(node.examples ?? {}).map(({ value }) => value),
    ]
    const validate = ajv.compile({ $ref: `api#${pointer}/schema` })
    for (const example of examples) {
      assert.ok(validate(example), `${pointer}: ${ajv.errorsText(validate.errors)}`)
      checked++
    }
  })
  assert.ok(checked > 50, `${checked} examples`)
})

test('operation ids are unique and every operation but the public ones needs a scope', () => {
  const operations = Object.values<Record<string, never>>(apiDocument.paths).flatMap(path =>
    ['get', 'post'].filter(method => path[method] !== undefined).map(method => path[method] as never),
  ) as { operationId: string; security: Record<string, string[]>[] }[]
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  for (const { operationId, security } of operations) {
    if (['getOpenApi', 'getReference'].includes(operationId)) assert.deepEqual(security, [])
    else assert.deepEqual(security.map(way => Object.keys(way)[0]).sort(), ['apiKey', 'bearer'], operationId)
    for (const way of security) assert.equal(Object.values(way)[0]?.length, 1, operationId)
  }
})

// biome-ignore lint/suspicious/noExplicitAny: walks any JSON
function visit(node: any, pointer: string, look: (node: any, pointer: string) => void): void {
  if (typeof node !== 'object' || node === null) return
  look(node, pointer)
  for (const [key, value] of Object.entries(node)) {
    if (key === 'example' || key === 'examples' || key === 'schema') continue
    const step = encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
    visit(value, `${pointer}/${step}`, look)
  }
}

test('a public page is described by its own declaration', () => {
  const [page] = publicRoutes.filter(({ path }) => path === '/reference')
  assert.ok(page)
  const headers = { 'Retry-After': '1', 'X-Unknown': '1' }
  const other = { ...page, path: '/other', operationId: 'getOther', type: 'text/csv; charset=utf-8', headers }
  const { paths } = buildOpenApi({
    version: '1',
    baseUrl: '/v1',
    description: '',
    routes: [],
    publicRoutes: [other],
    webhooks: [],
    resources: {},
    tags: {},
  }) as { paths: typeof apiDocument }
  assert.deepEqual(Object.keys(paths), ['/other'])
  const { operationId, responses } = paths['/other'].get
  const { content, headers: described } = responses[200]
  assert.deepEqual([operationId, Object.keys(content)], ['getOther', ['text/csv']])
  assert.ok('Retry-After' in described && !('X-Unknown' in described))
  assert.ok(!('Content-Security-Policy' in described))
})
