import assert from 'node:assert/strict'
import { test } from 'node:test'
import { name } from '#base/fields.ts'
import {
  areaField,
  type FormScale,
  moneyField,
  numberField,
  textField,
  tickField,
  timeField,
} from '#machinery/web/forms/field.ts'
import {
  conflictedForm,
  EditConflict,
  editForm,
  type Fields,
  mergeEdit,
  parseForm,
  readForm,
  refusedForm,
  type SentForm,
  type ValuesOf,
  wasName,
} from '#machinery/web/forms/form.ts'

const madrid: FormScale = { timezone: 'Europe/Madrid', currency: 'EUR' }
const label = () => 'label'

const fields = {
  title: textField(name(), { label }),
  places: numberField(0, 1000, { label }),
  starts_at: timeField({ label }),
  open: tickField({ label }),
}

type Values = ValuesOf<typeof fields>

const before: Values = {
  title: 'Meeting',
  places: 300,
  starts_at: Date.UTC(2026, 6, 1, 7, 0, 30),
  open: true,
}

/** Returns what a browser sends of a form that was shown with `shown`, and in which `typed` was changed. */
function send(shown: Values, typed: Record<string, string | undefined>, scale = madrid): SentForm {
  const { was = {}, typed: texts } = editForm(fields, scale, shown)
  const body = new URLSearchParams()
  for (const [field, values] of Object.entries(was)) {
    for (const value of values.length === 0 ? [''] : values) body.append(wasName(field, values), value)
  }
  for (const [field, values] of Object.entries(texts)) {
    const given = field in typed ? [typed[field]].filter(value => value !== undefined) : values
    for (const value of given) body.append(field, value)
  }
  return readForm(fields, body)
}

function merge(sent: SentForm, current: Values, scale = madrid) {
  const parsed = parseForm(fields, scale, sent)
  assert.ok('values' in parsed)
  return mergeEdit(fields, sent, { values: parsed.values, scale }, { values: current, scale: madrid })
}

test('a field that nobody touched keeps its value exactly, though the form shows less of it', () => {
  const { values, changed } = merge(send(before, { title: 'Summit' }), before)
  assert.deepEqual(values, { ...before, title: 'Summit' })
  assert.deepEqual(changed, ['title'])
})

test('what somebody else has changed meanwhile stays, where it was not changed here', () => {
  const theirs = { ...before, places: 250, open: false }
  const { values, changed } = merge(send(before, { title: 'Summit' }), theirs)
  assert.deepEqual(values, { ...theirs, title: 'Summit' })
  assert.deepEqual(changed, ['title'])
})

test('of two different changes of one field both are shown, and saving again keeps mine', () => {
  const sent = send(before, { title: 'Summit', places: '400' })
  const theirs = { ...before, title: 'Congress' }
  const conflict = (() => {
    try {
      return merge(sent, theirs)
    } catch (error) {
      return error
    }
  })()
  assert.ok(conflict instanceof EditConflict)
  const shown = conflictedForm(fields, madrid, sent, conflict)
  assert.deepEqual([...shown.theirs], [['title', ['Congress']]])
  assert.deepEqual(shown.typed.title, ['Summit'])
  assert.deepEqual(shown.typed.places, ['400'])
  const again = { ...sent, typed: shown.typed, was: shown.was }
  assert.deepEqual(merge(again, theirs).values, { ...before, title: 'Summit', places: 400 })
})

test('the same change by two people is no conflict', () => {
  const theirs = { ...before, title: 'Summit' }
  assert.deepEqual(merge(send(before, { title: 'Summit' }), theirs), { values: theirs, changed: [] })
})

test('a box that was ticked and is not any more was changed', () => {
  const { values, changed } = merge(send(before, { open: undefined }), before)
  assert.deepEqual([values.open, changed], [false, ['open']])
})

test('with another time zone the same local time is another instant', () => {
  const lima = { ...madrid, timezone: 'America/Lima' }
  const { values, changed } = merge(send(before, {}), before, lima)
  assert.equal(values.starts_at, Date.UTC(2026, 6, 1, 14))
  assert.deepEqual(changed, ['starts_at'])
})

test('each field that is wrong is told of, and of an edit none that was left alone', () => {
  const sent = send(before, { title: ' ', places: 'many', starts_at: '2026-03-29T02:30' })
  const parsed = parseForm(fields, madrid, sent)
  assert.ok('faults' in parsed)
  assert.deepEqual([...parsed.faults.keys()], ['title', 'places', 'starts_at'])
  const tooMany = send({ ...before, places: 5000 }, { title: 'Summit' })
  assert.ok('values' in parseForm(fields, madrid, tooMany))
})

test('a local time that the clocks skip is refused, and of one that comes twice the first is meant', () => {
  const at = (text: string) => timeField({ label }).parse([text], madrid)
  assert.ok('say' in at('2026-03-29T02:30'))
  assert.deepEqual(at('2026-10-25T02:30'), { value: Date.UTC(2026, 9, 25, 0, 30) })
  assert.deepEqual(at(''), { value: null })
  assert.ok('say' in at('tomorrow'))
})

test('money is read as people write it, and never as a thousandth of it', () => {
  const field = moneyField(99_999_999, { label })
  const read = (text: string, currency = 'EUR') => {
    const parsed = field.parse([text], { ...madrid, currency })
    return 'value' in parsed ? parsed.value : undefined
  }
  const cases: [text: string, amount: number | undefined][] = [
    ...([
      ['15', 1500],
      ['15.00', 1500],
      ['15,5', 1550],
      [' 1 500,00 ', 150_000],
    ] as [string, number][]),
    ...([
      ['1.500,00', 150_000],
      ['1,500.00', 150_000],
      ['1.500', 150_000],
    ] as [string, number][]),
    ...(
      ['15.001,1.1', '1.1.1', '-5', '1e3', '0x1', 'free', '15.005.', '1,50,000', '99999999999'] as const
    ).map((text): [string, undefined] => [text, undefined]),
  ]
  for (const [text, amount] of cases) assert.equal(read(text), amount, text)
  assert.equal(read('1500', 'JPY'), 1500)
  assert.equal(read('15.5', 'JPY'), undefined)
  assert.equal(read('1.500', 'KWD'), 1500)
})

test('a form reads no field but its own, and no key is special', () => {
  const strange: Fields = { ...fields }
  const body = new URLSearchParams('__proto__=1&constructor=2&title=a&title=b&form.id=x')
  const sent = readForm(strange, body)
  assert.deepEqual(Object.keys(sent.typed), Object.keys(fields))
  assert.deepEqual(sent.typed.title, ['a', 'b'])
  assert.equal(sent.formId, undefined)
  assert.equal(Object.getPrototypeOf(sent.typed), Object.prototype)
})

test('what was refused is shown again as it was typed, and of what no field takes only the beginning', () => {
  const some = {
    title: fields.title,
    text: areaField(20_000, 3, { label }),
    other: areaField(20_000, 3, { label }),
  }
  const shown = (typed: Record<string, string>) =>
    refusedForm(some, madrid, readForm(some, new URLSearchParams(typed)), {}).typed
  const legal = { title: '<'.repeat(200), text: 'a\n'.repeat(10_000), other: '' }
  assert.deepEqual(shown(legal), { title: [legal.title], text: [legal.text], other: [''] })
  const lengths = Object.values(shown({ title: 'x'.repeat(9_000), text: 'x'.repeat(900_000), other: 'x' }))
  assert.deepEqual(
    lengths.map(([text]) => text?.length),
    [2_000, 398_000, 0],
  )
})
