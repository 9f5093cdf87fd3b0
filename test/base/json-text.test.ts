import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeJson } from '#base/json-text.ts'

test('a document with batches is written as JSON.stringify writes it with arrays, to the byte', async () => {
  const items = [
    'line\nfeed "quoted" \\ back',
    '\u2028\ud800 </script>',
    '',
    0,
    -0,
    null,
    [],
    {},
    [[1], { a: [] }],
  ]
  const document = (list: <Item>(items: Item[]) => unknown) => ({
    first: 'a\nb',
    missing: undefined,
    empty: list([]),
    many: list(items),
    nested: list([
      { name: 'one', inner: list([{ deep: list(items) }]), after: { list: [1, 2], none: undefined } },
      { name: 'two', inner: list([]) },
    ]),
    '"key"\n': { plain: ['x'] },
  })
  for (const size of [1, 2, 100]) {
    const pieces: string[] = []
    await writeJson(
      document(items => inBatches(items, size)),
      text => pieces.push(text),
    )
    assert.equal(
      pieces.join(''),
      JSON.stringify(
        document(items => items),
        null,
        2,
      ),
    )
  }
})

test('what is written is let go: a batch is read only when those before it are on their way', async () => {
  let written = 0
  const behind: number[] = []
  const text = 'x'.repeat(10_000)
  async function* numbers(): AsyncGenerator<string[]> {
    for (let at = 0; at < 100; at++) {
      behind.push(at * text.length - written)
      yield [text]
    }
  }
  await writeJson({ numbers: numbers() }, piece => {
    written += piece.length
  })
  assert.ok(Math.max(...behind) < 65_536, `${Math.max(...behind)}`)
  assert.ok(written > 1_000_000)
})

async function* inBatches<Item>(items: Item[], size: number): AsyncGenerator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
