import { test } from 'node:test'
import { seeded } from '../durability/power-cut.ts'
import { seedOf } from '../fuzz/server.ts'
import { DoorWalks } from '../support/door-walk.ts'

const WALKS = Number(process.env.DOOR_WALKS ?? 30)

test('whatever the network loses, repeats and reorders, each ticket has one check-in, and conflicts are the other admissions', async t => {
  const seed = seedOf(t)
  const walks = await DoorWalks.open(t)
  for (let walk = 0; walk < WALKS; walk++) {
    try {
      await walks.walk(seeded(seed + walk))
    } catch (error) {
      t.diagnostic(`walk ${walk} fails: FUZZ_SEED=${seed + walk}`)
      throw error
    }
  }
  t.diagnostic(JSON.stringify(walks.seen))
})
