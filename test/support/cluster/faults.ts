import { setTimeout as pause } from 'node:timers/promises'
import type { Nodes } from '../postgres-nodes.ts'
import type { ServerProcess } from '../server-process.ts'
import type { TcpProxy } from '../tcp-proxy.ts'
import type { Clocks } from './clocks.ts'
import type { SmallDisk } from './small-disk.ts'
import { addStandby } from './standby.ts'

// What can happen to two servers and their PostgreSQL. Each resolves once the fault itself is over; whether all is well again is for
// the caller to find out.

/** Kills a server, and starts another in its place after a time. */
export async function killServer(nodes: Nodes, at: 0 | 1, milliseconds = 0): Promise<void> {
  const { kill, ended } = nodes.servers[at] as ServerProcess
  kill('SIGKILL')
  await ended
  await pause(milliseconds)
  await nodes.start(at)
}

/** Has a server stand still. */
export async function stopServer(nodes: Nodes, at: 0 | 1, milliseconds: number): Promise<void> {
  const { kill } = nodes.servers[at] as ServerProcess
  kill('SIGSTOP')
  await pause(milliseconds)
  kill('SIGCONT')
}

/** Stops PostgreSQL as if its machine had lost power, and starts it again. */
export async function restartPostgres({ postgres }: Nodes, milliseconds: number): Promise<void> {
  postgres.stop('immediate')
  await pause(milliseconds)
  postgres.start()
}

/** Takes the network of a server away, both ways and without a word. */
export async function dropNetwork({ networks }: Nodes, at: 0 | 1, milliseconds: number): Promise<void> {
  const network = networks[at + 1] as TcpProxy
  network.drop()
  await pause(milliseconds)
  network.restore()
}

/** Loses the answers to some commits of both servers. */
export async function loseCommits({ networks }: Nodes, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await pause(100)
    networks[1 + (time % 2)]?.cutAt('COMMIT\0')
  }
}

/** Has each answer of PostgreSQL come so much later. */
export async function slowPostgres({ networks }: Nodes, by: number, milliseconds: number): Promise<void> {
  for (const network of networks) network.delay(by)
  await pause(milliseconds)
  for (const network of networks) network.delay(0)
}

/** Fills the disk of PostgreSQL, and makes room after a time. An operator starts a PostgreSQL that has given up. */
export async function fillDisk(
  { postgres }: Nodes,
  disk: SmallDisk,
  meanwhile: () => Promise<void>,
): Promise<void> {
  disk.fill()
  await meanwhile()
  disk.makeRoom()
  if (!postgres.isRunning()) postgres.start()
}

/** Kills the primary once a synchronous standby follows it, and has the standby take over. */
export async function failOver(nodes: Nodes): Promise<void> {
  const standby = await addStandby(nodes.postgres, nodes.cluster)
  nodes.postgres.stop('immediate')
  standby.run('pg_ctl', ['-D', standby.data, '-w', 'promote'])
  for (const network of nodes.networks) network.lead(standby.port)
  nodes.postgres.remove()
  nodes.postgres = standby
}

/** Sets the clock of a server's machine, and sets it right after a time. */
export async function setClock(
  clocks: Clocks,
  at: 0 | 1,
  { by, milliseconds }: { by: number; milliseconds: number },
): Promise<void> {
  clocks.set(at, by)
  await pause(milliseconds)
  clocks.set(at, 0)
}
