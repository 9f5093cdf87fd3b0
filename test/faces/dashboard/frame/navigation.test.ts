import assert from 'node:assert/strict'
import { test } from 'node:test'
import { navigationOf } from '#faces/dashboard/frame/navigation.ts'
import type { Page } from '#faces/dashboard/frame/page.ts'
import { pages } from '#faces/dashboard/routes.ts'
import { en } from '#texts/en/index.ts'

const named = (level: string, from: readonly Page[]) =>
  navigationOf(from)
    .filter(page => page.level === level)
    .map(page => page.navigation.text(en))

test('the navigation of an event begins with what is worked with most, which a phone shows without More', () => {
  assert.deepEqual(named('event', pages), [
    ...['Overview', 'Guests', 'Check-in', 'Doors'],
    ...['Tickets', 'Waitlist', 'Abstracts', 'Messages', 'Reports', 'Event page', 'Event settings'],
  ])
})

test('the navigation of an organization ends with what is seldom needed', () => {
  assert.deepEqual(named('account', pages), [
    ...['Events', 'Reports', 'Team', 'API keys'],
    ...['Payments', 'Bank statements', 'Webhooks', 'Messages', 'Settings', 'Access log', 'System'],
  ])
})

test('the order does not follow the folders, nor where a page stands in them', () => {
  for (const level of ['account', 'event'])
    assert.deepEqual(named(level, pages.toReversed()), named(level, pages))
})

test('a page that would have no place in the navigation is refused at the start', () => {
  const page = pages.find(({ path }) => path === '/e/{event}/guests') as Page
  assert.throws(() => navigationOf([{ ...page, path: '/e/{event}/somewhere' }]), /somewhere has no place/)
})
