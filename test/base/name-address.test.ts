import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { english, faultsOf, say } from '#base/faults.ts'
import { personName } from '#base/fields.ts'
import { findAddress } from '#base/name-address.ts'

test('people and organizations keep their names: dots, slashes, degrees and forms of companies are no web address', () => {
  const names = [
    ...['J.R. Smith', 'St.Mary', 'St.Mary/St.John', 'A/B', 'Ltd./GmbH', 'Inc./Ltd.', 'c/o Booking.com'],
    ...['Booking.com GmbH', 'Booking.com', 'GmbH & Co.KG/Berlin', 'Nørrebro S.A./N.V.', 'Acme Co.Ltd/Osaka'],
    ...['Anna Müller M.Sc./MBA', 'Ravi B.Tech/M.Tech', 'Dr.med.vet./PhD', 'P.O. Box 3.14/2', '24/7', 'AT&T'],
    ...['Booking.com? Yes', 'Who?', 'Anna #7', 'Booking.com #7', 'C#/F#', 'C#.Net'],
    ...[
      'Smith: Jones',
      'Awww',
      'Wwwong',
      'Anna-Lena (www)',
      'A//B',
      '½',
      'キノ.ハナ',
      'X.Y.Z./A.B.C',
      'O’Brien',
    ],
    ...[
      'मोहन/सीता',
      'Олег/Ольга',
      'عبد الله/محمد',
      '김철수/이영희',
      'Mary.Ann/Lee',
      'http',
      'Https Smith',
      '://'.slice(1),
    ],
  ]
  for (const name of names) {
    assert.equal(findAddress(name), undefined, name)
    assert.ok(v.safeParse(personName, name).success, name)
  }
})

const addresses: readonly [what: string, name: string, found: string][] = [
  ['a scheme', 'You won! http://evil.example', 'http://evil.example'],
  ['any scheme', 'You won! ftp://evil', 'ftp://evil'],
  ['in upper case', 'HTTPS://EVIL.EXAMPLE', 'https://evil.example'],
  ['a scheme that is made none', 'hxxps:evil', 'hxxps:evil'],
  ['a scheme with white space', 'http : // evil', 'http :'],
  ['a scheme with other slashes', 'http:\\\\evil', 'http://evil'],
  ['the usual host', 'You won: www.evil', 'www.evil'],
  ['one with a number', 'www2.evil', 'www2.evil'],
  ['letters of full width', 'ｗｗｗ．ｅｖｉｌ', 'www.evil'],
  ['mathematical letters', '𝐰𝐰𝐰.𝐞𝐯𝐢𝐥', 'www.evil'],
  ['something unseen between', 'w\u200bw\u00adw\u2060.evil', 'www.evil'],
  ['marks on the letters', 'w\u0332w\u0332w\u0332.\u0332evil', 'www.evil'],
  ['a known ending before a slash', 'Win at evil.com/win', 'evil.com/'],
  ['in upper case', 'EVIL.COM/WIN', 'evil.com/'],
  ['a short one', 't.me/win', 't.me/'],
  ['with a port', 'evil.com:8080/win', 'evil.com:8080/'],
  ['with the root', 'evil.com./win', 'evil.com./'],
  ['a query without a slash', 'Win at evil.com?id=7', 'evil.com?'],
  ['a place in a page', 'evil.com#win', 'evil.com#'],
  ['a question mark of full width', 'evil.com？id', 'evil.com?'],
  ['with a user', 'ada@evil.com/win', 'evil.com/'],
  ['without its scheme', '//evil.com/win', 'evil.com/'],
  ['an ideographic full stop', 'evil。com/win', 'evil.com/'],
  ['a one-dot leader', 'evil․com/win', 'evil.com/'],
  ['a slash of full width', 'evil.com／win', 'evil.com/'],
  ['a fraction slash', 'evil.com⁄win', 'evil.com/'],
  ['a division slash', 'evil.com∕win', 'evil.com/'],
  ['a host in Cyrillic', 'пример.рф/win', 'пример.рф/'],
  ['a host in Devanagari, whose ending has a mark', 'भारत.भारत/win', 'भारत.भारत/'],
  ['the same as the name system has it', 'evil.xn--p1ai/win', 'evil.xn--p1ai/'],
  ['four numbers', '192.0.2.1/win', '192.0.2.1/'],
  ['an abbreviation that is part of a longer host', 'evil.co.kg/win', 'evil.co.kg/'],
]
for (const [what, name, found] of addresses) {
  test(`a name has no web address in it: ${what}`, () => {
    assert.equal(findAddress(name), found)
    const { issues } = v.safeParse(personName, name, { abortEarly: true })
    assert.ok(issues !== undefined)
    const sentence = `must not have a web address in it, as "${found}" is read`
    assert.equal(say(english, faultsOf(issues)[0].fault), sentence)
  })
}

test('of a long address the sentence shows the beginning', () => {
  const { issues } = v.safeParse(personName, `http://${'e'.repeat(190)}`, { abortEarly: true })
  assert.ok(issues !== undefined && say(english, faultsOf(issues)[0].fault).length < 100)
})

test('a name that is far too long is not looked at for addresses, and no name of 200 characters takes long', () => {
  const worst = [
    ...['ﷺ'.repeat(200), 'www'.repeat(66), ':'.repeat(200), 'a.'.repeat(100), 'a/'.repeat(100)],
    ...[
      `${'भ.'.repeat(99)}/`,
      ': '.repeat(100),
      `:${' '.repeat(198)}/`,
      'é.ελ/'.repeat(40),
      '\u{1d15e}'.repeat(100),
    ],
    ...[`${`q${'\u0334'.repeat(30)}`.repeat(6)}/`, `${'x'.repeat(199)}/`, '.'.repeat(199), 'h'.repeat(200)],
  ]
  for (const name of worst) {
    const before = process.cpuUsage()
    for (let n = 0; n < 100; n++) findAddress(name)
    const { user, system } = process.cpuUsage(before)
    // Milliseconds of a processor, of one name: a request has a hundred names at most.
    const each = (user + system) / 100 / 1000
    assert.ok(each < 2, `${name.slice(0, 10)} ${each} ms`)
  }
  const { issues } = v.safeParse(personName, 'www.'.repeat(100_000), { abortEarly: true })
  assert.ok(issues !== undefined)
  assert.equal(say(english, faultsOf(issues)[0].fault), 'must have 1 to 200 characters')
})
