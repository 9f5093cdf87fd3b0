import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { h, type VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { Offered, Offering } from '#machinery/web/components/offered.tsx'
import { InSlices, renderInSlices } from '#machinery/web/slices.tsx'

const row = (at: number): VNode =>
  h(
    'tr',
    null,
    h(
      'td',
      null,
      `<rows-in-slices></rows-in-slices> ${at}`,
      h(Offered, { address: '/a', children: 'offered' }),
    ),
  )
const table = (count: number) => h('table', null, h('tbody', null, h(InSlices, { count, rowAt: row })))
const document = (...counts: number[]) =>
  h(
    'div',
    null,
    h(Offering.Provider, { value: () => false }, h('main', null, counts.map(table), h('p', null, 'the end'))),
  )

test('a document with long tables is rendered in slices to the same text, on the same offers', async () => {
  for (const counts of [[], [0], [50], [51], [100, 3, 151]]) {
    const whole = renderToString(document(...counts))
    assert.equal(String(await renderInSlices(document(...counts))), whole)
    assert.doesNotMatch(whole, /offered/)
  }
})

test('others get their turn after each 50 rows, and two documents do not mix', async () => {
  let turns = 0
  let isDone = false
  const counting = (async () => {
    for (; !isDone; turns++) await nextTurn()
  })()
  const both = await Promise.all([renderInSlices(document(500)), renderInSlices(document(120))])
  isDone = true
  await counting
  assert.ok(turns >= 10, `${turns}`)
  assert.deepEqual(
    both.map(String),
    [document(500), document(120)].map(each => renderToString(each)),
  )
})
