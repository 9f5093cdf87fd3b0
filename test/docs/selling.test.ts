import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { organization } from '#test/support/organization.ts'
import { blockOf } from './pages.ts'

test('the order that the page about selling shows is applied, and exported as it is shown', async t => {
  const { json, write } = commandLine(t)
  const shown = JSON.parse(blockOf('docs/selling.md', 'json'))
  await json('apply', write('f.json', organization({ event: shown })))
  const [event] = (await json('export')).events
  const instant = (value: unknown) => (typeof value === 'string' ? value.replace('.000Z', 'Z') : value)
  const asShown = (item: object) =>
    Object.fromEntries(Object.entries(item).map(([field, value]) => [field, instant(value)]))
  assert.deepEqual(event.orders.map(asShown), shown.orders)
  assert.deepEqual(Object.keys(event.orders[0]), Object.keys(shown.orders[0]))
  const [line] = event.registrations
  const [{ attendees, ...wanted }] = shown.registrations
  assert.deepEqual({ ...asShown(line), ...wanted }, asShown(line))
  assert.deepEqual({ ...line.attendees[0], ...attendees[0] }, line.attendees[0])
})
