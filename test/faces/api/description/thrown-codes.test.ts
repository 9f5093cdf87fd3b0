import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { type ApiProblemCode, catalogue } from '#base/problem.ts'
import { apiDocument } from '#test/support/api-document.ts'

/** Describes what a name in a module stands for: a declaration of another module, or all of another. */
interface Import {
  path: string
  /** Undefined for a namespace. */
  name: string | undefined
}

interface Module {
  /** The text of each top-level declaration, by its name. */
  declarations: Map<string, string>
  imports: Map<string, Import>
}

function readModule(path: string): Module {
  const text = readFileSync(join('src', path), 'utf8')
  const parts = text.split(/^(?=(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type) )/m)
  const declarations = new Map<string, string>()
  for (const part of parts) {
    const name = /^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)/.exec(part)?.[1]
    if (name !== undefined) declarations.set(name, part.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
  }
  const imports = new Map<string, Import>()
  for (const [, clause = '', from = ''] of text.matchAll(
    /^(?:import|export) (?:type )?([^;']*?) from '([.#][^']+)'/gms,
  )) {
    const target = from.startsWith('#') ? from.slice(1) : normalize(join(dirname(path), from))
    const namespace = /^\* as (\w+)$/.exec(clause)?.[1]
    if (namespace !== undefined) imports.set(namespace, { path: target, name: undefined })
    for (const each of /\{([\s\S]*)\}/.exec(clause)?.[1]?.split(',') ?? []) {
      const [, name, alias] = /^\s*(\w+)(?: as (\w+))?\s*$/.exec(each) ?? []
      if (name !== undefined) imports.set(alias ?? name, { path: target, name })
    }
  }
  return { declarations, imports }
}

const modules = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(path => [path, readModule(path)]),
)

/** Returns the declarations that the text of another one names. @returns `path name` */
function named(path: string, name: string): string[] {
  const { declarations, imports } = modules.get(path) as Module
  const text = declarations.get(name) ?? ''
  const found: string[] = []
  for (const [, first = '', second] of text.matchAll(/(?<![.\w'])(\w+)(?:\.(\w+))?/g)) {
    const of = imports.get(first)
    if (of?.name === undefined && of !== undefined && second !== undefined) found.push(`${of.path} ${second}`)
    else if (of?.name !== undefined) found.push(`${of.path} ${of.name}`)
    else if (first !== name && declarations.has(first)) found.push(`${path} ${first}`)
  }
  return found
}

const isRefusal = (code: string): code is ApiProblemCode =>
  Object.hasOwn(catalogue, code) && [404, 409, 422].includes(catalogue[code as ApiProblemCode][0])

/** The codes of refusals, decided inside a write or a read, that stand in whatever an operation comes to, each with the way there. */
function codesFrom(path: string, name: string): Map<string, string> {
  const codes = new Map<string, string>()
  const ways = new Map([[`${path} ${name}`, name]])
  for (const [place, way] of ways) {
    const [at = '', of = ''] = place.split(' ')
    const text = modules.get(at)?.declarations.get(of)
    const again = modules.get(at)?.imports.get(of)
    // The module passes on what another declares.
    if (text === undefined && again?.name !== undefined) ways.set(`${again.path} ${again.name}`, way)
    if (text === undefined || at === 'base/problem.ts') continue
    for (const [, code = ''] of text.matchAll(/'(\w+)'/g))
      if (isRefusal(code) && !codes.has(code)) codes.set(code, way)
    for (const next of named(at, of)) if (!ways.has(next)) ways.set(next, `${way} > ${next}`)
  }
  return codes
}

/** The operations, with where each is declared. */
const operations = [...modules]
  .filter(([path]) => path.startsWith('faces/api/operations/'))
  .flatMap(([path, { declarations }]) =>
    [...declarations].flatMap(([name, text]) => {
      const operationId = /operationId: '(\w+)'/.exec(text)?.[1]
      // The list of errors is left out, because it is what the test proves.
      declarations.set(name, text.replace(/errors: \[[\s\S]*?\]/, ''))
      return operationId === undefined ? [] : [{ operationId, path, name }]
    }),
  )

/** Returns the refusals that the description of an operation has as examples of its answers. */
function describedOf(operationId: string): Set<string> {
  // biome-ignore lint/suspicious/noExplicitAny: the document is walked as the JSON that it is
  const all = Object.values<any>(apiDocument.paths).flatMap(path => Object.values<any>(path))
  const { responses } = all.find(each => each.operationId === operationId)
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  const answers = Object.values<any>(responses)
  const codes = answers.flatMap(({ content }) => Object.keys(content['application/json'].examples ?? {}))
  return new Set(codes.filter(isRefusal))
}

test('every refusal that an operation can come to stands in its description, and no other but those of its kind', () => {
  assert.ok(operations.length >= 14, String(operations.length))
  for (const { operationId, path, name } of operations) {
    const described = describedOf(operationId)
    const given = codesFrom(path, name)
    const missing = [...given].filter(([code]) => !described.has(code))
    assert.deepEqual(missing, [], operationId)
    const idle = [...described].filter(code => !given.has(code) && !OF_PIPELINE.includes(code))
    assert.deepEqual(idle, [], operationId)
  }
})

/** The pipeline refuses these, whatever the operation. */
const OF_PIPELINE = ['invalid_cursor', 'idempotency_key_reused']

test('the way to a refusal is found over modules, names and namespaces', () => {
  const ways = codesFrom('faces/api/operations/check-ins.ts', 'createCheckIn')
  assert.deepEqual([...ways.keys()].sort(), [
    ...['already_checked_in', 'invalid_qr_code', 'not_found', 'not_valid_today', 'registration_cancelled'],
    ...['registration_not_confirmed', 'ticket_voided', 'wrong_event'],
  ])
  const cancel = codesFrom('faces/api/operations/registrations.ts', 'cancelRegistration')
  assert.match(
    cancel.get('refund_required') ?? '',
    /cancelRegistration > .* > product\/guests\/registrations\/rules\.ts refusalOfCancel$/,
  )
  // What a change of a registration can refuse is looked for in the rule itself, because no operation of the API changes one yet.
  assert.ok(codesFrom('product/guests/registrations/amendment.ts', 'amend').has('registration_erased'))
  assert.ok(codesFrom('product/selling/orders/names.ts', 'rename').has('registration_erased'))
})

test('every refusal of the catalogue is given by an operation, by any path, or by the pages that change a registration', () => {
  const given = new Set(operations.flatMap(({ operationId }) => [...describedOf(operationId)]))
  const others = Object.keys(catalogue).filter(code => isRefusal(code) && !given.has(code))
  assert.deepEqual(others, ['route_not_found', 'registration_erased'])
})
