import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readColumns } from '#product/programme/abstract-imports/columns.ts'
import { readAffiliations, readAuthors } from '#product/programme/abstract-imports/people.ts'

const plain = { email: '', orcid: '', affiliations: '', isMarked: false }

test('authors of a cell stand one after a semicolon or a line break, with what is theirs in brackets', () => {
  assert.deepEqual(
    readAuthors('Ada King Lovelace <0000-0002-1825-0097> [1,2]; *Aristotle\nLin Mei <l@example.org>;'),
    [
      { ...plain, given: 'Ada King', family: 'Lovelace', orcid: '0000-0002-1825-0097', affiliations: '1,2' },
      { ...plain, given: '', family: 'Aristotle', isMarked: true },
      { ...plain, given: 'Lin', family: 'Mei', email: 'l@example.org' },
    ],
  )
})

test('a comma puts the family name first, also one of several words', () => {
  assert.deepEqual(readAuthors('García Márquez, Gabriel'), [
    { ...plain, given: 'Gabriel', family: 'García Márquez' },
  ])
})

test('both an e-mail and an ORCID iD may stand in one bracket; what is neither is kept, so that it is told', () => {
  const [both, neither] = readAuthors('A B <0000-0002-1825-0097 a@example.org>; C D <0000-0002>')
  assert.deepEqual([both?.orcid, both?.email], ['0000-0002-1825-0097', 'a@example.org'])
  assert.deepEqual([neither?.orcid, neither?.email], ['0000-0002', ''])
})

test('a cell with more authors or affiliations than there may be is read to one more, and no further', () => {
  assert.equal(readAuthors('a;'.repeat(60_000)).length, 101)
  assert.equal(readAffiliations('a;'.repeat(60_000)).length, 31)
})

test('affiliations stand in their order or behind their numbers, and a number of their own stays with them', () => {
  assert.deepEqual(readAffiliations('1 Institute; 2) Academy; [3] School'), [
    'Institute',
    'Academy',
    'School',
  ])
  assert.deepEqual(readAffiliations('Institute\nAcademy'), ['Institute', 'Academy'])
  assert.deepEqual(readAffiliations('12 Downing Street; Academy'), ['12 Downing Street', 'Academy'])
  assert.deepEqual(readAffiliations(' ; '), [])
})

test('columns are known by the names of the template in both languages, of sections, and of other systems', () => {
  const call = { sections: ['Aim', 'Résultat'], questions: [] }
  const read = (...headers: string[]) => readColumns(headers, call)
  assert.deepEqual(read('TITLE', 'aim', 'resultat', 'E-Mail', 'x'), [
    ...(['title', { section: 0 }, { section: 1 }, 'email', null] as const),
  ])
  assert.deepEqual(read('Título', 'Tema', 'Autores', 'Correo electrónico'), [
    'title',
    'topic',
    'authors',
    'email',
  ])
  assert.deepEqual(read('ID', 'Proposal title', 'Session type', 'Track', 'Abstract', 'Speaker names'), [
    ...(['reference', 'title', 'kind', 'topic', 'text', 'authors'] as const),
  ])
  assert.deepEqual(read('Title', 'Title'), ['title', null])
})
