import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatement } from '#machinery/bank-files/statement.ts'
import { CP1252 } from '#machinery/tables/code-page.ts'
import { findEncoding } from '#machinery/tables/encoding.ts'
import { sourceOf } from '#machinery/tables/lines.ts'
import { readAll } from './read-all.ts'

/** Encodes a text as a bank of the country does. */
function encode(text: string, page: 'windows-1250' | 'windows-1252'): Uint8Array {
  const decoder = new TextDecoder(page)
  const bytes = new Map<string, number>()
  for (let byte = 0; byte < 256; byte++) bytes.set(decoder.decode(Uint8Array.of(byte)), byte)
  if (page === 'windows-1252') for (const [at, char] of CP1252.entries()) bytes.set(char, 0x80 + at)
  return Uint8Array.from(text, char => {
    const byte = bytes.get(char)
    assert.ok(byte !== undefined, `${char} is not in ${page}`)
    return byte
  })
}

const encodingOf = async (text: string, page: 'windows-1250' | 'windows-1252') =>
  findEncoding(sourceOf(encode(text, page)))

const EASTERN = {
  Polish: [
    'Łukasz Świątek',
    'Małgorzata Żółć-Brzęczyszczykiewicz',
    'Paweł Nowak',
    'Grażyna Wiśniewska',
    'Zażółć gęślą jaźń',
    'Michał Müller',
  ],
  Czech: [
    'Dvořák Jiří',
    'Růžena Němcová',
    'Antonín Švehla, Žofie Černá',
    'Příliš žluťoučký kůň',
    'Ľubica Šťastná',
    'Bohuš Ďurčanský',
  ],
  Hungarian: ['Kőszegi Gyűrű Gergő', 'Szűcs Júlia', 'Nagyné Erdős Ágnes', 'Árvíztűrő tükörfúrógép'],
}
const WESTERN = {
  German: ['Jörg Groß', 'Käthe Müller, Öczan Übel', 'Café Crème für 5 €'],
  French: ['Hélène Lefèvre à Besançon', "Cœur d’Été, août où l'on paye", 'François Noël', 'à Paris'],
  Spanish: ['Peña', 'Íñigo Núñez, 1º Año', '¿Qué? ¡Sí! Nº 5', 'Muñoz Ibáñez'],
  Catalan: ['Àngels Pañella i Güell, Núria Òdena', 'Col·legi de Lluïsa'],
  Portuguese: ['João Simões', 'Conceição Guimarães, doações', 'Antônio'],
  Italian: ['Niccolò Caffè', 'Società Perù è già più'],
  Danish: ['Søren Kjær, Åse Bødker', 'Øystein Næss'],
  Swedish: ['Åsa Öberg, Märta', 'Björn Hägglöf'],
  Icelandic: ['Þórður Guðmundsson, Ævar Örn Jónsson'],
  Estonian: ['Tõnu Võsu, Käärt Müür'],
  Dutch: ['Daniëlle van Oïrschot, één café'],
  English: ['Paid £12.50 for 3 m² and 5 m³', 'Zoë’s naïve café', '½ price – £5'],
}

test('names of Central Europe are read as they were written, and those of the West as before', async () => {
  const wrong: string[] = []
  for (const [page, ofPage] of [
    ['windows-1250', EASTERN],
    ['windows-1252', WESTERN],
  ] as const)
    for (const [language, lines] of Object.entries(ofPage))
      for (const line of [...lines, lines.join('\n')]) {
        const { encoding, guessed } = await encodingOf(`Name;Amount\n${line};5\n`, page)
        if (encoding !== page || !guessed) wrong.push(`${language}: ${line}`)
      }
  assert.deepEqual(wrong, [])
})

test('where the letters leave it open, the names of the columns decide', async () => {
  // The bytes stand only for letters that some western language has.
  for (const [header, name] of [
    ['Datum;Částka;Název protiúčtu', 'Černá Nováková'],
    ['Könyvelés dátuma;Összeg;Közlemény', 'Kőrösi'],
    ['Data operacji;Kwota;Opis', 'Święcki'],
  ] as const)
    assert.equal((await encodingOf(`${header}\n1;2;${name}\n`, 'windows-1250')).encoding, 'windows-1250')
})

const files = {
  'a Polish bank': {
    file: 'Data operacji;Opis operacji;Kwota;Nadawca/Odbiorca\n2026-11-20;bilet RF18 5390 0754 7034;-0,00;x\n2026-11-20;bilet, dziękuję;120,50;Łukasz Wójcik\n',
    name: 'Łukasz Wójcik',
    text: 'bilet, dziękuję',
    amount: 12_050,
  },
  'a Czech bank': {
    file: 'Datum zaúčtování;Částka;Měna;Název protiúčtu;Zpráva pro příjemce\n20.11.2026;1 250,00;CZK;Jiří Dvořák;vstupenky, děkuji\n',
    name: 'Jiří Dvořák',
    text: 'vstupenky, děkuji',
    amount: 125_000,
  },
  'a Hungarian bank': {
    file: 'Könyvelés dátuma;Összeg;Devizanem;Partner neve;Közlemény\n2026.11.20;12500,00;HUF;Erdős Gergő;jegy, köszönöm\n',
    name: 'Erdős Gergő',
    text: 'jegy, köszönöm',
    amount: 1_250_000,
  },
}

for (const [bank, { file, name, text, amount }] of Object.entries(files))
  test(`the file of ${bank} has its columns found, and its names and texts are right`, async () => {
    const statement = await readStatement(encode(file, 'windows-1250'), 'EUR')
    assert.deepEqual([statement.encoding, statement.missing], ['windows-1250', []])
    const { lines } = await readAll(statement)
    const line = lines.at(-1)
    assert.deepEqual([line?.counterparty, line?.text, line?.amount], [name, text, amount])
  })
