import { spawnSync } from 'node:child_process'

// The tests of durability in their long form: 50 rounds of load and kill -9, hundreds of power cuts, 2,000 buyers for 200 places, and
// WALKS random sales, of them STRIPE_WALKS over the adapter of Stripe, and DOOR_WALKS random evenings at doors.

const { status } = spawnSync(
  process.execPath,
  [
    '--import',
    'tsx',
    '--test',
    '--test-concurrency',
    '1',
    '--test-reporter',
    'spec',
    'test/load/crash.test.ts',
    'test/durability/power-cut.test.ts',
    'test/product/selling/payments/rush.process.test.ts',
    'test/fuzz/payment-walk.test.ts',
    'test/product/entrance/doors/protocol.process.test.ts',
    'test/product/entrance/doors/restored.process.test.ts',
    'test/fuzz/stripe-payment-walk.test.ts',
  ],
  {
    stdio: 'inherit',
    env: { WALKS: '20000', STRIPE_WALKS: '4000', DOOR_WALKS: '2000', ...process.env, SOAK: '1' },
  },
)
process.exitCode = status ?? 1
