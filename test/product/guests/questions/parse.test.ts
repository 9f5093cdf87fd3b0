import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fieldOf, findApplicable, parse, readTyped } from '#product/guests/questions/answers.ts'
import { countriesIn } from '#product/guests/questions/countries.ts'
import { questionKinds } from '#product/guests/questions/kinds.ts'
import type { Question } from '#product/guests/questions/schemas.ts'
import { parseAnswer } from '#product/guests/questions/values.ts'

function question(id: string, changes: Partial<Question> = {}): Question {
  return {
    id,
    event_id: 'event',
    key: id,
    label: id,
    help: null,
    kind: 'text',
    choices: [],
    required: false,
    asked_for: 'order',
    for_reviewers: false,
    registration_type_ids: null,
    retired: false,
    ...changes,
  }
}

function keptOf(changes: Partial<Question>, ...typed: string[]): string | undefined {
  const parsed = parseAnswer(question('q', changes), typed)
  return 'fault' in parsed ? `fault: ${parsed.fault.key}` : parsed.value
}

test('an answer is kept in the form of its kind', () => {
  const sizes = { choices: ['S', 'M', 'XL'] }
  const kept: [Partial<Question>, string[], string | undefined][] = [
    [{}, ['  Ame\u0301lie '], 'Am\u00e9lie'],
    [{}, ['two\nlines'], 'fault: controlCharacters'],
    [{}, ['   '], undefined],
    [{ required: true }, ['   '], 'fault: required'],
    [{ required: true }, [], 'fault: required'],
    [{}, ['a', 'b'], 'fault: repeated'],
    [{}, ['\ud800'], 'fault: wellFormed'],
    [{ kind: 'long_text' }, ['one\r\ntwo\r'], 'one\ntwo'],
    [{ kind: 'long_text' }, ['x'.repeat(5000)], 'x'.repeat(5000)],
    [{ kind: 'long_text' }, ['x'.repeat(5001)], 'fault: maxLength'],
    [{ kind: 'one_of', ...sizes }, ['M'], 'M'],
    [{ kind: 'one_of', ...sizes }, ['L'], 'fault: oneOf'],
    [{ kind: 'one_of', ...sizes }, ['m'], 'fault: oneOf'],
    [{ kind: 'several_of', ...sizes }, ['M', '', 'S', 'M'], 'S, M'],
    [{ kind: 'several_of', ...sizes }, ['M', 'L'], 'fault: oneOf'],
    [{ kind: 'several_of', ...sizes, required: true }, [''], 'fault: unchosen'],
    [{ kind: 'yes_no', required: true }, [''], 'fault: unchosen'],
    [{ kind: 'country', required: true }, [], 'fault: unchosen'],
    [{ kind: 'yes_no' }, ['no'], 'no'],
    [{ kind: 'yes_no' }, ['maybe'], 'fault: oneOf'],
    [{ kind: 'date' }, ['2028-02-29'], '2028-02-29'],
    [{ kind: 'date' }, ['2027-02-29'], 'fault: calendarDate'],
    [{ kind: 'date' }, ['0000-01-01'], 'fault: calendarDate'],
    [{ kind: 'number' }, ['007'], '7'],
    [{ kind: 'number' }, ['+12,5'], '12.5'],
    [{ kind: 'number' }, ['\u22121 000'], '-1000'],
    [{ kind: 'number' }, ['-0.0'], '0.0'],
    [{ kind: 'number' }, ['0.125'], '0.125'],
    [{ kind: 'number' }, ['١٢'], '12'],
    [{ kind: 'number' }, ['1.000'], 'fault: decimal'],
    [{ kind: 'number' }, ['1,000.50'], 'fault: decimal'],
    [{ kind: 'number' }, ['1e3'], 'fault: decimal'],
    [{ kind: 'phone' }, [' +34  600-000-000 '], '+34 600-000-000'],
    [{ kind: 'phone' }, ['+٣٤ ٦٠٠'], '+34 600'],
    [{ kind: 'phone' }, ['600 <b>'], 'fault: phone'],
    [{ kind: 'phone' }, ['1'.repeat(16)], 'fault: phone'],
    [{ kind: 'country' }, ['ES'], 'ES'],
    [{ kind: 'country' }, ['XX'], 'fault: oneOf'],
  ]
  for (const [changes, typed, expected] of kept) assert.equal(keptOf(changes, ...typed), expected)
})

test('every country of ISO 3166 has its name in both languages, in the order of the alphabet', () => {
  const [english, spanish] = [countriesIn('en'), countriesIn('es')]
  assert.equal(english.length, 249)
  assert.equal(new Set(english.map(({ value }) => value)).size, 249)
  assert.ok([...english, ...spanish].every(({ value, label }) => label !== value && label.length > 2))
  assert.equal(spanish.find(({ value }) => value === 'DE')?.label, 'Alemania')
  const labels = spanish.map(({ label }) => label)
  assert.deepEqual(labels, labels.toSorted(new Intl.Collator('es').compare))
})

test('a question applies to the types that it names, once for the order, and to each ticket', () => {
  const applicable = findApplicable(
    [
      question('all'),
      question('a', { registration_type_ids: ['A'] }),
      question('nobody', { registration_type_ids: [] }),
      question('retired', { retired: true }),
      question('each', { asked_for: 'ticket' }),
      question('each b', { asked_for: 'ticket', registration_type_ids: ['B'] }),
    ],
    ['A', 'B', 'A'],
  )
  const ids = (some: readonly Question[]) => some.map(({ id }) => id)
  assert.deepEqual(ids(applicable.order), ['all', 'a'])
  assert.deepEqual(applicable.tickets.map(ids), [['each'], ['each', 'each b'], ['each']])
})

test('answers stand under the keys of their questions, and each fault at its field', () => {
  const questions = [
    question('one', { key: '__proto__' }),
    question('two', { required: true }),
    question('three', { asked_for: 'ticket', kind: 'number' }),
    question('four', { asked_for: 'ticket', registration_type_ids: ['B'] }),
    question('old', { retired: true }),
  ]
  const good = readTyped(
    new URLSearchParams([
      ['answer.one', 'x'],
      ['answer.two', 'y'],
      ['answer.0.three', '3'],
      // These answer a question of another type, of a missing ticket, and one that is not asked any more.
      ['answer.0.four', 'left over'],
      ['answer.7.three', '8'],
      ['answer.old', 'left over'],
      ['answer.nothing', ''],
      ['buyer', 'Grace'],
    ]),
  )
  assert.equal(
    JSON.stringify(parse(questions, ['A', 'A'], good)),
    '{"answers":{"order":{"__proto__":"x","two":"y"},"tickets":[{"three":"3"},{}]}}',
  )
  const bad = { 'answer.1.three': ['three'], 'answer.stranger': ['x'], 'answer.0.0.three': ['1'] }
  const parsed = parse(questions, ['A', 'A'], bad)
  assert.deepEqual('faults' in parsed && [...parsed.faults].map(([field, { key }]) => [field, key]), [
    ['answer.two', 'required'],
    ['answer.1.three', 'decimal'],
    ['answer.stranger', 'unknown'],
    ['answer.0.0.three', 'unknown'],
  ])
})

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ maxLength: 12, unit: 'binary' }),
  fc.constantFrom('', ' ', 'S', 'M, L', 'yes', 'ES', '2026-12-31', '1,000', '-0', '+34 600', '__proto__'),
  fc.constant('x'.repeat(5001)),
)

const questionsOf = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), { maxLength: 5 })
  .chain(ids =>
    fc.tuple(
      ...ids.map(id =>
        fc
          .record({
            kind: fc.constantFrom(...questionKinds),
            choices: fc.constant<string[]>(['S', 'M,L', 'odd']),
            required: fc.boolean(),
            asked_for: fc.constantFrom('order' as const, 'ticket' as const),
            registration_type_ids: fc.option(fc.subarray(['A', 'B'])),
            retired: fc.boolean(),
          })
          .map(changes => question(id, changes)),
      ),
    ),
  )
const typeIds = fc.array(fc.constantFrom('A', 'B'), { maxLength: 4 })
const typedOf = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom('answer.a', 'answer.0.b', 'answer.1.__proto__', 'answer.constructor', 'answer.c'),
        fc.string({ maxLength: 10 }).map(name => `answer.${name}`),
      ),
      fc.array(text, { maxLength: 3 }),
    ),
  )
  .map(entries => Object.fromEntries(entries))

test('whatever is typed, an answer is that of a question which applies, and is kept as it is when it comes again', () => {
  fc.assert(
    fc.property(questionsOf, typeIds, typedOf, (questions, types, typed) => {
      const applicable = findApplicable(questions, types)
      const forms = [applicable.order, ...applicable.tickets]
      const names = [
        ...applicable.order.map(each => fieldOf(each)),
        ...applicable.tickets.flatMap((some, at) => some.map(each => fieldOf(each, at))),
      ]
      const parsed = parse(questions, types, typed)
      if ('faults' in parsed) {
        assert.ok(parsed.faults.size > 0)
        for (const [name, { key }] of parsed.faults) {
          assert.ok(key === 'unknown' ? !names.includes(name) && name in typed : names.includes(name))
        }
        return
      }
      const { order, tickets } = parsed.answers
      assert.equal(tickets.length, types.length)
      const again: [string, string[]][] = []
      for (const [at, answers] of [order, ...tickets].entries()) {
        const some = forms[at] ?? []
        for (const { key, required } of some) if (required) assert.ok(Object.hasOwn(answers, key))
        for (const [key, value] of Object.entries(answers)) {
          const of = some.find(each => each.key === key) as Question
          assert.ok(value !== '' && value === value.trim() && value.length <= 10_000)
          if (of.kind === 'one_of') assert.ok(of.choices.includes(value))
          if (of.kind === 'several_of') assert.ok(value.split(', ').every(each => of.choices.includes(each)))
          const values = of.kind === 'several_of' ? value.split(', ') : [value]
          again.push([fieldOf(of, at === 0 ? undefined : at - 1), values])
        }
      }
      assert.deepEqual(parse(questions, types, Object.fromEntries(again)), parsed)
    }),
    { numRuns: 1000 },
  )
})
