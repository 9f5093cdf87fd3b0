import { setTimeout as pause } from 'node:timers/promises'
import { DAY, MINUTE, SECOND } from '#base/time.ts'
import { seeded } from '../../durability/power-cut.ts'
import { type Nodes, startPair } from '../postgres-nodes.ts'
import { makeClocks } from './clocks.ts'
import * as faults from './faults.ts'
import { assertWhole, type Span } from './proof.ts'
import { findLeader } from './refund-under-way.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

export interface SoakOptions {
  minutes: number
  seed: number
  print: (line: string) => void
}

type Random = (most: number) => number
type Round = [name: string, run: () => Promise<unknown>]

const BUYERS = 4
/** How many imports are answered before a fault and after it. */
const SOME = 60
/** Megabytes of the disk of PostgreSQL, and how many more for each minute of load. */
const DISK = 400
const A_MINUTE = 20
/** An hour has as many answers to ask for again as a program can keep at hand, so each client waits in between, in milliseconds. */
const BREATH = 500

/**
 * Has one random fault after the other come to two servers that sell, admit and import, and proves after each that all is whole.
 *
 * @returns how many rounds there were
 */
export async function soak(
  t: Parameters<typeof startPair>[0],
  { minutes, seed, print }: SoakOptions,
): Promise<number> {
  const next = seeded(seed)
  const random: Random = most => Math.floor(next() * most)
  const disk = mountSmallDisk(t, DISK + Math.ceil(A_MINUTE * minutes))
  if (disk === undefined) print('no disk is full: this user may not mount one of its own')
  const clocks = makeClocks(t)
  const nodes = await startPair(t, {
    ...{ sells: true, surroundings: clocks.surroundings },
    ...(disk === undefined ? {} : { place: disk.place }),
    settings: { fsync: 'off', max_wal_size: '32MB', min_wal_size: '32MB' },
  })
  const until = performance.now() + minutes * MINUTE
  const spans: Span[] = []
  let rounds = 0
  for (; performance.now() < until; rounds++) {
    const began = performance.now()
    const leader = await findLeader(nodes)
    const [name, run] = chooseFault({ nodes, disk, clocks, random, leader })
    const load = nodes.load(BUYERS, BREATH)
    await load.more(SOME)
    const from = Date.now()
    await run()
    spans.push([from, Date.now()])
    await load.more(SOME)
    await assertWhole(nodes, load, spans)
    const seconds = ((performance.now() - began) / SECOND).toFixed(1)
    const { answers, orders, admitted, refusals } = load
    print(
      `${rounds + 1}. ${name}: ${answers.size} imports, ${admitted.size} admitted, ${orders.size} orders, ${refusals} refusals, ${seconds} s`,
    )
  }
  return rounds
}

interface Choice {
  nodes: Nodes
  disk: SmallDisk | undefined
  clocks: ReturnType<typeof makeClocks>
  random: Random
  leader: 0 | 1
}

function chooseFault({ nodes, disk, clocks, random, leader }: Choice): Round {
  const other = (1 - leader) as 0 | 1
  const at = random(2) === 0 ? leader : other
  const which = at === leader ? 'the server that leads' : 'the server that does not lead'
  const milliseconds = 1_000 + random(7_000)
  const by = ([3 * SECOND, 2 * MINUTE, DAY][random(3)] as number) * (random(2) === 0 ? 1 : -1)
  const rounds: Round[] = [
    [`${which} is killed`, () => faults.killServer(nodes, at, milliseconds)],
    [`${which} stands still for ${milliseconds} ms`, () => faults.stopServer(nodes, at, milliseconds)],
    [`${which} stands still for 13 s`, () => faults.stopServer(nodes, at, 13_000)],
    [`${which} has no network for ${milliseconds} ms`, () => faults.dropNetwork(nodes, at, milliseconds)],
    [
      'no server has a network for 3 s',
      () => Promise.all(([0, 1] as const).map(each => faults.dropNetwork(nodes, each, 3_000))),
    ],
    ['PostgreSQL stops and starts', () => faults.restartPostgres(nodes, milliseconds)],
    ['answers to commits are lost', () => faults.loseCommits(nodes, 30)],
    ['each statement takes 2 s', () => faults.slowPostgres(nodes, 2_000, 8_000)],
    ['a standby takes over', () => faults.failOver(nodes)],
    [
      `${which} has a clock that is ${by / SECOND} s ahead`,
      () => faults.setClock(clocks, at, { by, milliseconds }),
    ],
  ]
  if (disk !== undefined) {
    rounds.push([
      'the disk of PostgreSQL is full',
      () => faults.fillDisk(nodes, disk, () => pause(milliseconds)),
    ])
  }
  return rounds[random(rounds.length)] as Round
}
