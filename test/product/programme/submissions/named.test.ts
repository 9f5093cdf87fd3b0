import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question } from '#product/guests/questions/schemas.ts'
import type { Author, Content } from '#product/programme/submissions/content.ts'
import { findNamed } from '#product/programme/submissions/named.ts'
import { contentOf } from '#test/support/submissions.ts'

const none = { questions: [] }

/** Finds what is named in a text by these authors. */
function inText(text: string, authors: readonly Partial<Author>[], changes: Partial<Content> = {}): string[] {
  const plain = { given: null, family: null, email: null, orcid: null, affiliations: [], presenting: false }
  return findNamed(
    contentOf({
      ...{ title: 'On rooms', keywords: [], affiliations: [] },
      sections: [{ heading: '', text }],
      authors: authors.map(author => ({ ...plain, ...author })),
      ...changes,
    }),
    none,
  )
}

test('a family name is found as a whole word, whatever its case and accents, and in no other word', () => {
  const of = (text: string) => inText(text, [{ given: 'José', family: 'Núñez' }])
  assert.deepEqual(of('As NUNEZ et al. have shown'), ['Núñez'])
  assert.deepEqual(of('(Núñez, 2019)'), ['Núñez'])
  assert.deepEqual(of('Núñezian rooms, and José'), [])
  assert.deepEqual(inText('García wrote to Márquez', [{ family: 'García Márquez' }]), [])
  assert.deepEqual(inText('as García-Márquez found', [{ family: 'García Márquez' }]), ['García Márquez'])
})

test('whoever has one name alone is known by it, and where text has no spaces, by both names', () => {
  assert.deepEqual(inText('as Aristotle says', [{ given: 'Aristotle' }]), ['Aristotle'])
  assert.deepEqual(inText('王是常见的', [{ given: '小明', family: '王' }]), [])
  assert.deepEqual(inText('由王小明提出', [{ given: '小明', family: '王' }]), ['王'])
})

test('an affiliation is found as a whole or by the part before its comma, unless that is one word', () => {
  const of = (text: string) =>
    inText(text, [], { affiliations: ['Institute of Rooms, Madrid', 'Acme, Lima'] })
  assert.deepEqual(of('at the Institute of rooms we'), ['Institute of Rooms, Madrid'])
  assert.deepEqual(of('the acme of rooms, in Madrid'), [])
  assert.deepEqual(of('Acme (Lima)'), ['Acme, Lima'])
})

test('each e-mail is found, whoever it is of, and what is none is not', () => {
  assert.deepEqual(inText('Write to <ada@example.org>, or b@c.example.', []), [
    'ada@example.org',
    'b@c.example',
  ])
  assert.deepEqual(inText('at 5 @ 3, x@y', []), [])
})

test('title, keywords and answers for reviewers are looked at, and no other answer', () => {
  const authors = [{ family: 'Lovelace' }]
  assert.deepEqual(inText('', authors, { title: 'The Lovelace engine' }), ['Lovelace'])
  assert.deepEqual(inText('', authors, { keywords: ['lovelace'] }), ['Lovelace'])
  const question: Omit<Question, 'for_reviewers'> = {
    ...{ id: '1', event_id: '1', key: 'prize', label: 'Prize', help: null, kind: 'text', choices: [] },
    ...{ required: false, asked_for: 'abstract', registration_type_ids: null, retired: false },
  }
  const content = contentOf({ answers: { prize: 'Mei' } })
  const asks = (for_reviewers: boolean) => ({ questions: [{ ...question, for_reviewers }] })
  assert.deepEqual(findNamed(content, asks(true)), ['Mei'])
  assert.deepEqual(findNamed(content, asks(false)), [])
})

test('the longest text without a space, and one of nothing but at signs, cost little', () => {
  for (const text of ['a'.repeat(20_000), 'a@'.repeat(10_000), `${'a'.repeat(63)}@${'b.'.repeat(9_000)}`])
    assert.deepEqual(inText(text, [{ family: 'Núñez' }]).length, 0, text.slice(0, 20))
})
