import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A disk of its own, in memory, that can be full. */
export interface SmallDisk {
  place: string
  fill(): void
  makeRoom(): void
}

/** Makes the disk, or returns undefined where this user may not mount one. */
export function mountSmallDisk(t: Pick<TestContext, 'after'>, megabytes = 400): SmallDisk | undefined {
  const place = mkdtempSync(join(tmpdir(), 'turnout-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'turnout', place], {
      stdio: 'ignore',
    })
  } catch {
    rmSync(place, { recursive: true })
    return undefined
  }
  const unmount = () => {
    execFileSync('umount', ['-l', place])
    rmSync(place, { recursive: true })
  }
  process.once('exit', unmount)
  t.after(() => {
    process.off('exit', unmount)
    unmount()
  })
  const ballast = join(place, 'ballast')
  return { place, fill: () => fill(ballast), makeRoom: () => rmSync(ballast, { force: true }) }
}

function fill(file: string): void {
  const handle = openSync(file, 'w')
  try {
    for (const bytes of [1 << 20, 1 << 12]) {
      const block = Buffer.alloc(bytes)
      while (writes(handle, block));
    }
  } finally {
    closeSync(handle)
  }
}

function writes(handle: number, block: Buffer): boolean {
  try {
    return writeSync(handle, block) === block.length
  } catch {
    return false
  }
}
