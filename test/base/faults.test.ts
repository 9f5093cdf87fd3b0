import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as v from 'valibot'
import { configSchema } from '#base/config.ts'
import { english, type Fault, faultsOf, makeFault, type Sentences, say, says, tell } from '#base/faults.ts'
import { closedObject, integer, label, listOf, name, slug } from '#base/fields.ts'
import { emptyBody } from '#faces/api/input.ts'
import { routes } from '#faces/api/routes.ts'
import { organizationSchema } from '#product/data-care/organization/schema.ts'

/** Lists all schemas that check input from outside, by the module that has them. */
const schemas: Record<string, v.GenericSchema> = {
  ...Object.fromEntries(
    routes.flatMap(({ operationId, query, body }) =>
      Object.entries({ query, body }).flatMap(([part, schema]) =>
        schema === undefined ? [] : [[`${operationId} ${part}`, schema]],
      ),
    ),
  ),
  'no body': emptyBody,
  'organization file': organizationSchema,
  settings: configSchema,
}

// biome-ignore lint/suspicious/noExplicitAny: the parts of a schema are walked as the objects that they are
type Part = any

/** Yields each part of a schema that can find something wrong, with its place and its message. */
function* findMessages(part: Part, path: string): Generator<[where: string, message: unknown]> {
  if ('message' in part) {
    const where = `${path} (${part.type})`
    if (typeof part.message !== 'function') yield [where, part.message]
    else for (const expected of ['never', 'Object', '"field"']) yield [where, part.message({ expected })]
  }
  for (const [key, entry] of Object.entries(part.entries ?? {})) yield* findMessages(entry, `${path} ${key}`)
  for (const step of part.pipe ?? []) if (step.pipe !== part.pipe) yield* findMessages(step, path)
  for (const inner of [part.item, part.wrapped]) if (inner) yield* findMessages(inner, path)
}

test('every schema that looks at what comes from outside says all it finds as faults that have a sentence', () => {
  const keys = new Set<string>()
  for (const [what, schema] of Object.entries(schemas)) {
    for (const [where, message] of findMessages(schema, what)) {
      assert.ok(typeof message === 'string' && message.startsWith('{'), `${where}: ${message}`)
      const fault = JSON.parse(message) as Fault
      assert.ok(Object.hasOwn(english, fault.key) && say(english, fault) !== '', where)
      keys.add(fault.key)
    }
  }
  assert.ok(keys.size > 35, `${keys.size} kinds`)
})

test('no sentence about a fault stands anywhere but with the others', () => {
  const sentence = /['"`](must (be|have|name|not)|is required|is not known|is there twice|does not apply) ?/
  const places = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && sentence.test(readFileSync(join('src', path), 'utf8')))
    .sort()
  // A schema cannot find what the network has against an address.
  assert.deepEqual(places, ['base/faults.ts', 'product/administration/webhooks/delivery/address-guard.ts'])
})

const person = closedObject({ name: name(), seat: label(5), age: integer(0, 150) })
const given = { name: ' ', age: 151, seats: 'A1' }

function findFaults(schema: v.GenericSchema, input: unknown) {
  const { issues } = v.safeParse(schema, input, { abortPipeEarly: true })
  return issues && faultsOf(issues)
}

test('everything that is wrong is told with its path, one fault of each field, where not only the first is asked for', () => {
  assert.deepEqual(findFaults(person, given), [
    { path: 'name', fault: makeFault('blank') },
    { path: 'seat', fault: makeFault('required') },
    { path: 'age', fault: makeFault('integer', { min: 0, max: 150 }) },
    { path: 'seats', fault: makeFault('misspelt', { field: 'seat' }) },
  ])
  assert.deepEqual(findFaults(listOf(slug, 2), ['a', 'A B']), [
    { path: '1', fault: makeFault('slug', { max: 80 }) },
  ])
  assert.deepEqual(findFaults(person, []), [{ path: null, fault: makeFault('object') }])
  assert.equal(findFaults(slug, 'a'), undefined)
})

test('a field that is not known is told the nearest that is, at most two letters away and not there yet', () => {
  const schema = closedObject({
    quantity: v.optional(integer(1, 9)),
    language: v.optional(slug),
    seat: v.optional(slug),
  })
  const hint = (input: object) => {
    const [found, ...more] = findFaults(schema, input) ?? []
    assert.deepEqual(more, [])
    return found?.fault.key === 'misspelt' ? found.fault.parameters.field : found?.fault.key
  }
  assert.equal(hint({ quantiy: 1 }), 'quantity')
  assert.equal(hint({ qauntity: 1 }), 'quantity')
  assert.equal(hint({ Languages: 'en' }), 'language')
  // Three letters, half of a short name, and no misspelling at all.
  for (const name of ['qantt', 'sxxt', 'colour', '__proto__', '', 'quantity'.repeat(1_000_000)]) {
    const input = JSON.parse(`{${JSON.stringify(name)}: 1}`)
    assert.equal(hint(input), 'unknown', name.slice(0, 20))
  }
  assert.equal(hint({ quantity: 1, quantiy: 2 }), 'unknown')
})

test('a fault comes through a schema as it is, whatever texts are in it', () => {
  const values = ['"', '\\', '\u0000', '{}', '<b>', '\u202e']
  const found = findFaults(v.picklist(values, says('oneOf', { values })), 'x')
  assert.deepEqual(found, [{ path: null, fault: makeFault('oneOf', { values }) }])
})

test('another reader is told in other words, from the same faults', () => {
  const spanish: Sentences = { ...english, length: ({ min, max }) => `de ${min} a ${max} caracteres` }
  assert.equal(say(spanish, makeFault('length', { min: 1, max: 9 })), 'de 1 a 9 caracteres')
})

test('a sentence begins with what is at fault, unless it is one of its own', () => {
  assert.equal(tell('slug', makeFault('required')), 'slug is required.')
  assert.equal(
    tell('The body', makeFault('exactlyOneOf', { fields: ['a', 'b'] })),
    'Send exactly one of a and b.',
  )
})

test('a fault without its parameters, with others, or without a sentence is an error of types', () => {
  // @ts-expect-error: no parameters
  says('length')
  // @ts-expect-error: another's
  says('length', { min: 1, field: 'a' })
  // @ts-expect-error: none are wanted
  says('required', { min: 1 })
  // @ts-expect-error: no such fault
  says('nonsense')
  const { required, ...others } = english
  // @ts-expect-error: one is missing
  const incomplete: Sentences = others
  assert.ok(!Object.hasOwn(incomplete, 'required') && required !== undefined)
})
