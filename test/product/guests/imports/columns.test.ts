import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { guessColumns, readMapping } from '#product/guests/imports/columns.ts'
import { naughtyStrings } from '#test/fuzz/naughty-strings.ts'

test('columns are told by their names, in English and Spanish, as pretix and Eventbrite export them', () => {
  const cases: [headers: string[], columns: string[]][] = [
    [
      ['Name', 'E-mail', 'Ticket type', 'Quantity', 'Diet'],
      ['name', 'email', 'type', 'quantity', 'answer:Diet'],
    ],
    [
      ['Nombre y apellidos', 'Correo electrónico', 'Tipo de entrada', 'Cantidad', 'Idioma', 'Dieta'],
      ['name', 'email', 'type', 'quantity', 'language', 'answer:Dieta'],
    ],
    [
      ['Nombre', 'Apellidos', 'CORREO'],
      ['first_name', 'last_name', 'email'],
    ],
    [
      [
        'Order code',
        'Pseudonymization ID',
        'Email',
        'Product',
        'Attendee name',
        'Attendee email',
        'Seat name',
        'Order locale',
      ],
      [
        'answer:Order code',
        'reference',
        'email',
        'type',
        'attendee_name',
        'attendee_email',
        'seat',
        'language',
      ],
    ],
    [
      ['Order #', 'First Name', 'Last Name', 'Email', 'Quantity', 'Ticket Type', 'Attendee #'],
      ['answer:Order #', 'first_name', 'last_name', 'email', 'quantity', 'type', 'reference'],
    ],
    [
      [
        'Buyer first name',
        'Buyer last name',
        'Buyer email',
        'Attendee first name',
        'Attendee last name',
        'Name',
      ],
      ['first_name', 'last_name', 'email', 'attendee_first_name', 'attendee_last_name', 'name'],
    ],
    [
      ['Name', 'Email', 'Diet', 'Diet', '', 'Email'],
      ['name', 'email', 'answer:Diet', 'answer:Diet (2)', 'none', 'answer:Email'],
    ],
    [
      ['Vorname', 'Nachname', 'E-Mail-Adresse', 'Karte', 'Anzahl', 'Mitgliedsnummer'],
      ['first_name', 'last_name', 'email', 'type', 'quantity', 'answer:Mitgliedsnummer'],
    ],
    [
      ['Name', 'Vorname', 'E-Mail', 'Ticketart', 'Sitzplatz', 'Sprache'],
      ['last_name', 'first_name', 'email', 'type', 'seat', 'language'],
    ],
    [
      ['Nombre', 'Nombre de pila', 'Correo'],
      ['name', 'first_name', 'email'],
    ],
    [
      ['Name', 'Email', 'Why it was left out'],
      ['name', 'email', 'none'],
    ],
  ]
  for (const [headers, columns] of cases) assert.deepEqual(guessColumns(headers), columns)
})

test('whatever the columns are called, the guess is a choice that is taken', () => {
  for (const name of naughtyStrings) {
    const headers = ['Name', 'Email', name, name, name.repeat(50)]
    readMapping(headers, guessColumns(headers))
  }
})

test('a choice of columns that cannot be is refused at its column', () => {
  const headers = ['a', 'b', 'c']
  const cases: [columns: string[], param: string, key: string][] = [
    [['name', 'email'], 'columns', 'asManyAs'],
    [['name', 'email', 'colour'], 'columns.2', 'oneOf'],
    [['name', 'email', '__proto__'], 'columns.2', 'oneOf'],
    [['name', 'email', 'email'], 'columns.2', 'twice'],
    [['name', 'email', 'answer:'], 'columns.2', 'answerKey'],
    [['name', 'email', `answer:${'x'.repeat(65)}`], 'columns.2', 'answerKey'],
    [['name', 'answer:x', 'answer:x'], 'columns.2', 'twice'],
    [['none', 'email', 'none'], 'columns.name', 'required'],
    [['name', 'none', 'none'], 'columns.email', 'required'],
  ]
  for (const [columns, param, key] of cases) {
    assert.throws(
      () => readMapping(headers, columns),
      (error: unknown) =>
        error instanceof Problem &&
        error.code === 'invalid_parameter' &&
        error.param === param &&
        (error.details as { fault: { key: string } }).fault.key === key,
      `${columns}`,
    )
  }
  const mapping = readMapping(headers, ['attendee_email', 'answer:__proto__', 'last_name'])
  assert.deepEqual([...mapping.answers], [['__proto__', 1]])
})
