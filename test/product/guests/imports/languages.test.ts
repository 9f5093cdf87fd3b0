import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessColumns } from '#product/guests/imports/columns.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { findSystem } from '#product/guests/imports/systems.ts'
import { startMoving } from '#test/support/moving.ts'
import { asCsv, behindAnotherSheet, HI_EVENTS, PRETIX, PRETIX_ADDONS } from '#test/support/shop-exports.ts'
import {
  HI_EVENTS_HEADERS,
  inLanguage,
  PRETIX_ASKED,
  PRETIX_BEFORE,
  PRETIX_FIELDS,
  PRETIX_HEADERS,
  PRETIX_STATES,
} from '#test/support/shop-languages.ts'
import { sheetOf } from '#test/support/workbooks.ts'

const languages = Object.keys(PRETIX_HEADERS) as (keyof typeof PRETIX_HEADERS)[]

for (const language of languages)
  test(`every column of pretix is known in ${language}, today and in 2024`, () => {
    const headers: readonly string[] = PRETIX_HEADERS[language]
    const before = headers.map(name => PRETIX_BEFORE[language]?.[name] ?? name)
    for (const names of [headers, before]) {
      const columns = names
        .map((name, at) => ({ name, english: PRETIX_HEADERS.English[at] as string }))
        .filter(({ name }) => name !== '')
      const found = guessColumns(columns.map(({ name }) => name))
      assert.equal(findSystem(columns.map(({ name }) => name)), 'pretix')
      assert.deepEqual(
        columns.map(({ name, english }, at) => [name, english, found[at]]),
        columns.map(({ name, english }) => [
          ...[name, english],
          PRETIX_FIELDS[english] ?? (PRETIX_ASKED.includes(english) ? `answer:${name}` : 'none'),
        ]),
      )
    }
  })

for (const language of languages)
  test(`who has paid comes in ${language} as in English, with the extras beside the tickets, once`, async t => {
    const at = await startMoving(t)
    const table = inLanguage(PRETIX_ADDONS, language)
    const { id, outcome } = await at.move(asCsv(table))
    assert.deepEqual([outcome?.added, outcome?.wrong], [3, 0])
    assert.deepEqual(await at.fates(id), {
      ...{ 2: 'added', 3: 'added', 4: 'added', 5: 'left_out', 6: 'wrong', 7: 'wrong' },
    })
    const guests = await at.guests()
    const types = await at.types()
    assert.deepEqual(
      guests.map(({ type, reference }) => [type, reference]),
      [
        ['Ticket', 'K7QZ3-1'],
        ['Dinner – Vegan', 'K7QZ3-2'],
        ['Shirt', 'K7QZ3-3'],
      ],
    )
    // The same order in English, and as a workbook, adds nobody and no type.
    for (const again of [asCsv(PRETIX_ADDONS), behindAnotherSheet(table)]) await at.move(again)
    assert.deepEqual([await at.guests(), await at.types()], [guests, types])
  })

test('the states of pretix say in each language who has a ticket: who is let in before paying, and nobody else unpaid', async t => {
  const [header = [], first = []] = PRETIX
  const place = header.indexOf('Status')
  for (const language of languages) {
    const at = await startMoving(t)
    const states = PRETIX_STATES[language]
    const lines = PRETIX_STATES.English.map((state, line) =>
      first.map((cell, column) => (column === place ? state : column === 1 ? `A${line}` : cell)),
    )
    const { id } = await at.move(asCsv(inLanguage([header, ...lines], language)))
    const fates = Object.values(await at.fates(id))
    assert.deepEqual(
      states.map((state, line) => [state, fates[line]]),
      states.map((state, line) => [state, line === 0 || line === 5 ? 'added' : 'left_out']),
    )
  }
})

test('the attendees of Hi.Events come in each of its languages with the instant of their check-in', async t => {
  const [header = [], ...lines] = HI_EVENTS
  const english: readonly string[] = HI_EVENTS_HEADERS.English
  assert.deepEqual(header.slice(0, -1), english)
  for (const [language, names] of Object.entries(HI_EVENTS_HEADERS)) {
    const at = await startMoving(t)
    const headers = [...names, 'What do you eat?']
    const { id } = await at.move(sheetOf([headers, ...lines]))
    assert.deepEqual(
      guessColumns(headers),
      [
        ...['none', 'first_name', 'last_name', 'email', 'status', 'none', 'checked_in', 'none', 'type'],
        ...['none', 'order_line', 'none', 'none', 'none', 'note', 'answer:What do you eat?'],
      ],
      language,
    )
    const counts = await at.db.read(at.accountId, tx => imports.countLines(tx, id))
    assert.deepEqual([counts.added, counts.left_out, counts.wrong], [2, 1, 0], language)
    const [grace] = await at.guests()
    assert.deepEqual(
      [grace?.name, grace?.note, grace?.checked_in_at],
      ['Grace Hopper', 'Hi.Events A-7KQ2ZXC\nComes late', Date.parse('2026-05-01T10:15:00Z')],
      language,
    )
    // With its lists of check-ins one column stands for two, in English everywhere.
    const listed = [...names.slice(0, 5), 'Check Ins', ...names.slice(7)]
    assert.deepEqual([findSystem(listed), guessColumns(listed)[5]], ['hi_events', 'checked_in'], language)
  }
})
