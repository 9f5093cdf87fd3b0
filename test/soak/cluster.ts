import { parseArgs } from 'node:util'
import { soak } from '#test/support/cluster/soak.ts'

// Random faults on two servers and their PostgreSQL, for `--minutes` (60). The same `--seed` chooses the same faults.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const endings: (() => unknown)[] = []
print(`--seed ${values.seed}`)
try {
  const rounds = await soak(
    { after: end => endings.push(end as () => unknown) },
    { minutes: Number(values.minutes), seed: Number(values.seed), print },
  )
  print(
    `${rounds} rounds: nothing that was answered is lost, nothing is there twice, and the check finds nothing`,
  )
} finally {
  for (const end of endings) await end()
}
