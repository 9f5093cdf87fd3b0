import assert from 'node:assert/strict'
import { SECOND } from '#base/time.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { type Keyboard, KeyboardWalk } from '../keyboard-walk.ts'
import type { Sale } from './sale.ts'

/** The texts of the pages, in the order of the purchase. */
const sentences = {
  en: {
    quantity: 'How many of Guest',
    register: 'Register',
    form: 'Register for Spring Meeting',
    name: 'Your name',
    email: 'Your e-mail',
    holder: 'Name on the ticket: Guest, ticket 2 of 2',
    holderEmail: 'E-mail, if not yours: Guest, ticket 2 of 2',
    accept: 'I accept the terms',
    next: 'Continue',
    refused: 'Enter an e-mail address',
    review: 'Is this right?',
    placed: 'You are in',
    ticket: 'Ticket for Spring Meeting',
    names: 'Change names',
    namesTitle: 'Change the names on the tickets',
    save: 'Save',
    saved: 'It is saved.',
    cancel: 'Cancel the order…',
    cancelTitle: 'Cancel the order?',
    cancelSubmit: 'Cancel the order',
    cancelled: 'Your registration is cancelled',
    waitlist: 'Join the waitlist: Workshop',
    waiting: 'Wait for Workshop',
    join: 'Join the waitlist',
    joined: 'You are on the waitlist',
    soldOut: 'Workshop is sold out.',
    fewer: 'How many of Workshop now',
    workshop: 'How many of Workshop',
    dinner: 'How many of Dinner',
    obligation: 'Order with obligation to pay',
    payment: 'This page stands for',
    decline: 'Decline the card',
    declined: 'The card was declined.',
    pay: 'Pay',
    paid: '€30.00 are paid.',
  },
  es: {
    quantity: 'Cuántas de Guest',
    register: 'Inscribirme',
    form: 'Inscripción en Spring Meeting',
    name: 'Tu nombre',
    email: 'Tu correo electrónico',
    holder: 'Nombre en la entrada: Guest, entrada 2 de 2',
    holderEmail: 'Correo, si no es el tuyo: Guest, entrada 2 de 2',
    accept: 'Acepto las condiciones',
    next: 'Continuar',
    refused: 'Escribe una dirección de correo',
    review: '¿Está todo bien?',
    placed: 'Ya tienes tu plaza',
    ticket: 'Entrada para Spring Meeting',
    names: 'Cambiar nombres',
    namesTitle: 'Cambiar los nombres de las entradas',
    save: 'Guardar',
    saved: 'Guardado.',
    cancel: 'Cancelar el pedido…',
    cancelTitle: '¿Cancelar el pedido?',
    cancelSubmit: 'Cancelar el pedido',
    cancelled: 'Tu inscripción está cancelada',
    waitlist: 'Apuntarme a la lista de espera: Workshop',
    waiting: 'Esperar',
    join: 'Apuntarme a la lista de espera',
    joined: 'Estás en la lista de espera',
    soldOut: 'Workshop: entradas agotadas.',
    fewer: 'Cuántas de Workshop ahora',
    workshop: 'Cuántas de Workshop',
    dinner: 'Cuántas de Dinner',
    obligation: 'Pedido con obligación de pago',
    payment: 'Esta página hace las veces',
    decline: 'Rechazar la tarjeta',
    declined: 'La tarjeta fue rechazada.',
    pay: 'Pagar',
    paid: 'Pagado: 30,00',
  },
} as const

type Language = keyof typeof sentences

/** The event sells these types. Others take two places of the workshop. */
export const purchased = {
  registration_types: [
    { name: 'Guest', price: 0, capacity: 100 },
    { name: 'Workshop', price: 0, capacity: 2 },
    { name: 'Dinner', price: 1500, capacity: 50 },
  ],
  questions: [],
  codes: [],
}

/** Goes from the page of the event to an order, gives one of its holders another name, and cancels it as its buyer. */
export async function purchase(sale: Sale, keyboard: Keyboard, language: Language): Promise<void> {
  const { app, clock, path, db, accountId, eventId, ticketPathOf } = sale
  const texts = sentences[language]
  const walk = new KeyboardWalk(keyboard)
  const typedIn = (name: string) => keyboard.evaluate(`document.querySelector('[name="${name}"]').value`)
  await walk.open(`${app.siteUrl}${path}?lang=${language}`, texts.register)
  await walk.type(texts.quantity, '2')
  await walk.press(texts.register, texts.form)
  await walk.type(texts.name, 'Grace Ñandú')
  await walk.type(texts.email, 'nobody')
  await walk.press(texts.next, texts.refused)
  assert.equal(await typedIn('buyer.name'), 'Grace Ñandú')
  await walk.type(texts.email, 'grace@example.org')
  await walk.type(texts.holder, 'Bob')
  await walk.type(texts.holderEmail, 'bob@example.org')
  await walk.tick(texts.accept)
  clock.advance(SECOND)
  await walk.press(texts.next, texts.review)
  await walk.press(texts.register, texts.placed)
  assert.equal(await keyboard.evaluate("document.querySelectorAll('svg.qr').length"), 2)
  const orderUrl = await keyboard.evaluate<string>('location.href')
  const [order] = await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 1 }))
  assert.deepEqual([order?.status, order?.language], ['confirmed', language])

  await walk.press(texts.names, texts.namesTitle)
  await walk.type(texts.holder, 'Zoë Ω')
  await walk.press(texts.save, texts.saved)
  await walk.arrive('Zoë Ω')
  const ticket = await ticketPathOf(order?.id as string, 1)
  await walk.open(`${app.siteUrl}${ticket}?lang=${language}`, texts.ticket)
  await walk.arrive('Zoë Ω')
  assert.equal(await keyboard.evaluate("document.querySelectorAll('svg.qr').length"), 1)
  assert.ok(!(await keyboard.evaluate<string>('document.body.innerText')).includes('Grace'))

  await walk.open(orderUrl, texts.placed)
  await walk.press(texts.cancel, texts.cancelTitle)
  await walk.press(texts.cancelSubmit, texts.cancelled)
  assert.equal(await keyboard.evaluate("document.querySelectorAll('svg.qr').length"), 0)
}

/** Somebody was faster: what was typed is kept, the waitlist is joined, and what is left is taken. */
export async function comeTooLate(sale: Sale, keyboard: Keyboard, language: Language): Promise<void> {
  const { app, clock, path, take } = sale
  const texts = sentences[language]
  const walk = new KeyboardWalk(keyboard)
  await walk.open(`${app.siteUrl}${path}?lang=${language}`, texts.register)
  await walk.type(texts.quantity, '1')
  await walk.type(texts.workshop, '2')
  await walk.press(texts.register, texts.name)
  await walk.type(texts.name, 'Eve')
  await walk.type(texts.email, 'eve@example.org')
  await walk.tick(texts.accept)
  clock.advance(SECOND)
  await walk.press(texts.next, texts.review)
  await take({ Workshop: ['Ada', 'Alan'] })
  await walk.press(texts.register, texts.soldOut)
  assert.equal(await keyboard.evaluate(`document.querySelector('[name="buyer.name"]').value`), 'Eve')
  await walk.to(texts.fewer, true)
  await walk.press(texts.next, texts.review)
  await walk.press(texts.register, texts.placed)

  await walk.open(`${app.siteUrl}${path}?lang=${language}`, texts.register)
  await walk.press(texts.waitlist, texts.waiting)
  await walk.type(texts.name, 'Wes')
  await walk.type(texts.email, 'wes@example.org')
  clock.advance(SECOND)
  await walk.press(texts.join, texts.joined)
}

/** Orders what costs something: goes on to the page of the processor, is declined, pays, and comes back to the tickets. */
export async function pay(sale: Sale, keyboard: Keyboard, language: Language): Promise<void> {
  const { app, clock, path, db, accountId, eventId } = sale
  const texts = sentences[language]
  const walk = new KeyboardWalk(keyboard)
  await walk.open(`${app.siteUrl}${path}?lang=${language}`, texts.register)
  await walk.type(texts.dinner, '2')
  await walk.press(texts.register, texts.name)
  await walk.type(texts.name, 'Kim')
  await walk.type(texts.email, 'kim@example.org')
  await walk.tick(texts.accept)
  clock.advance(SECOND)
  await walk.press(texts.next, texts.review)
  await walk.press(texts.obligation, texts.payment)
  await walk.press(texts.decline, texts.declined)
  await walk.press(texts.pay, texts.paid)
  assert.equal(await keyboard.evaluate("document.querySelectorAll('svg.qr').length"), 2)
  const [order] = await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 1 }))
  assert.deepEqual([order?.status, order?.amount_total], ['confirmed', 3000])
}
