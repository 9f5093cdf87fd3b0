import assert from 'node:assert/strict'
import { test } from 'node:test'
import { may, type Permission, permissions, roles } from '#product/administration/users/roles.ts'

test('each role may do what the design gives it, and nothing else', () => {
  const all = Object.keys(permissions) as Permission[]
  const table = Object.fromEntries(roles.map(role => [role, all.filter(each => may(role, each))]))
  const ofOwnerAlone: Permission[] = ['account.messages', 'people', 'keys', 'log', 'erase', 'events.delete']
  assert.deepEqual(table, {
    owner: all,
    manager: all.filter(each => !ofOwnerAlone.includes(each) && each !== 'payments.settings'),
    finance: ['overview', 'guests.read', 'refunds', 'statements', 'payments', 'reports', 'payments.settings'],
    door: ['overview', 'checkins'],
    chair: ['overview', 'abstracts'],
    reviewer: ['overview'],
  })
})
