import { setPriority } from 'node:os'

/**
 * The nice value that the system's scheduler uses: the higher, the later. It is low enough that requests go first, and not so low
 * that other processes starve the thread.
 */
const LOW_PRIORITY = 5

/**
 * Lets the answers to requests go first whenever they and the calling thread wait for a processor. Only on Linux does a thread
 * have a priority of its own.
 */
export function giveWay(): void {
  try {
    if (process.platform === 'linux') setPriority(0, LOW_PRIORITY)
  } catch {
    // Some systems allow this to nobody.
  }
}
