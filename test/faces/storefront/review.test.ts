import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSale } from '#test/support/people/sale.ts'

const questions = [
  { key: 'from', label: 'Where are you from?', kind: 'country', asked_for: 'order' },
  { key: 'day', label: 'When do you arrive?', kind: 'date', asked_for: 'order' },
  { key: 'dinner', label: 'Do you dine with us?', kind: 'yes_no', required: true, asked_for: 'ticket' },
]

test('the review shows answers as people read them, and each name and e-mail apart', async t => {
  const types = [{ name: 'Guest', price: 0, capacity: 100 }]
  const { visitor, formPath, clock } = await startSale(
    t,
    { registration_types: types, questions, codes: [] },
    { terms: null },
  )
  const fill = async (language: 'en' | 'es') => {
    const form = await visitor(language).open(formPath({ Guest: 2 }))
    clock.advance(1_000)
    const name = { en: 'Name on the ticket', es: 'Nombre en la entrada' }[language]
    const email = { en: 'E-mail, if not yours', es: 'Correo, si no es el tuyo' }[language]
    const of = { en: 'Guest, ticket 1 of 2', es: 'Guest, entrada 1 de 2' }[language]
    const [you, yours] = { en: ['Your name', 'Your e-mail'], es: ['Tu nombre', 'Tu correo electrónico'] }[
      language
    ] as [string, string]
    form.fill({
      ...{
        [you]: 'Grace',
        [yours]: 'grace@example.org',
        [`${name}: ${of}`]: 'שרה לוי',
        [`${email}: ${of}`]: 'sara@example.org',
      },
      ...{ 'Where are you from?': 'ES', 'When do you arrive?': '2026-12-01' },
    })
    for (const box of form.document.querySelectorAll<HTMLInputElement>('[type=radio][value=yes]'))
      box.checked = true
    return form.press({ en: 'Continue', es: 'Continuar' }[language])
  }
  const english = await fill('en')
  assert.match(english.text, /Where are you from\? ?Spain/)
  assert.match(english.text, /When do you arrive\? ?1 Dec 2026/)
  assert.match(english.text, /Do you dine with us\? ?Yes/)
  const marked = [...english.document.querySelectorAll('.facts bdi')].map(({ textContent }) => textContent)
  for (const text of ['שרה לוי', 'sara@example.org', 'Guest, ticket 1 of 2', 'Where are you from?', 'Spain'])
    assert.ok(marked.includes(text), text)
  const spanish = await fill('es')
  assert.match(spanish.text, /Where are you from\? ?España/)
  assert.match(spanish.text, /Do you dine with us\? ?Sí/)
  // The hidden field sends the answer as it is kept.
  const sent = [...spanish.document.querySelectorAll<HTMLInputElement>('[type=hidden]')].map(
    ({ value }) => value,
  )
  assert.ok(sent.includes('ES') && sent.includes('yes'))
})
