import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spellingsOf } from '#base/fold.ts'
import { areMatched, termsOf, wordsOf } from '#base/words.ts'
import type { TicketRow } from '#faces/scanner/page/contract.ts'
import { search } from '#faces/scanner/page/search.ts'
import { namesOfTheWorld } from '#test/support/names-of-the-world.ts'

const APOSTROPHES = /['’‘ʻ]/g

/** Takes the accents away as a person does who has a plain keyboard, independently of the code that is tested. */
function plain(text: string): string {
  const letters = {
    ß: 'ss',
    ø: 'o',
    Ø: 'O',
    ł: 'l',
    Ł: 'L',
    đ: 'd',
    Đ: 'D',
    ð: 'd',
    Þ: 'Th',
    þ: 'th',
    æ: 'ae',
    Æ: 'Ae',
    œ: 'oe',
    Œ: 'Oe',
    ı: 'i',
  }
  return [...text.normalize('NFD').replace(/[\u0300-\u036f]/g, '')]
    .map(letter => letters[letter as keyof typeof letters] ?? letter)
    .join('')
}

/** Writes a name as in German, Danish or Swedish without the letters of its own. */
function spelledOut(text: string): string {
  const letters = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ø: 'oe', Ø: 'Oe', å: 'aa', Å: 'Aa' }
  return plain(
    [...text.normalize('NFC')].map(letter => letters[letter as keyof typeof letters] ?? letter).join(''),
  )
}

/** The ways in which people type a name, or a part of it. */
function typings(part: string): string[] {
  const apostrophes = [
    part,
    part.replace(APOSTROPHES, "'"),
    part.replace(APOSTROPHES, '’'),
    part.replace(APOSTROPHES, ''),
  ]
  const hyphens = apostrophes.flatMap(text => [text, text.replaceAll('-', ' ')])
  const accents = hyphens.flatMap(text => [text, text.normalize('NFD'), plain(text), spelledOut(text)])
  return [...new Set(accents.flatMap(text => [text, text.toLowerCase(), text.toUpperCase()]))]
}

/** The name, each of its words, and each side of a hyphen. */
function partsOf(name: string): string[] {
  const parts = [name, ...name.split(' '), ...name.split(/[ -]/)]
  return [...new Set(parts)].filter(part => /\p{L}/u.test(part))
}

const names = namesOfTheWorld()
const rows = names.map(({ name }, at): TicketRow => [`t${at}`, 'day', 'ok', name, null, false, null, null])

test('1,000 names of 30 countries each find themselves at the door, by each part, with and without accents, hyphens and apostrophes', () => {
  assert.ok(names.length >= 1_000 && new Set(names.map(({ country }) => country)).size === 30)
  const missed: string[] = []
  for (const row of rows) {
    const name = row[3] as string
    for (const part of partsOf(name)) {
      const joined = [...typings(part), ...typings(part.replaceAll('-', ''))]
      for (const typed of joined) if (search([row], typed).length === 0) missed.push(`${name} by ${typed}`)
    }
  }
  assert.deepEqual(missed.slice(0, 20), [])
})

test('the same names find themselves in the dashboard, and by the words that are stored', () => {
  const missed: string[] = []
  for (const { name } of names) {
    const people = [{ name, email: null }]
    const stored = [...wordsOf(people)]
    for (const part of partsOf(name)) {
      for (const typed of typings(part)) {
        const terms = termsOf(typed)
        // The index gives the candidates: a word that it lacks finds nobody.
        const isIndexed = terms.prefixes.every(prefix =>
          spellingsOf(prefix).some(spelling => stored.some(word => word.startsWith(spelling))),
        )
        if (!isIndexed || !areMatched(terms, people)) missed.push(`${name} by ${typed}`)
      }
    }
  }
  assert.deepEqual(missed.slice(0, 20), [])
})

test('Müller, Mueller and Muller: what is written in full finds both, and an accent is never needed', () => {
  const finds = (typed: string, name: string) => {
    const row: TicketRow = ['t', 'day', 'ok', name, null, false, null, null]
    const isMatched = areMatched(termsOf(typed), [{ name, email: null }])
    assert.equal(
      search([row], typed).length > 0,
      isMatched,
      `${typed} and ${name}: door and dashboard differ`,
    )
    return isMatched
  }
  for (const typed of ['mueller', 'müller', 'MÜL', 'muel']) assert.ok(finds(typed, 'Jörg Müller'), typed)
  for (const typed of ['mueller', 'müller', 'Müll']) assert.ok(finds(typed, 'Joerg Mueller'), typed)
  assert.ok(finds('muller', 'Müller') && finds('müller', 'Muller'))
  assert.ok(!finds('mue', 'Eddie Murphy') && !finds('mueller', 'Muller') && !finds('manuel', 'Manula'))
  assert.ok(finds("o'neil", 'Tip O’Neil') && finds('oneil', "Tip O'Neil") && finds('neil', "Tip O'Neil"))
  assert.ok(!finds('eil', "Tip O'Neil"))
  assert.deepEqual(spellingsOf('mueller'), ['mueller', 'muller'])
  assert.ok(spellingsOf('ae'.repeat(100)).length <= 8)
})

test('at the door a double name is found without its hyphen or blank, and words that do not follow each other are not joined', () => {
  const found = (typed: string) => search(rows, typed).map(row => row[3] as string)
  assert.ok(found('hohenloheschill').some(name => name.endsWith('Hohenlohe-Schillingsfürst')))
  assert.ok(found('fernandez-cast').every(name => name.includes('Fernández-Castaño')))
  assert.ok(found('fernandez-cast').length > 0)
  assert.deepEqual(found('schillingsfursthohenlohe'), [])
})
