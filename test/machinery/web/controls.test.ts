import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JSDOM } from 'jsdom'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { ControlOf } from '#machinery/web/forms/control.tsx'
import type { Choice } from '#machinery/web/forms/control-kinds.ts'
import type { Field } from '#machinery/web/forms/field.ts'
import { textsIn } from '#texts/catalogue.ts'

const choices: Choice[] = [
  { value: '"><script>alert(1)</script>', label: '</option></select><b>A & B</b>' },
  { value: 'b', label: 'B' },
]

function open(typed: string[], required: boolean) {
  const field = { control: { kind: 'select', choices: () => choices }, required } as unknown as Field<string>
  const props = { field, name: 'q', texts: textsIn('en'), typed, describedBy: undefined, isWrong: false }
  const { document } = new JSDOM(renderToString(h(ControlOf, props))).window
  const select = document.querySelector('select') as HTMLSelectElement
  assert.equal(document.querySelectorAll('script, b').length, 0)
  return {
    value: select.value,
    options: [...select.options].map(({ value, textContent }) => [value, textContent]),
  }
}

const written = choices.map(({ value, label }) => [value, label])

test('a list of choices is escaped, and with the same choices again it is the same, whatever is chosen', () => {
  for (let time = 0; time < 2; time++) {
    assert.deepEqual(open([], true), { value: '', options: [['', ''], ...written] })
    assert.deepEqual(open([], false), { value: '', options: [['', ''], ...written] })
    assert.deepEqual(open(['b'], true), { value: 'b', options: written })
    assert.deepEqual(open(['b'], false), { value: 'b', options: [['', ''], ...written] })
  }
})
